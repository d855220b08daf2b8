/** Short wooden sounds, synthesised: no files to load, nothing over 200 ms. Off means off; no sound carries meaning alone. */
import type { SoundName } from "./game.ts";
import { recall, remember } from "./memory.ts";
import { voices } from "./voices.ts";

let on = recall("sound") !== "off";
let context: AudioContext | null = null;

export function soundOn(): boolean {
  return on;
}

export function setSound(wanted: boolean): void {
  on = wanted;
  remember("sound", wanted ? null : "off");
}

/** Browsers allow sound only after a touch or a key: called from the first one. */
export function wake(): void {
  if (!on) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}

export function play(name: SoundName): void {
  if (!on || !context || context.state !== "running") return;
  voices[name](context, context.currentTime);
}
