import "./styles/tokens.css";
import "./styles/kit.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { t } from "./lib/texts.ts";

await t.ready;
mount(App, { target: document.getElementById("app")! });
