/** Each game's rules page as text, from the same rules.md that the engine's rules cite. */
import type { RulePicture } from "./game.ts";
import type { Locale } from "./i18n.svelte.ts";

const found = import.meta.glob<string>("../../../src/foxrow/games/*/rules*.md", {
  query: "?raw",
  import: "default",
});

/** In the reader's language where there is such a page (`rules.<language>.md`), else in English. */
export function rulesOf(key: string, wanted: Locale): { locale: Locale; text: Promise<string> } | null {
  for (const [locale, name] of [
    [wanted, `rules.${wanted}.md`],
    ["en", "rules.md"],
  ] as const) {
    const path = Object.keys(found).find((one) => one.endsWith(`/${key}/${name}`));
    if (path) return { locale, text: found[path]!() };
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
