/** Who sits where, as people read it. */
import type { Names, Player } from "./game.ts";
import type { SeatInfo } from "./protocol.ts";
import { list } from "./i18n.svelte.ts";
import { t } from "./texts.ts";

/** Foxes that play when nobody does; by seat, so that two bots at one table are told apart. */
const bots = ["Vix", "Rena", "Fenn", "Saga", "Todd"];

export function seatName(seat: SeatInfo, number: number): string {
  if (seat.kind === "open") return t("seat_open");
  if (seat.kind === "bot") return bots[number % bots.length]!;
  return seat.name ?? t("seat_guest", { n: number + 1 });
}

/** A seat's fox, the same on every screen that shows the table. */
export const coat = (seat: number): number => (seat % 5) + 1;

export function namesOf(seats: readonly SeatInfo[], you: number | null, online: readonly boolean[]): Names {
  const players: Player[] = seats.map((seat, number) => ({
    name: seatName(seat, number),
    coat: coat(number),
    bot: seat.kind === "bot" ? String(seat.level ?? "") : null,
    here: seat.kind !== "person" || (online[number] ?? true),
  }));
  return { players, you };
}

/** Who sat where before these left, the first of them first; a name that is not known is a guest's. */
export function namesBefore(
  names: Names,
  gone: readonly { seat: number; who: SeatInfo | undefined }[],
): Names {
  const players = [...names.players];
  for (const { seat, who } of [...gone].reverse())
    players[seat] = { ...players[seat]!, name: who?.name ?? t("seat_guest", { n: seat + 1 }), bot: null };
  return { ...names, players };
}

/** Somebody at a table of bots that is there to be looked at: a puzzle's, a lesson's. */
export function amongBots(players: number, you: number): Names {
  const seat = { kind: "bot", level: null } as SeatInfo;
  const others = namesOf(Array<SeatInfo>(players).fill(seat), you, []);
  return { ...others, players: others.players.map((player) => ({ ...player, bot: "" })) };
}

/** "You" or the name, for a list. */
export function label(names: Names, seat: number): string {
  return names.you === seat ? t("you") : (names.players[seat]?.name ?? "");
}

/** Who has won, as the result's sentences take it: you, you and others, others. */
export function wonBy(names: Names, winners: readonly number[]): { who: string; names: string; n: number } {
  const others = winners.filter((seat) => seat !== names.you).map((seat) => label(names, seat));
  const you = names.you !== null && winners.includes(names.you);
  return { who: you ? (others.length ? "both" : "you") : "other", names: list(others), n: others.length };
}

/** The colour of a seat's lines and emblem. */
export const hue = (seat: number) => `var(--chart-${(seat % 5) + 1})`;
