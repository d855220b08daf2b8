import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
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
      .replace('["__FILES__"]', JSON.stringify([...files, "icon.svg", "manifest.webmanifest"]));
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

const server = process.env["FOXROW_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  // Relative, so that one build works at the root of a host and under any sub-path.
  base: "./",
  plugins: [packagesForGames, svelte(), serviceWorker],
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
