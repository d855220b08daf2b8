/**
 * Holds the languages together: every folder of messages has the same keys and the same arguments in all of them,
 * every text parses, and no key is missing or left over in the code beside it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { argumentsOf } from "../src/lib/message.ts";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const games = join(web, "../src/foxrow/games");
const locales = ["en", "fr", "it", "de"];

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "messages" ? [] : files(path);
    return /\.(svelte|ts)$/.test(name) ? [path] : [];
  });
}

export function problems() {
  const found = [];
  const folders = [
    { messages: join(web, "messages"), code: join(web, "src") },
    ...readdirSync(games)
      .map((name) => join(games, name, "web"))
      .filter((folder) => existsSync(join(folder, "messages")))
      .map((folder) => ({ messages: join(folder, "messages"), code: folder })),
  ];
  for (const { messages, code } of folders) {
    const where = relative(join(web, ".."), messages);
    const read = (locale) => {
      try {
        return JSON.parse(readFileSync(join(messages, `${locale}.json`), "utf8"));
      } catch (error) {
        found.push(`${where}/${locale}.json: ${error.message}`);
        return {};
      }
    };
    const texts = Object.fromEntries(locales.map((locale) => [locale, read(locale)]));
    for (const locale of locales) {
      for (const key of Object.keys(texts.en)) {
        const text = texts[locale][key];
        if (typeof text !== "string" || text.trim() === "") {
          found.push(`${where}/${locale}.json: ${key} is missing`);
          continue;
        }
        if (locale === "fr" && / [:;!?»]|« /.test(text))
          found.push(
            `${where}/${locale}.json: ${key} needs a no-break space (U+00A0) before : ; ! ? », after «`,
          );
        try {
          const names = argumentsOf(text);
          const wanted = argumentsOf(texts.en[key]);
          for (const name of names.keys()) {
            if (!wanted.has(name))
              found.push(`${where}/${locale}.json: ${key} uses {${name}}, English does not`);
          }
          for (const [name, shown] of wanted) {
            if (shown && !names.has(name)) found.push(`${where}/${locale}.json: ${key} leaves out {${name}}`);
          }
        } catch (error) {
          found.push(`${where}/${locale}.json: ${error.message}`);
        }
      }
      for (const key of Object.keys(texts[locale])) {
        if (!(key in texts.en)) found.push(`${where}/${locale}.json: ${key} is in no other language`);
      }
    }
    const source = files(code)
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    // A key is used when it stands in quotes, or when a template builds it: t(`step_${kind}`).
    const quoted = new Set([...source.matchAll(/["'`]([a-z][a-zA-Z0-9_]*)["'`]/g)].map((match) => match[1]));
    const templates = [...source.matchAll(/`(\w*)\$\{\w[^`{}]*\}(\w*)`/g)].filter(
      (match) => match[1] || match[2],
    );
    for (const key of Object.keys(texts.en)) {
      if (!quoted.has(key) && !templates.some((match) => key.startsWith(match[1]) && key.endsWith(match[2])))
        found.push(`${where}: ${key} is not used`);
    }
    for (const match of source.matchAll(/\bt\(\s*"([^"]+)"/g)) {
      if (!(match[1] in texts.en)) found.push(`${where}: t("${match[1]}") has no text`);
    }
  }
  return found;
}

if (basename(process.argv[1] ?? "") === "messages.mjs") {
  const found = problems();
  for (const line of found) console.error(line);
  process.exit(found.length ? 1 : 0);
}
