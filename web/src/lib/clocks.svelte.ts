/** The clocks of the table on screen, seat by seat, so that boards can show them without knowing about time. */
export interface SeatTime {
  /** Milliseconds left when `at` was read. */
  left: number;
  /** performance.now() of that reading. */
  at: number;
  runs: boolean;
}

let times = $state.raw<readonly (SeatTime | null)[]>([]);
let now = $state(0);
let timer: ReturnType<typeof setInterval> | undefined;

export function setClocks(wanted: readonly (SeatTime | null)[]): void {
  times = wanted;
  now = performance.now();
  const runs = wanted.some((time) => time?.runs);
  if (runs && timer === undefined) timer = setInterval(() => (now = performance.now()), 250);
  if (!runs && timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
  }
}

/** Milliseconds left of a seat's clock now; null without a clock. */
export function timeLeft(seat: number): number | null {
  const time = times[seat];
  if (!time) return null;
  return Math.max(0, time.runs ? time.left - (now - time.at) : time.left);
}

/** "2:41", "1:02:05", and days where a move may take days. */
export function clockText(ms: number, days: (n: number) => string): string {
  const s = Math.ceil(ms / 1000);
  if (s >= 2 * 86400) return days(Math.floor(s / 86400));
  const two = (n: number) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}
