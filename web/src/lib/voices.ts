/** What each sound is made of: knocks on wood and rustles of paper, put into any audio context from a moment on. */
import type { SoundName } from "./game.ts";

type Voice = (audio: BaseAudioContext, at: number) => void;

/** Seconds in which a sound comes up from nothing: shorter, and the jump itself is heard as a click. */
const RISE = 0.004;
/** As good as nothing: where an exponential curve can begin and end. */
const NOTHING = 0.0001;

/** A wooden body that is struck: its tone falls to this share of its pitch as it dies. */
function knock(
  audio: BaseAudioContext,
  at: number,
  pitch: number,
  length: number,
  gain: number,
  fall = 0.6,
): void {
  const body = audio.createOscillator();
  const shape = audio.createGain();
  body.type = "triangle";
  body.frequency.setValueAtTime(pitch, at);
  body.frequency.exponentialRampToValueAtTime(pitch * fall, at + length);
  shape.gain.setValueAtTime(NOTHING, at);
  shape.gain.exponentialRampToValueAtTime(gain, at + RISE);
  shape.gain.exponentialRampToValueAtTime(NOTHING, at + length);
  body.connect(shape).connect(audio.destination);
  body.start(at);
  body.stop(at + length);
}

/** A bar of a marimba: it keeps its pitch, and the stroke adds the bar's own overtone, two octaves above. */
function note(audio: BaseAudioContext, at: number, pitch: number, length: number, gain: number): void {
  knock(audio, at, pitch, length, gain, 0.98);
  knock(audio, at, pitch * 4, length / 3, gain / 5, 0.98);
}

/** Paper: noise around a pitch, that comes up within `rise` and dies away. */
function rustle(
  audio: BaseAudioContext,
  at: number,
  pitch: number,
  length: number,
  gain: number,
  rise = RISE,
): void {
  const frames = Math.ceil(audio.sampleRate * length);
  const up = rise * audio.sampleRate;
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++)
    data[i] = (Math.random() * 2 - 1) * (i < up ? i / up : (frames - i) / (frames - up));
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

/** None is lower than what a phone's speaker can make, none much louder than another, and no two run alike. */
export const voices: Record<SoundName, Voice> = {
  // laid: paper, then the table
  card: (a, t) => (rustle(a, t, 2400, 0.05, 0.22), knock(a, t + 0.012, 240, 0.1, 0.3)),
  // turned over on the way: up, and down
  flip: (a, t) => (rustle(a, t, 4200, 0.04, 0.2), rustle(a, t + 0.07, 2600, 0.06, 0.24)),
  tile: (a, t) => (knock(a, t, 620, 0.07, 0.25), knock(a, t, 300, 0.09, 0.15)),
  // slid out of a row
  draw: (a, t) => rustle(a, t, 1500, 0.15, 0.26, 0.06),
  turn: (a, t) => (note(a, t, 523, 0.09, 0.18), note(a, t + 0.09, 698, 0.1, 0.18)),
  // a soft pounce
  hit: (a, t) => (knock(a, t, 220, 0.18, 0.42, 0.5), rustle(a, t, 700, 0.09, 0.3)),
  jackpot: (a, t) => [587, 740, 880].forEach((f, i) => note(a, t + i * 0.06, f, 0.075, 0.2)),
  // gathered, and set down
  close: (a, t) => (rustle(a, t, 2000, 0.1, 0.2, 0.05), knock(a, t + 0.09, 330, 0.1, 0.28)),
  // up, into a chord
  win: (a, t) => (
    note(a, t, 392, 0.08, 0.18),
    [523, 659, 784].forEach((f) => note(a, t + 0.07, f, 0.125, 0.12))
  ),
  // twice on the same wood
  no: (a, t) => [0, 0.085].forEach((later) => knock(a, t + later, 290, 0.08, 0.36)),
};
