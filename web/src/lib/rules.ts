/** Each game's rules page as text, from the same rules.md that the engine's rules cite. */
const found = import.meta.glob<string>("../../../src/foxrow/games/*/rules.md", {
  query: "?raw",
  import: "default",
});

export function rulesOf(key: string): Promise<string> | null {
  const path = Object.keys(found).find((one) => one.endsWith(`/${key}/rules.md`));
  return path ? found[path]!() : null;
}
