/** What a game's folder has to read, as text: its rules, the same that the engine's cite, and how to play well. */
import type { RulePicture } from "./game.ts";
import type { Locale } from "./i18n.svelte.ts";

export const booklets = ["rules", "strategy"] as const;
export type Booklet = (typeof booklets)[number];

const found = import.meta.glob<string>("../../../src/foxrow/games/*/{rules,strategy}*.md", {
  query: "?raw",
  import: "default",
});

/** In the reader's language where there is such a page (`rules.<language>.md`), else in English. */
export function bookletOf(
  kind: Booklet,
  key: string,
  wanted: Locale,
): { locale: Locale; text: () => Promise<string> } | null {
  for (const [locale, name] of [
    [wanted, `${kind}.${wanted}.md`],
    ["en", `${kind}.md`],
  ] as const) {
    const path = Object.keys(found).find((one) => one.endsWith(`/${key}/${name}`));
    if (path) return { locale, text: found[path]! };
  }
  return null;
}

const drawn = import.meta.glob<RulePicture>("../../../src/foxrow/games/*/web/Picture.svelte", {
  import: "default",
});

/** The game's small pictures, where it has any. */
export async function pictureOf(key: string): Promise<RulePicture | null> {
  const path = Object.keys(drawn).find((one) => one.endsWith(`/${key}/web/Picture.svelte`));
  return path ? drawn[path]!() : null;
}
