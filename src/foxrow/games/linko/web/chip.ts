/** How an opponent stands: against the row being chosen, the row just laid, or simply at turn. */
import type { IconName } from "$lib/art/icons.ts";
import { fateOf } from "./struck.ts";
import * as table from "./table.ts";
import type { LinkoView, Row } from "./table.ts";
import { t } from "./texts.ts";
import { safeWords } from "./words.ts";

export interface Chip {
  text: string;
  icon: IconName;
  tone: "act" | "white" | "on-mat";
  /** The text is why this seat is safe: the check says so where there is no room for the word. */
  safe?: boolean;
}

/** Against a row that the reader is choosing. */
export function chipAgainst(row: Row, hit: boolean, top: Row | undefined): Chip {
  return {
    text: safeWords(row, top),
    icon: hit ? "bolt" : "check",
    tone: hit ? "white" : "on-mat",
    safe: !hit,
  };
}

interface Reading {
  /** The reader decides this hit. */
  decides: boolean;
  /** Whether there is room for so long a row beside the word. */
  fits: (row: Row) => boolean;
}

export function chipOf(view: LinkoView, seat: number, { decides, fits }: Reading): Chip | null {
  const laid = table.topRow(view, view.active);
  const place = table.place(view, seat);
  if (place === null || !laid) {
    if (seat !== view.to_act) return null;
    return { text: t(view.phase === "lay" ? "chip_turn" : "chip_decides"), icon: "turn", tone: "white" };
  }
  if (place === "now") {
    if (view.phase === "draw")
      return { text: t("chip_draws", { n: view.draws }), icon: "stack", tone: "white" };
    if (view.phase === "victim") return { text: t("chip_decides"), icon: "turn", tone: "white" };
    return {
      text: fits(laid) ? t("chip_hit", { row: table.shortRow(laid) }) : t("chip_hit_short"),
      icon: "bolt",
      tone: decides ? "act" : "white",
    };
  }
  const top = table.topRow(view, seat);
  switch (fateOf(view, seat)) {
    case "hit":
      return {
        text: fits(top!) ? t("chip_next", { row: table.shortRow(top!) }) : t("chip_next_short"),
        icon: "arrow",
        tone: "on-mat",
      };
    case "was":
      return { text: t("chip_was"), icon: "bolt", tone: "on-mat" };
    case "settled":
      return { text: t("chip_done"), icon: "check", tone: "on-mat" };
    default:
      return { text: safeWords(laid, top), icon: "check", tone: "on-mat", safe: true };
  }
}
