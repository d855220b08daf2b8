/** One command for the client: types, format, languages, the content policy's rules, and the protocol's types. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { problems } from "./messages.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(web);
const games = join(root, "src/foxrow/games");
const gameWebs = readdirSync(games)
  .map((name) => join(games, name, "web"))
  .filter((folder) => existsSync(folder));

function run(name, command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: web, encoding: "utf8", ...options });
  const good = done.status === 0;
  console.log(`${good ? "ok  " : "FAIL"} ${name}`);
  if (!good) console.log(done.error ? String(done.error) : (done.stdout + done.stderr).trim());
  return good;
}

function report(name, found) {
  console.log(`${found.length ? "FAIL" : "ok  "} ${name}`);
  for (const line of found) console.log(`  ${line}`);
  return found.length === 0;
}

function walk(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

/** A style attribute written into mark-up is refused by a strict content policy; `style:--x={…}` goes through CSSOM. */
function policy() {
  const found = [];
  for (const path of [join(web, "src"), ...gameWebs].flatMap(walk).filter((one) => one.endsWith(".svelte"))) {
    const text = readFileSync(path, "utf8");
    const where = relative(root, path);
    if (/\sstyle=["'][^"'{]*["']/.test(text)) found.push(`${where}: a style attribute`);
    if (text.includes("{@html")) found.push(`${where}: {@html}`);
    if (/https?:\/\/(?!www\.w3\.org)/.test(text)) found.push(`${where}: another host`);
  }
  return found;
}

/** The shell knows no game: no folder's name of games/ in web/. */
function keys() {
  const names = gameWebs.map((folder) => dirname(folder).split("/").at(-1));
  const found = [];
  for (const path of [
    join(web, "src"),
    join(web, "messages"),
    join(web, "tests"),
    join(web, "scripts"),
    join(web, "public"),
  ].flatMap(walk)) {
    if (/\.png$/.test(path)) continue;
    const text = readFileSync(path, "utf8").toLowerCase();
    for (const name of names)
      if (new RegExp(`\\b${name}\\b`).test(text)) found.push(`${relative(root, path)}: ${name}`);
  }
  return found;
}

const bin = (name) => join(web, "node_modules", name);
const python =
  [join(root, ".venv/bin/python"), join(root, ".venv/Scripts/python.exe")].find((path) => existsSync(path)) ??
  "python3";
const results = [
  report("every message in every language, none left over", problems()),
  report("nothing that a strict content policy refuses", policy()),
  report("the shell names no game", keys()),
  run("format", process.execPath, [
    bin("prettier/bin/prettier.cjs"),
    "--check",
    // The games' folders lie outside web/, where no configuration would be found.
    "--config",
    ".prettierrc.json",
    "--log-level",
    "warn",
    ".",
    ...gameWebs.map((folder) => relative(web, folder)),
  ]),
  run("types", process.execPath, [
    bin("svelte-check/bin/svelte-check"),
    "--tsconfig",
    "tsconfig.json",
    "--fail-on-warnings",
  ]),
  run("protocol types are up to date", python, ["-m", "foxrow.server.typescript", "--check"], { cwd: root }),
];
process.exit(results.every(Boolean) ? 0 : 1);
