/** Each game's rules page as text, from the same rules.md that the engine's rules cite. */
import type { RulePicture } from "./game.ts";

const found = import.meta.glob<string>("../../../src/foxrow/games/*/rules.md", {
  query: "?raw",
  import: "default",
});

export function rulesOf(key: string): Promise<string> | null {
  const path = Object.keys(found).find((one) => one.endsWith(`/${key}/rules.md`));
  return path ? found[path]!() : null;
}

const drawn = import.meta.glob<RulePicture>("../../../src/foxrow/games/*/web/Picture.svelte", {
  import: "default",
});

/** The game's small pictures, where it has any. */
export async function pictureOf(key: string): Promise<RulePicture | null> {
  const path = Object.keys(drawn).find((one) => one.endsWith(`/${key}/web/Picture.svelte`));
  return path ? drawn[path]!() : null;
}
