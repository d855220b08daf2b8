/** A lesson's words, which a game has among its own under `lesson_`: `ID`, `ID_why`, `ID_1` and so on, `ID_done`. */
import type { Names } from "./game.ts";

export type LessonPart = "title" | "why" | "done" | number;

export const lessonKey = (id: string, part: LessonPart): string => (part === "title" ? id : `${id}_${part}`);

/** Whom they speak of: the learner's neighbours, clockwise. */
export function neighbours({ players, you }: Names): Record<"a" | "b", string> {
  const name = (away: number) => players[((you ?? 0) + away) % players.length]!.name;
  return { a: name(1), b: name(2) };
}
