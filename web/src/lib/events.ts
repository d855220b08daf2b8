/** What happens at a table besides moves, in words. */
import type { Names } from "./game.ts";
import { list } from "./i18n.svelte.ts";
import { label, wonBy } from "./people.ts";
import type { AnyEntry } from "./protocol.ts";
import { standing } from "./rounds.ts";
import { t } from "./texts.ts";

/** One event, with the names as they were then, and as they are now; null for what goes without saying. */
export function eventWords(entry: AnyEntry, then: Names, now: Names, single: boolean): string | null {
  const who = (seat: number) => label(then, seat);
  const you = (seat: number) => (then.you === seat ? "you" : "other");
  /** A bot has the seat now, or nobody. */
  const after = (seat: number) => ({
    bot: now.players[seat]?.bot == null ? "none" : "bot",
    next: label(now, seat),
  });
  switch (entry.kind) {
    case "dealt":
      return single ? t("log_dealt_single") : t("log_dealt", { n: entry.round + 1 });
    case "round_ended":
      if (single) return null;
      return [
        t("log_round", { ...wonBy(then, entry.winners), n: entry.round + 1 }),
        standing(then, entry.totals).join(" · "),
      ].join(" ");
    case "ended":
      return entry.reason === "finished"
        ? t(single ? "log_over_single" : "log_over", wonBy(then, entry.winners))
        : entry.reason === "forfeit"
          ? t("log_forfeit", { names: list(entry.winners.map(who)) })
          : t("log_abandoned");
    case "left":
      return t("log_left", { who: you(entry.seat), name: who(entry.seat), ...after(entry.seat) });
    case "removed":
      return t("log_removed", { name: who(entry.seat), ...after(entry.seat) });
    case "time_up":
      return t("log_time", { who: you(entry.seat), name: who(entry.seat) });
    case "taken_back":
      return t("log_taken_back", { who: you(entry.seat), name: who(entry.seat) });
    case "restarted":
      return t("log_restarted");
    default:
      return null;
  }
}

/** The seat whose person did what nobody sees on the board, or had it done to them: the others are told at once. */
export function doneBy(entry: AnyEntry): number | null {
  switch (entry.kind) {
    case "left":
    case "removed":
    case "time_up":
    case "taken_back":
      return entry.seat;
    default:
      return null;
  }
}
