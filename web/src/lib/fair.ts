/** Checks a finished match's shuffle: every promise against what was revealed, and the cards against the seed. */
import { ascii, hex, join, sha256, unhex } from "./sha256.ts";
import { shuffledOrder } from "./shuffle.ts";

/** The `fair` part of a match record (docs/protocol.md, "The fair shuffle"). */
export interface FairProof {
  server: { commit: string; seed: string };
  seats: ({ commit: string; seed: string } | null)[];
}

export interface Check {
  what: "server" | "seat" | "seed" | "own" | "deal";
  seat?: number;
  round?: number;
  ok: boolean;
}

export interface MatchRecord {
  game: string;
  players: string[];
  options: Record<string, unknown>;
  seed?: string;
  rounds: { first: number; moves: string[] }[];
  fair?: unknown;
}

const zeros = new Uint8Array(32);

/** Reads the proof as the server writes it; null when the record has none (imported, or played without). */
export function readProof(record: MatchRecord): FairProof | null {
  const raw = record.fair as Record<string, unknown> | undefined | null;
  if (!raw) return null;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const pair = (value: unknown) => {
    const one = value as Record<string, unknown> | null;
    return one && one["seed"] ? { commit: text(one["commit"]), seed: text(one["seed"]) } : null;
  };
  const server = pair(raw["server"]);
  const seats = raw["seats"];
  if (!server || !Array.isArray(seats)) return null;
  return { server, seats: seats.map(pair) };
}

export function dealSeed(proof: FairProof): string {
  const parts = proof.seats.map((seat) => (seat ? unhex(seat.seed) : zeros));
  return hex(sha256(join(ascii("foxrow-seed/1"), unhex(proof.server.seed), ...parts)));
}

/**
 * `promise` is what this browser wrote down while the table was shuffling: the server's commitment, and its own seeds
 * by seat; without it (another device, long ago) that check is left out.
 */
export function checkFair(
  record: MatchRecord,
  proof: FairProof,
  promise: { server: string; seeds: Record<string, string> } | null,
): Check[] {
  const keeps = (pair: { commit: string; seed: string }) => {
    try {
      return hex(sha256(unhex(pair.seed))) === pair.commit;
    } catch {
      return false;
    }
  };
  const checks: Check[] = [{ what: "server", ok: keeps(proof.server) }];
  proof.seats.forEach((pair, seat) => {
    if (pair) checks.push({ what: "seat", seat, ok: keeps(pair) });
  });
  if (promise) {
    const own = Object.entries(promise.seeds).every(
      ([seat, seed]) => proof.seats[Number(seat)]?.seed === seed,
    );
    checks.push({ what: "own", ok: own && promise.server === proof.server.commit });
  }
  let seed = "";
  try {
    seed = dealSeed(proof);
  } catch {
    /* malformed hex: the seed cannot be right */
  }
  checks.push({ what: "seed", ok: seed !== "" && seed === record.seed });
  return checks;
}

/** The texts of a deck in the order the seed deals them. */
export function dealtOrder(seed: string, round: number, deck: readonly string[]): string[] {
  return shuffledOrder(unhex(seed), round, deck.length).map((i) => deck[i]!);
}
