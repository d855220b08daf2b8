/** Shuffle, version 1 (notation.md), written again in TypeScript: what the browser checks the server with. */
import { ascii, hmac } from "./sha256.ts";

/** Big-endian 32-bit words, eight from each HMAC-SHA-256(seed, `foxrow/1/<round>/<counter>`). */
function* words(seed: Uint8Array, round: number): Generator<number, never> {
  for (let counter = 0; ; counter++) {
    const block = new DataView(hmac(seed, ascii(`foxrow/1/${round}/${counter}`)).buffer);
    for (let i = 0; i < 8; i++) yield block.getUint32(4 * i);
  }
}

/** The order in which the game deals: indices into the canonical deck. */
export function shuffledOrder(seed: Uint8Array, round: number, size: number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  const source = words(seed, round);
  for (let i = size - 1; i > 0; i--) {
    const n = i + 1;
    const limit = Math.floor(2 ** 32 / n) * n;
    let word = source.next().value;
    while (word >= limit) word = source.next().value;
    const j = word % n;
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
