/**
 * A page that comes in pieces: drawn in one go it is one long task on a slow phone, during which no tap is answered.
 * `const stages = new Stages(3)` counts from 0 to 3, one in each task with a frame now and then, and the page draws as much as was counted. A
 * table is laid behind a veil, so that nothing moves before the reader's eyes, and unveiled in two steps: `bare` shows
 * the hand and the middle, `whole` the rest.
 */
import { frame, later, task } from "./pace.ts";

/** Milliseconds of work between two frames; a device that takes long to draw one gets one piece for each. */
const SPELL = 4;

export class Stages {
  at = $state(0);
  bare = $state(false);
  whole = $state(false);

  constructor(count: number) {
    void this.#go(count);
  }

  async #go(count: number): Promise<void> {
    let began = performance.now();
    let slow = false;
    while (this.at < count) {
      await task();
      // What has come is drawn before it is too much for one frame; the first piece shows how quick the device is.
      if (slow || this.at === 1 || performance.now() - began > SPELL) {
        slow = await frame();
        began = performance.now();
      }
      this.at++;
    }
    // Painted after the next frame each: to paint a whole table is a long task, too.
    later(() => (this.bare = true));
    later(() => (this.whole = true));
  }
}
