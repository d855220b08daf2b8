/** What went wrong, by the server's code, in words; unknown codes get the general ones. */
import { Failure } from "./api.ts";
import { t, type Text } from "./texts.ts";

const known: Record<string, Text> = {
  offline: "fail_offline",
  unknown_table: "fail_unknown_table",
  not_over: "fail_not_over",
  blocked: "fail_blocked",
  seat_taken: "fail_seat_taken",
  no_open_seat: "fail_seat_taken",
  too_many: "fail_too_many",
  too_many_tables: "fail_too_many_tables",
  no_space: "fail_busy",
  busy: "fail_busy",
  draining: "fail_busy",
  bad_name: "fail_bad_name",
  bad_record: "fail_bad_record",
  takeback_none: "fail_takeback_none",
  takeback_other_acted: "fail_takeback_acted",
  takeback_card_left_pile: "fail_takeback_pile",
  hint_others: "fail_hint_others",
  not_your_turn: "fail_not_your_turn",
  not_your_seat: "fail_not_your_seat",
  not_host: "fail_not_host",
  not_allowed: "fail_not_allowed",
  no_chat: "fail_no_chat",
  no_talk: "fail_no_talk",
};

export function failureWords(error: unknown): string {
  const code = error instanceof Failure ? error.code : (error as { code?: string } | null)?.code;
  return t((code && known[code]) || "fail_general");
}
