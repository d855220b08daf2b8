/** What a reader chooses once: theme, motion, sound, tips, level. Kept in this browser. */
import { recall, remember } from "./memory.ts";
import { setSound, soundOn } from "./sound.ts";

export type Theme = "system" | "light" | "dark";

let theme = $state<Theme>((recall("theme") as Theme | null) ?? "system");
let motion = $state(recall("motion") !== "off");
let sound = $state(soundOn());
let tips = $state(recall("tips") !== "off");
let seen = $state.raw<ReadonlySet<string>>(new Set((recall("seen") ?? "").split(" ").filter(Boolean)));

function apply(): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  if (motion) delete root.dataset["motion"];
  else root.dataset["motion"] = "off";
}
apply();

export const settings = {
  get theme(): Theme {
    return theme;
  },
  set theme(wanted: Theme) {
    theme = wanted;
    remember("theme", wanted === "system" ? null : wanted);
    apply();
  },
  /** What is on the screen now, whoever chose it. */
  get dark(): boolean {
    return theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  },
  get motion(): boolean {
    return motion;
  },
  set motion(wanted: boolean) {
    motion = wanted;
    remember("motion", wanted ? null : "off");
    apply();
  },
  get sound(): boolean {
    return sound;
  },
  set sound(wanted: boolean) {
    sound = wanted;
    setSound(wanted);
  },
  get tips(): boolean {
    return tips;
  },
  set tips(wanted: boolean) {
    tips = wanted;
    remember("tips", wanted ? null : "off");
  },
  /** Tips that were shown and put away, as "game/tip". */
  get seen(): ReadonlySet<string> {
    return seen;
  },
  see(tip: string): void {
    seen = new Set([...seen, tip]);
    remember("seen", [...seen].join(" "));
  },
  forgetTips(): void {
    seen = new Set();
    remember("seen", null);
    settings.tips = true;
  },
  /** The level and number of players last chosen for a game against bots. */
  usual(game: string): { players: number | null; level: number | null } {
    const [players, level] = (recall(`usual:${game}`) ?? "").split(" ").map((part) => Number(part) || null);
    return { players: players ?? null, level: level ?? null };
  },
  setUsual(game: string, players: number, level: number): void {
    remember(`usual:${game}`, `${players} ${level}`);
  },
};
