/** Line-it's own words. */
import { catalogue } from "$lib/i18n.svelte.ts";
import type en from "./messages/en.json";

export type Text = keyof typeof en;
export const t = catalogue<Text>(import.meta.glob("./messages/*.json", { import: "default" }));
