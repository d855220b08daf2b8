/**
 * A QR code for a link: byte mode, error correction M, versions 1 to 10 (up to 213 bytes), which no table's link
 * exceeds. Returns rows of dark modules without the quiet zone.
 */
const EC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
/** Data codewords of each block. */
const BLOCKS: number[][] = [
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
];
const ALIGN: number[][] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 128 ? 0x11d : 0);
}
const times = (a: number, b: number) => (a && b ? EXP[LOG[a]! + LOG[b]!]! : 0);

function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = new Array<number>(generator.length + 1).fill(0);
    generator.forEach((value, j) => {
      next[j]! ^= value;
      next[j + 1]! ^= times(value, EXP[i]!);
    });
    generator = next;
  }
  const rest = [...data, ...new Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!;
    if (lead) generator.forEach((value, j) => (rest[i + j]! ^= times(value, lead)));
  }
  return rest.slice(data.length);
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const blocks = BLOCKS[version - 1]!;
  const room = blocks.reduce((a, b) => a + b, 0);
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  let at = 0;
  const parts = blocks.map((size) => data.slice(at, (at += size)));
  const checks = parts.map((part) => correction(part, EC_PER_BLOCK[version - 1]!));
  const out: number[] = [];
  const longest = Math.max(...blocks);
  for (let i = 0; i < longest; i++) for (const part of parts) if (i < part.length) out.push(part[i]!);
  for (let i = 0; i < EC_PER_BLOCK[version - 1]!; i++) for (const check of checks) out.push(check[i]!);
  return out;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** How hard a pattern is to read: long runs, blocks, finder look-alikes, imbalance. */
function penalty(grid: boolean[][]): number {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  for (const across of [true, false]) {
    for (let a = 0; a < size; a++) {
      let run = 0;
      let line = "";
      for (let b = 0; b < size; b++) {
        const here = across ? grid[a]![b]! : grid[b]![a]!;
        line += here ? "1" : "0";
        run = b > 0 && line[b] === line[b - 1] ? run + 1 : 1;
        if (run === 5) sum += 3;
        else if (run > 5) sum++;
        if (across && here) dark++;
      }
      for (const look of ["10111010000", "00001011101"]) {
        for (let i = line.indexOf(look); i >= 0; i = line.indexOf(look, i + 1)) sum += 40;
      }
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const here = grid[y]![x];
      if (here === grid[y - 1]![x] && here === grid[y]![x - 1] && here === grid[y - 1]![x - 1]) sum += 3;
    }
  }
  return sum + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}

export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version =
    BLOCKS.findIndex((blocks, i) => {
      const room = blocks.reduce((a, b) => a + b, 0);
      return bytes.length + (i < 9 ? 2 : 3) <= room;
    }) + 1;
  if (version === 0) throw new Error("too long for a code");
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    grid[y]![x] = dark;
    fixed[y]![x] = true;
  };
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  const centres = ALIGN[version - 1]!;
  for (const cy of centres) {
    for (const cx of centres) {
      if (fixed[cy]![cx] && !(cx === 6 || cy === 6)) continue;
      if ((cx === 6 && (cy === 6 || cy === size - 7)) || (cy === 6 && cx === size - 7)) continue;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
  const format = (mask: number) => {
    const data = mask; // correction level M is 00
    let rest = data << 10;
    for (let i = 14; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (i: number) => ((bits >> i) & 1) === 1;
    for (let i = 0; i <= 5; i++) set(8, i, bit(i));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i));
    set(8, size - 8, true);
  };
  format(0);
  if (version >= 7) {
    let rest = version << 12;
    for (let i = 17; i >= 12; i--) if ((rest >> i) & 1) rest ^= 0x1f25 << (i - 12);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(size - 11 + (i % 3), Math.floor(i / 3), dark);
      set(Math.floor(i / 3), size - 11 + (i % 3), dark);
    }
  }
  const stream = codewords(bytes, version);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const upward = ((right + 1) & 2) === 0;
        const y = upward ? size - 1 - step : step;
        if (fixed[y]![x]) continue;
        grid[y]![x] = at < stream.length * 8 && ((stream[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
        at++;
      }
    }
  }
  let best: boolean[][] = grid;
  let least = Infinity;
  masks.forEach((mask, number) => {
    format(number);
    const tried = grid.map((row, y) => row.map((dark, x) => (fixed[y]![x] ? dark : dark !== mask(x, y))));
    const cost = penalty(tried);
    if (cost < least) [least, best] = [cost, tried];
  });
  return best;
}
