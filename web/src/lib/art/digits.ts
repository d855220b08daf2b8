/** Drawn numerals: round strokes in a box 30 high, so that a card looks the same on every machine. */
export interface Glyph {
  width: number;
  path: string;
}

export const glyphs: Record<string, Glyph> = {
  0: { width: 20, path: "M10 3C14.6 3 17 7.6 17 15S14.6 27 10 27 3 22.4 3 15 5.4 3 10 3Z" },
  1: { width: 14, path: "M3.4 8.6L9.6 3V27" },
  2: { width: 20, path: "M3.4 9.2C3.4 5.4 6.2 3 10 3S16.6 5.4 16.6 9C16.6 12 14.6 14.4 12 17L3.2 27H17" },
  3: {
    width: 20,
    path: "M3.8 3H16L9.6 11.8C14 11.8 17 15 17 19.3 17 23.8 14 27 9.7 27 6.6 27 4.2 25.5 3 23",
  },
  4: { width: 20, path: "M13.2 27V3L2.8 20.2H17.6" },
  5: {
    width: 20,
    path: "M15.8 3H5.2L4.2 13.4C5.6 12.1 7.5 11.4 9.7 11.4 14 11.4 17 14.6 17 19.1 17 23.7 13.9 27 9.6 27 6.8 27 4.5 25.8 3.1 23.6",
  },
  6: {
    width: 20,
    path: "M12.6 3C7 7 3 12.6 3 19 3 23.7 6 27 10 27S17 23.7 17 19.3 14 11.8 10.2 11.8C7 11.8 4.4 13.8 3.4 16.8",
  },
  7: { width: 20, path: "M3 3H17L8.2 27" },
  8: {
    width: 20,
    path: "M10 13.9C6.7 13.9 4.2 11.7 4.2 8.4S6.7 3 10 3 15.8 5.2 15.8 8.4 13.3 13.9 10 13.9ZM10 13.9C6 13.9 3 16.6 3 20.4S6 27 10 27 17 24.2 17 20.4 14 13.9 10 13.9Z",
  },
  9: {
    width: 20,
    path: "M7.4 27C13 23 17 17.4 17 11 17 6.3 14 3 10 3S3 6.3 3 10.7 6 18.2 9.8 18.2C13 18.2 15.6 16.2 16.6 13.2",
  },
  X: { width: 20, path: "M3.4 3L16.6 27M16.6 3L3.4 27" },
  "+": { width: 18, path: "M9 8.5V21.5M2.5 15H15.5" },
};

/** The glyphs of a text side by side: each with its left edge, and the width of all. */
export function numeral(text: string): { parts: { x: number; path: string }[]; width: number } {
  const parts: { x: number; path: string }[] = [];
  let x = 0;
  for (const letter of text) {
    const glyph = glyphs[letter];
    if (!glyph) continue;
    parts.push({ x, path: glyph.path });
    x += glyph.width - 0.6;
  }
  return { parts, width: x };
}
