/** The shell's own words. */
import type en from "../../messages/en.json";
import { catalogue } from "./i18n.svelte.ts";

export type Text = keyof typeof en;
export const t = catalogue<Text>(import.meta.glob("../../messages/*.json", { import: "default" }));
