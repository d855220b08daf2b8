import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const games = here("../src/foxrow/games/");

/** The games' web folders lie outside web/, where no node_modules can be found by walking up: resolve their packages from here. */
const packagesForGames: Plugin = {
  name: "packages-for-games",
  enforce: "pre",
  resolveId(source, importer) {
    const bare = /^[@a-z]/i.test(source) && !source.startsWith("$lib");
    if (!bare || !importer?.startsWith(games)) return null;
    return this.resolve(source, here("./src/main.ts"), { skipSelf: true });
  },
};

/**
 * Puts the queries of rooms.css in the place of their names: `@media (--beside)` in styles, `MediaQuery("(--beside)")` in
 * code. Browsers do not know such names yet, and code could not ask for them. A game's own names come before the shell's.
 */
const namedRooms: Plugin = {
  name: "named-rooms",
  enforce: "pre",
  transform(code, id) {
    if (!/\.(svelte|css|ts)$/.test(id)) return null;
    const sheets = [join(dirname(id), "rooms.css"), here("./src/styles/rooms.css")].filter((file) =>
      existsSync(file),
    );
    const rooms = new Map<string, string>();
    for (const sheet of sheets) {
      this.addWatchFile(sheet);
      for (const [, name, query] of readFileSync(sheet, "utf8").matchAll(/@custom-media (--\w+) ([^;]+);/g))
        if (!rooms.has(name!)) rooms.set(name!, query!);
    }
    const spell = (text: string): string =>
      text.replace(/\((--\w+)\)/g, (_, name: string) => {
        const query = rooms.get(name);
        if (query === undefined) this.error(`no room is called ${name}`);
        return spell(query);
      });
    return code.replace(/@media [^{]+|\bMediaQuery\("[^"]+"\)/g, spell);
  },
};

/** Writes sw.js with the list of what was built. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  generateBundle(_, bundle) {
    const files = Object.keys(bundle)
      .filter((name) => name.startsWith("assets/"))
      .sort();
    const version = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
    const source = readFileSync(here("./src/sw.js"), "utf8")
      .replace("__VERSION__", version)
      .replace('["__FILES__"]', JSON.stringify([...files, "icon-64.png", "manifest.webmanifest"]));
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

/** The pages a link may lead to first, by the first part of their path. */
const routes = { t: "Table", r: "Replay", rules: "Booklet", strategy: "Booklet" };

/**
 * Writes preload.json: which files each page, each game's table and each language needs besides the entry's own. The
 * server names them in the page's headers, so that the browser asks for all at once and not for one after the other.
 */
const preloads: Plugin = {
  name: "preloads",
  apply: "build",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
    const needs = (name: string, seen: Set<string>): Set<string> => {
      const chunk = chunks.find((one) => one.fileName === name);
      if (!chunk || seen.has(name)) return seen;
      seen.add(name);
      for (const css of chunk.viteMetadata?.importedCss ?? []) seen.add(css);
      for (const asset of chunk.viteMetadata?.importedAssets ?? []) seen.add(asset);
      for (const one of chunk.imports) needs(one, seen);
      return seen;
    };
    const first = new Set<string>();
    for (const chunk of chunks) if (chunk.isEntry) needs(chunk.fileName, first);
    const found: Record<"pages" | "games" | "languages", Record<string, string[]>> = {
      pages: {},
      games: {},
      languages: {},
    };
    const add = (kind: keyof typeof found, key: string, file: string) => {
      const files = [...needs(file, new Set())].filter((one) => !first.has(one));
      found[kind][key] = [...new Set([...(found[kind][key] ?? []), ...files])];
    };
    for (const chunk of chunks) {
      const from = chunk.facadeModuleId ?? "";
      for (const [route, page] of Object.entries(routes))
        if (from.endsWith(`/pages/${page}.svelte`)) add("pages", route, chunk.fileName);
      const game = /\/games\/(\w+)\/web\/play\.ts$/.exec(from);
      if (game) add("games", game[1]!, chunk.fileName);
      const language = /\/messages\/(\w+)\.json/.exec(from);
      if (language) add("languages", language[1]!, chunk.fileName);
    }
    this.emitFile({ type: "asset", fileName: "preload.json", source: JSON.stringify(found) });
  },
};

const server = process.env["FOXROW_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  // Relative, so that one build works at the root of a host and under any sub-path.
  base: "./",
  plugins: [packagesForGames, namedRooms, svelte(), serviceWorker, preloads],
  resolve: { alias: { $lib: here("./src/lib") } },
  build: {
    outDir: here("../src/foxrow/server/static"),
    emptyOutDir: true,
    target: "es2022",
    // Every asset stays a file: data: URLs would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [here(".."), here(".")] },
    proxy: { "/api": { target: server, ws: true } },
  },
});
