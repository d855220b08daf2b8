/**
 * Languages. A catalogue (the shell's, each game's) is a folder of JSON files, one per language, loaded when needed;
 * `t(key, values)` reads the current one. The reading is reactive, so switching needs neither reload nor remount.
 */
import { format, joined, number, type Values } from "./message.ts";
import { untrack } from "svelte";
import { remember, recall } from "./memory.ts";

export const locales = ["en", "fr", "it", "de"] as const;
export type Locale = (typeof locales)[number];
export const localeNames: Record<Locale, string> = {
  en: "English",
  fr: "Français",
  it: "Italiano",
  de: "Deutsch",
};

type Dictionary = Record<string, string>;
type Loaders = Record<string, () => Promise<unknown>>;

interface Catalogue {
  load(locale: Locale): Promise<Dictionary>;
  texts: Dictionary;
}

const catalogues: Catalogue[] = [];
let current = $state<Locale>(guess());
document.documentElement.lang = untrack(() => current);
/** Bumped when any dictionary changes: what `t` depends on. */
let version = $state(0);

export function locale(): Locale {
  return current;
}

function guess(): Locale {
  const wanted = [recall("locale"), ...navigator.languages];
  for (const tag of wanted) {
    const found = locales.find((one) => tag?.toLowerCase().startsWith(one));
    if (found) return found;
  }
  return "en";
}

export interface Translate<K extends string> {
  (key: K, values?: Values): string;
  /** Resolves when the first language's texts are here. */
  readonly ready: Promise<void>;
}

const loading: Promise<void>[] = [];

/** Resolves when every catalogue that was asked for so far is here. */
export async function ready(): Promise<void> {
  await Promise.all(loading);
}

/** `const t = catalogue<keyof typeof en>(import.meta.glob("./messages/*.json", { import: "default" }))` */
export function catalogue<K extends string>(loaders: Loaders): Translate<K> {
  const own: Catalogue = {
    texts: {},
    async load(wanted) {
      const path = Object.keys(loaders).find((one) => one.endsWith(`/${wanted}.json`));
      if (!path) throw new Error(`no messages for ${wanted}`);
      return (await loaders[path]!()) as Dictionary;
    },
  };
  catalogues.push(own);
  const wanted = current;
  const first = own.load(wanted).then((texts) => {
    // Unless the language was switched meanwhile, which loads this catalogue too.
    if (wanted === current) own.texts = texts;
    version++;
  });
  loading.push(first);
  const translate = (key: K, values?: Values) => {
    void version;
    const text = own.texts[key];
    return text === undefined ? key : format(text, current, values);
  };
  return Object.assign(translate, { ready: first });
}

/** Loads every catalogue in the new language, then switches all at once: no half-translated screen. */
export async function setLocale(wanted: Locale): Promise<void> {
  const texts = await Promise.all(catalogues.map((one) => one.load(wanted)));
  catalogues.forEach((one, i) => (one.texts = texts[i]!));
  current = wanted;
  version++;
  document.documentElement.lang = wanted;
  remember("locale", wanted);
}

export function num(n: number): string {
  return number(current, n);
}

/** "Noor, Ilse and Teo" the way the language joins them. */
export function list(names: readonly string[]): string {
  return joined(current, names);
}

export function date(when: Date, style: "long" | "medium" = "long"): string {
  // English without a country would be written the American way.
  return new Intl.DateTimeFormat(current === "en" ? "en-GB" : current, { dateStyle: style }).format(when);
}
