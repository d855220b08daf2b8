import "./styles/tokens.css";
import "./styles/kit.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { startRouter } from "./lib/router.svelte.ts";
import "./lib/settings.svelte.ts";
import { ready } from "./lib/i18n.svelte.ts";
import { t } from "./lib/texts.ts";

startRouter();
void t;
ready().then(() => mount(App, { target: document.getElementById("app")! }));

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    // Forbidden in some private windows: then there is only no offline page.
    navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => undefined);
  });
}
