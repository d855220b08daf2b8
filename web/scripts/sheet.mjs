/**
 * Prints a page that shows one component alone, in its game's colours: `node scripts/sheet.mjs ../path/to/Faces.svelte`.
 * From it a browser makes a picture (tests/web/faces.py).
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const sheet = resolve(process.argv[2]);
const folder = dirname(sheet);
const server = await createServer({
  root: web,
  configFile: join(web, "vite.config.ts"),
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true, include: [] },
  appType: "custom",
  logLevel: "error",
});
const { render } = await server.ssrLoadModule("svelte/server");
const drawn = async (path) => render((await server.ssrLoadModule(path)).default).body;
const styles = [join(web, "src/styles/tokens.css"), join(folder, "tokens.css")].map((path) =>
  readFileSync(path, "utf8"),
);
console.log(`<!doctype html><style>${styles.join("\n")} body { margin: 0 } svg { display: block }</style>
${await drawn(join(web, "src/lib/art/Sprite.svelte"))}
<div data-game="${dirname(folder).split("/").at(-1)}" id="sheet">${await drawn(sheet)}</div>`);
await server.close();
