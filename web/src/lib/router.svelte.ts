/** Pages by path, relative to the document's base, so that the client works under any sub-path. */
import { covered, uncovering } from "./layers.ts";

const base = new URL(document.baseURI);

function here(): string {
  const path = decodeURI(location.pathname);
  return path.startsWith(base.pathname) ? path.slice(base.pathname.length) : "";
}

let path = $state(here());
let query = $state(new URLSearchParams(location.search));

export const route = {
  /** "" is the home page; no slash in front. */
  get path(): string {
    return path;
  },
  get query(): URLSearchParams {
    return query;
  },
};

/** A link's address. */
export function href(to: string): string {
  return new URL(to || ".", base).href;
}

function update(): void {
  path = here();
  query = new URLSearchParams(location.search);
}

export function go(to: string, options: { replace?: boolean } = {}): void {
  const address = href(to);
  if (address === location.href) return;
  // What lies over this page goes with it, and its entry: going back from there leads here at once.
  if (uncovering()) return addEventListener("popstate", () => go(to, options), { once: true });
  if (options.replace || covered()) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  update();
  scrollTo(0, 0);
}

/** Changes the address without leaving the page (a step of a review). */
export function note(to: string): void {
  history.replaceState(history.state, "", href(to));
}

export function startRouter(): void {
  addEventListener("popstate", update);
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest?.("a[href]") as HTMLAnchorElement | null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(base.pathname)) return;
    const to = link.pathname.slice(base.pathname.length) + link.search;
    if (to.startsWith("api/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(to);
  });
}
