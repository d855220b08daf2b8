/** Quick phrases by the server's codes. */
import { t, type Text } from "./texts.ts";

const known: Record<string, Text> = {
  hello: "phrase_hello",
  good_luck: "phrase_good_luck",
  well_played: "phrase_well_played",
  thanks: "phrase_thanks",
  oops: "phrase_oops",
  wow: "phrase_wow",
  your_turn: "phrase_your_turn",
  one_moment: "phrase_moment",
  sorry: "phrase_sorry",
  good_game: "phrase_good_game",
  rematch: "phrase_rematch",
  goodbye: "phrase_bye",
};

export function phraseWords(code: string): string {
  const key = known[code];
  return key ? t(key) : code.replaceAll("_", " ");
}
