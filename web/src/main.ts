import "./styles/tokens.css";
import "./styles/kit.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { startRouter } from "./lib/router.svelte.ts";
import "./lib/settings.svelte.ts";
import { ready } from "./lib/i18n.svelte.ts";
import { task } from "./lib/pace.ts";
import { t } from "./lib/texts.ts";

startRouter();
void t;
void ready()
  .then(task)
  .then(() => mount(App, { target: document.getElementById("app")! }));

/** The worker fetches all the rest for later: not while the first page needs the network and the processor itself. */
const LATER = 5000;
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    setTimeout(() => {
      // Forbidden in some private windows: then there is only no offline page.
      navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => undefined);
    }, LATER);
  });
}
