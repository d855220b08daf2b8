/**
 * A small part of ICU MessageFormat, all that our texts use: `{name}`, `{n, plural, one {# card} other {# cards}}`
 * (also `=0`), `{x, select, a {…} other {…}}`, nested at will, and quoting by doubling an apostrophe never needed:
 * texts use the typographic one.
 */
export type Values = Record<string, string | number>;

type Part =
  string | { name: string; kind: "value" | "plural" | "select"; cases: Map<string, Part[]> } | { hash: true };

const parsed = new Map<string, Part[]>();

export function parse(text: string): Part[] {
  let at = 0;
  const fail = (why: string): never => {
    throw new Error(`message "${text}": ${why} at ${at}`);
  };
  function parts(depth: number): Part[] {
    const out: Part[] = [];
    let run = "";
    const flush = () => {
      if (run) out.push(run);
      run = "";
    };
    while (at < text.length) {
      const c = text[at]!;
      if (c === "}") {
        if (depth === 0) fail("a closing brace too many");
        break;
      }
      if (c === "{") {
        flush();
        at++;
        out.push(argument());
      } else if (c === "#" && depth > 0) {
        flush();
        at++;
        out.push({ hash: true });
      } else {
        run += c;
        at++;
      }
    }
    flush();
    return out;
  }
  function word(): string {
    const found = /^\s*([=\w]+)\s*/.exec(text.slice(at));
    if (!found) return fail("a name is missing");
    at += found[0].length;
    return found[1]!;
  }
  function argument(): Part {
    const name = word();
    if (text[at] === "}") {
      at++;
      return { name, kind: "value", cases: new Map() };
    }
    if (text[at++] !== ",") fail("a comma is missing");
    const kind = word();
    if (kind !== "plural" && kind !== "select") return fail(`unknown kind ${kind}`);
    if (text[at++] !== ",") fail("a comma is missing");
    const cases = new Map<string, Part[]>();
    while (/\S/.test(text[at] ?? "") || /^\s/.test(text.slice(at))) {
      const rest = /^\s*/.exec(text.slice(at))![0].length;
      at += rest;
      if (text[at] === "}") break;
      const key = word();
      if (text[at++] !== "{") fail("a case needs a brace");
      cases.set(key, parts(1));
      if (text[at++] !== "}") fail("a case is not closed");
    }
    if (text[at++] !== "}") fail("an argument is not closed");
    if (!cases.has("other")) fail(`${name} has no case "other"`);
    return { name, kind, cases };
  }
  const out = parts(0);
  if (at < text.length) fail("something is left over");
  return out;
}

/**
 * Which form a whole number takes. Our languages know two, and the browser's own rules cost a phone a tenth of a second
 * to wake up; a test holds these to them.
 */
function plural(locale: string, n: number): string {
  return Math.abs(n) === 1 || (n === 0 && locale === "fr") ? "one" : "other";
}

const numbers = new Map<string, Intl.NumberFormat>();
/** Below this no language here groups digits (min2), so the browser's formatter need not wake up. */
const GROUPED = 10_000;

/** A number the way the language writes it, with a true minus sign. */
export function number(locale: string, n: number): string {
  if (Number.isInteger(n) && Math.abs(n) < GROUPED) return n < 0 ? `−${-n}` : String(n);
  let format = numbers.get(locale);
  if (!format)
    numbers.set(locale, (format = new Intl.NumberFormat(locale, { useGrouping: "min2" as never })));
  return format.format(n).replace(/^-/, "−");
}

const and: Record<string, string> = { en: "and", fr: "et", it: "e", de: "und" };

/** "Noor, Ilse and Teo" the way the language joins them. */
export function joined(locale: string, names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${and[locale]} ${names.at(-1)}`;
}

function write(parts: Part[], locale: string, values: Values, hash: number | null): string {
  let out = "";
  for (const part of parts) {
    if (typeof part === "string") out += part;
    else if ("hash" in part) out += hash === null ? "#" : number(locale, hash);
    else {
      const value = values[part.name];
      if (part.kind === "value") {
        out += value === undefined ? "" : typeof value === "number" ? number(locale, value) : value;
      } else {
        const exact = part.cases.get(part.kind === "plural" ? `=${value}` : String(value));
        const kind = part.kind === "plural" ? part.cases.get(plural(locale, Number(value))) : undefined;
        out += write(
          exact ?? kind ?? part.cases.get("other")!,
          locale,
          values,
          part.kind === "plural" ? Number(value) : hash,
        );
      }
    }
  }
  return out;
}

export function format(text: string, locale: string, values: Values = {}): string {
  let parts = parsed.get(text);
  if (!parts) parsed.set(text, (parts = parse(text)));
  return write(parts, locale, values, null);
}

/**
 * The names a message uses, so that a check can hold every language to the same ones. True: the reader sees its
 * value; false: it only decides between forms, which another language may not need.
 */
export function argumentsOf(text: string): Map<string, boolean> {
  const names = new Map<string, boolean>();
  const walk = (parts: Part[], counted: string | null) => {
    for (const part of parts) {
      if (typeof part === "string") continue;
      if ("hash" in part) {
        if (counted) names.set(counted, true);
        continue;
      }
      names.set(part.name, names.get(part.name) === true || part.kind === "value");
      for (const inner of part.cases.values()) walk(inner, part.kind === "plural" ? part.name : counted);
    }
  };
  walk(parse(text), null);
  return names;
}
