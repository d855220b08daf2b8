/**
 * A table that changes in parts. A move touches rows, hand, words and buttons; all in one task is a long one on a slow
 * phone. `const near = follow(() => view, task)`: `near.now` is the view, one task later; what follows `near` in turn
 * comes yet another later. Who is overtaken by the next move goes straight to that.
 */
import { untrack } from "svelte";

export interface Follower<T> {
  readonly now: T;
}

export function follow<T>(lead: () => T, wait: (job: () => void) => void): Follower<T> {
  let now = $state.raw(untrack(lead));
  $effect(() => {
    const next = lead();
    if (next === untrack(() => now)) return;
    wait(() => {
      if (next === lead()) now = next;
    });
  });
  return {
    get now() {
      return now;
    },
  };
}
