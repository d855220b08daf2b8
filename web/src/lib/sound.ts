/** Short wooden sounds, synthesised: no files to load, nothing over 200 ms. Off means off; no sound carries meaning alone. */
import type { SoundName } from "./game.ts";
import { recall, remember } from "./memory.ts";

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

function knock(audio: AudioContext, at: number, pitch: number, length: number, gain: number): void {
  const body = audio.createOscillator();
  const shape = audio.createGain();
  body.type = "triangle";
  body.frequency.setValueAtTime(pitch, at);
  body.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + length);
  shape.gain.setValueAtTime(0.0001, at);
  shape.gain.exponentialRampToValueAtTime(gain, at + 0.004);
  shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
  body.connect(shape).connect(audio.destination);
  body.start(at);
  body.stop(at + length);
}

function rustle(audio: AudioContext, at: number, pitch: number, length: number, gain: number): void {
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames);
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  const shape = audio.createGain();
  band.type = "bandpass";
  band.frequency.value = pitch;
  shape.gain.value = gain;
  source.buffer = buffer;
  source.connect(band).connect(shape).connect(audio.destination);
  source.start(at);
}

const voices: Record<SoundName, (audio: AudioContext, at: number) => void> = {
  card: (a, t) => (rustle(a, t, 2400, 0.05, 0.25), knock(a, t + 0.01, 190, 0.09, 0.22)),
  flip: (a, t) => rustle(a, t, 3600, 0.08, 0.25),
  tile: (a, t) => (knock(a, t, 620, 0.07, 0.25), knock(a, t, 240, 0.09, 0.15)),
  draw: (a, t) => rustle(a, t, 1800, 0.11, 0.25),
  turn: (a, t) => (knock(a, t, 523, 0.09, 0.16), knock(a, t + 0.09, 698, 0.1, 0.16)),
  hit: (a, t) => (knock(a, t, 150, 0.16, 0.3), rustle(a, t, 900, 0.07, 0.2)),
  jackpot: (a, t) => [587, 740, 880].forEach((f, i) => knock(a, t + i * 0.06, f, 0.08, 0.18)),
  close: (a, t) => (rustle(a, t, 2000, 0.1, 0.2), knock(a, t + 0.08, 330, 0.1, 0.2)),
  win: (a, t) => [523, 659, 784].forEach((f, i) => knock(a, t + i * 0.055, f, 0.09, 0.2)),
  no: (a, t) => knock(a, t, 130, 0.08, 0.18),
};

export function play(name: SoundName): void {
  if (!on || !context || context.state !== "running") return;
  voices[name](context, context.currentTime);
}
