/** What lies on a LINX table, read from a view. It shows and previews; what is legal comes from the server alone. */
import type { GameView, Hidden } from "$lib/game.ts";

export type Kind = "R" | "P" | "S";
export const kinds: readonly Kind[] = ["R", "P", "S"];
export type At = readonly [number, number];

export interface Tile {
  at: At;
  /** Null: the colour that nobody plays. */
  owner: number | null;
  tile: Kind;
  down: boolean;
}

export interface LinxView extends GameView {
  /** A covering tile stands after the one it covers. */
  board: Tile[];
  hands: (Kind[] | Hidden<Kind>)[];
  piles: (Kind[] | Hidden<Kind>)[];
  /** Columns, and rows, that the tiles may take. */
  limit: number;
  passes: number;
  /** Per seat: tiles that are not on the board. */
  remaining: Record<Kind, number>[];
  /** Rounds won, where a set-up says so. */
  points?: number[];
  line: At[] | null;
}

export const size = (list: Hidden<Kind> | readonly Kind[]): number => ("n" in list ? list.n : list.length);
export const openHand = (view: LinxView, seat: number): Kind[] | null => {
  const hand = view.hands[seat]!;
  return Array.isArray(hand) ? hand : null;
};
export const sorted = (hand: readonly Kind[]): Kind[] =>
  [...hand].sort((a, b) => kinds.indexOf(a) - kinds.indexOf(b));
/** The tiles of a hand that everybody knows. */
export const shown = (view: LinxView, seat: number): Kind[] => {
  const hand = view.hands[seat]!;
  return sorted(Array.isArray(hand) ? hand : (hand.known ?? []));
};

/** Rock beats scissors, scissors beat paper, paper beats rock (X7). */
export const beaten: Record<Kind, Kind> = { R: "S", S: "P", P: "R" };
export const beater: Record<Kind, Kind> = { S: "R", P: "S", R: "P" };

/** Seat's colour and emblem; the colour that nobody plays is the fourth. */
export const look = (owner: number | null): number => (owner === null ? 4 : owner + 1);

export interface Move {
  kind: Kind;
  down: boolean;
  at: At;
}

export function readMove(text: string): Move | null {
  const found = /^([RPS])([@#])(-?\d+),(-?\d+)$/.exec(text);
  return found
    ? { kind: found[1] as Kind, down: found[2] === "#", at: [Number(found[3]), Number(found[4])] }
    : null;
}

export const key = (at: At): string => `${at[0]},${at[1]}`;

export interface Spot {
  top: Tile;
  under: Tile | null;
}

export function spots(board: readonly Tile[]): Map<string, Spot> {
  const out = new Map<string, Spot>();
  for (const tile of board) out.set(key(tile.at), { top: tile, under: out.get(key(tile.at))?.top ?? null });
  return out;
}

export interface Box {
  x0: number;
  y0: number;
  w: number;
  h: number;
}

/** The smallest rectangle around all tiles; null on an empty board. */
export function boxOf(places: readonly At[]): Box | null {
  if (places.length === 0) return null;
  const xs = places.map((at) => at[0]);
  const ys = places.map((at) => at[1]);
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  return { x0, y0, w: Math.max(...xs) - x0 + 1, h: Math.max(...ys) - y0 + 1 };
}

export function grown(box: Box | null, at: At): Box {
  if (!box) return { x0: at[0], y0: at[1], w: 1, h: 1 };
  return boxOf([[box.x0, box.y0], [box.x0 + box.w - 1, box.y0 + box.h - 1], at])!;
}

export const fits = (box: Box | null, at: At, limit: number): boolean => {
  const next = grown(box, at);
  return next.w <= limit && next.h <= limit;
};

/**
 * The cells to draw: the box, and around it as far as the tiles may still grow, at most so many a side. The next ring is
 * always there: all places where a tile may go lie in it.
 */
export function field(box: Box | null, limit: number, most: { w: number; h: number }): Box {
  const from = box ?? { x0: 0, y0: 0, w: 1, h: 1 };
  const extra = (side: number, most: number) =>
    Math.min(limit - side, Math.max(1, Math.floor((most - side) / 2)));
  const [ex, ey] = [extra(from.w, most.w), extra(from.h, most.h)];
  return { x0: from.x0 - ex, y0: from.y0 - ey, w: from.w + 2 * ex, h: from.h + 2 * ey };
}

const around: readonly At[] = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))
  .filter(([x, y]) => x || y);
export const touches = (all: ReadonlyMap<string, Spot>, at: At): boolean =>
  around.some(([x, y]) => all.has(key([at[0] + x, at[1] + y])));

const ways: readonly At[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/** Whether a tile of this seat on top here, face up or down, would complete three in a row (X9). */
export function completes(all: ReadonlyMap<string, Spot>, at: At, seat: number, down: boolean): boolean {
  const mine = (x: number, y: number): boolean => {
    const top = all.get(key([x, y]))?.top;
    return top !== undefined && top.owner === seat && top.down === down;
  };
  return ways.some(([dx, dy]) =>
    [-2, -1, 0].some((start) =>
      [0, 1, 2].every((i) => {
        const step = start + i;
        return step === 0 || mine(at[0] + dx * step, at[1] + dy * step);
      }),
    ),
  );
}

/** Seats that play against this one. */
export function rivals(view: LinxView, seat: number): number[] {
  const all = Array.from({ length: view.players }, (_, i) => i).filter((one) => one !== seat);
  return view.options["teams"] ? all.filter((one) => one % 2 !== seat % 2) : all;
}

/** Where a seat could win with its next tile, as far as everybody can tell. */
export function threats(view: LinxView, seat: number): At[] {
  if (view.over || size(view.hands[seat]!) === 0) return [];
  const all = spots(view.board);
  const box = boxOf(view.board.map((tile) => tile.at));
  if (!box) return [];
  const out: At[] = [];
  for (let x = box.x0 - 1; x <= box.x0 + box.w; x++) {
    for (let y = box.y0 - 1; y <= box.y0 + box.h; y++) {
      const at: At = [x, y];
      const spot = all.get(key(at));
      if (!spot) {
        if (fits(box, at, view.limit) && touches(all, at) && completes(all, at, seat, false)) out.push(at);
      } else if (!spot.top.down && completes(all, at, seat, true)) {
        const need = beater[spot.top.tile];
        const open = openHand(view, seat);
        if (open ? open.includes(need) : (view.remaining[seat]?.[need] ?? 0) > 0) out.push(at);
      }
    }
  }
  return out;
}

/** Opponents in turn order after a seat. */
export function after(players: number, seat: number): number[] {
  return Array.from({ length: players - 1 }, (_, i) => (seat + 1 + i) % players);
}
