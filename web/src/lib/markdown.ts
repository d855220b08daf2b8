/**
 * The part of Markdown our rules pages use, as a tree that Svelte draws: headings, paragraphs, lists, tables, code, a line
 * across, bold, italics, links. No HTML passes, so no text can become mark-up.
 */
export type Inline =
  { kind: "text" | "bold" | "italic" | "code"; text: string } | { kind: "link"; text: string; href: string };

export type Block =
  | { kind: "heading"; level: number; id: string; content: Inline[] }
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string }
  | { kind: "line" };

/** A page in two: what a line across parts from the rest comes folded. */
export function parts(source: string): { open: Block[]; folded: Block[] } {
  const all = blocks(source);
  const line = all.findIndex(({ kind }) => kind === "line");
  return line < 0 ? { open: all, folded: [] } : { open: all.slice(0, line), folded: all.slice(line + 1) };
}

/** No line begins with a sign of French, or parts a figure from its ±. */
const joined = (text: string): string =>
  text
    .replace(/(\d) ± (\d)/g, "$1\u00a0±\u00a0$2")
    .replace(/ ([:;!?»])/g, "\u00a0$1")
    .replace(/« /g, "«\u00a0");

export function inline(source: string): Inline[] {
  // What stands in code stays as it is.
  const text = source
    .split(/(`[^`]+`)/)
    .map((part, i) => (i % 2 ? part : joined(part)))
    .join("");
  const out: Inline[] = [];
  const pattern =
    /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_(?!\w)|\[([^\]]+)\]\(([^)\s]+)\)/g;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > at) out.push({ kind: "text", text: text.slice(at, found.index) });
    at = found.index + found[0].length;
    if (found[1] !== undefined) out.push({ kind: "code", text: found[1] });
    else if (found[2] !== undefined) out.push({ kind: "bold", text: found[2] });
    else if (found[3] !== undefined || found[4] !== undefined)
      out.push({ kind: "italic", text: found[3] ?? found[4]! });
    else out.push({ kind: "link", text: found[5]!, href: found[6]! });
  }
  if (at < text.length) out.push({ kind: "text", text: text.slice(at) });
  return out;
}

export function plain(content: readonly Inline[]): string {
  return content.map((part) => part.text).join("");
}

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inline(cell.trim()));

export function blocks(source: string): Block[] {
  const lines = source.replace(/\r/g, "").split("\n");
  const out: Block[] = [];
  let at = 0;
  const item = /^\s*(?:[-*]|\d+[.)])\s+/;
  while (at < lines.length) {
    const line = lines[at]!;
    const heading = /^(#{1,4})\s+(.*)$/.exec(line);
    if (line.trim() === "") at++;
    else if (line.startsWith("```")) {
      const body: string[] = [];
      for (at++; at < lines.length && !lines[at]!.startsWith("```"); at++) body.push(lines[at]!);
      at++;
      out.push({ kind: "code", text: body.join("\n") });
    } else if (/^-{3,}$/.test(line.trim())) {
      out.push({ kind: "line" });
      at++;
    } else if (heading) {
      const content = inline(heading[2]!);
      const id = plain(content)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "");
      out.push({ kind: "heading", level: heading[1]!.length, id, content });
      at++;
    } else if (line.trim().startsWith("|") && /^\s*\|?[\s:|-]+\|[\s:|-]*$/.test(lines[at + 1] ?? "")) {
      const head = cells(line);
      const rows: Inline[][][] = [];
      for (at += 2; at < lines.length && lines[at]!.trim().startsWith("|"); at++)
        rows.push(cells(lines[at]!));
      out.push({ kind: "table", head, rows });
    } else if (item.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items: string[] = [];
      for (; at < lines.length && lines[at]!.trim() !== ""; at++) {
        if (item.test(lines[at]!)) items.push(lines[at]!.replace(item, ""));
        else items[items.length - 1] += " " + lines[at]!.trim();
      }
      out.push({ kind: "list", ordered, items: items.map(inline) });
    } else {
      const body: string[] = [];
      for (
        ;
        at < lines.length && lines[at]!.trim() !== "" && !/^(#{1,4}\s|```|\s*\|)/.test(lines[at]!);
        at++
      ) {
        // A ruling stands for itself, so that it can be marked, also where no empty line parts it.
        if (body.length > 0 && /^(\s*(?:[-*]|1[.)])\s|\*\*Rulings?\b)/.test(lines[at]!)) break;
        body.push(lines[at]!.trim());
      }
      if (body.length === 0) body.push(lines[at++]!.trim());
      out.push({ kind: "paragraph", content: inline(body.join(" ")) });
    }
  }
  return out;
}
