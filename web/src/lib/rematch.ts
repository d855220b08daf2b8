/** A match once more, with other bots. */
import type { CreateTable, LevelCard, TableInfo } from "./protocol.ts";

/** The same table once more with every bot a level stronger; null where somebody else plays, or no bot can be. */
export function stronger(
  info: TableInfo,
  mine: readonly number[],
  levels: readonly LevelCard[],
): CreateTable | null {
  const highest = levels.at(-1)?.level ?? 0;
  const bots = info.seats.filter((_, i) => !mine.includes(i));
  if (!mine.length || bots.some(({ kind }) => kind !== "bot")) return null;
  if (!bots.some(({ level }) => (level ?? highest) < highest)) return null;
  const { game, options, clock, listed, chat, leave } = info;
  return {
    game,
    seats: info.seats.map(({ level, name }, i) =>
      !mine.includes(i)
        ? { kind: "bot", level: Math.min(highest, (level ?? 0) + 1) }
        : mine.length > 1
          ? { kind: "me", name }
          : { kind: "me" },
    ),
    options,
    match: Object.values(info.match)[0] ?? null,
    clock,
    listed,
    chat,
    leave,
    // As in a rematch, the next one starts.
    first: ((info.rounds[0]?.first ?? 0) + 1) % info.seats.length,
  };
}
