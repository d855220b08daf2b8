/** Small things this browser remembers (language, theme, seen tips), or this tab while it is open. Private windows may
 * forbid it: then nothing is kept. */
const prefix = "foxrow:";
const stores = { browser: () => localStorage, tab: () => sessionStorage };
type Where = keyof typeof stores;

export function recall(key: string, where: Where = "browser"): string | null {
  try {
    return stores[where]().getItem(prefix + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null, where: Where = "browser"): void {
  try {
    if (value === null) stores[where]().removeItem(prefix + key);
    else stores[where]().setItem(prefix + key, value);
  } catch {
    /* nothing to do: the choice holds until the page is closed */
  }
}
