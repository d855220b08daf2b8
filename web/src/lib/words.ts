/** Small phrases about a table that several pages share. */
import type { ClockSetting } from "./protocol.ts";
import { t } from "./texts.ts";

export function clockWords(clock: ClockSetting): string {
  const seconds = clock.seconds ?? 60;
  switch (clock.kind ?? "none") {
    case "none":
      return t("clock_none");
    case "move":
      return t("clock_move", { time: length(seconds) });
    case "game":
      return t("clock_game", { time: length(seconds), plus: clock.increment ?? 0 });
    case "days":
      return t("clock_daily", { n: clock.days ?? 3 });
  }
}

/** A share from 0 to 1. */
export const percent = (share: number): string => t("percent", { n: Math.round(100 * share) });

/** How much more one is than another, as the figures say that stand beside it. */
export const gap = (share: number, other: number): string =>
  t("percent", { n: Math.round(100 * share) - Math.round(100 * other) });

export function length(seconds: number): string {
  return seconds % 60 === 0 ? t("minutes_n", { n: seconds / 60 }) : t("seconds_n", { n: seconds });
}
