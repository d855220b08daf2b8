/** Small things this browser remembers (language, theme, seen tips). Private windows may forbid it: then nothing is kept. */
const prefix = "foxrow:";

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
  } catch {
    /* nothing to do: the choice holds until the page is closed */
  }
}
