/**
 * `after`, made of the parts of `before` wherever they are equal: a new view shares with the old one everything that
 * the move did not touch, so whoever draws a part can tell by identity that there is nothing to draw. Plain JSON only.
 */
export function keep<T>(before: unknown, after: T): T {
  if (before === after || typeof before !== "object" || typeof after !== "object" || !before || !after)
    return after;
  if (Array.isArray(after)) {
    if (!Array.isArray(before)) return after;
    const out = after.map((one: unknown, i) => keep<unknown>(before[i], one));
    return (out.length === before.length && out.every((one, i) => one === before[i]) ? before : out) as T;
  }
  if (Array.isArray(before)) return after;
  const old = before as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  let same = Object.keys(old).length === Object.keys(after).length;
  for (const [key, value] of Object.entries(after)) {
    out[key] = keep(old[key], value);
    same &&= key in old && out[key] === old[key];
  }
  return (same ? before : out) as T;
}
