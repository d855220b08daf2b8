/**
 * What lies over a page (sheets, menus, questions), and goes first when the reader goes back. One entry of the history
 * stands for all of it: a browser's own watcher of such wishes is Android's alone, and not every browser has it there.
 */
const open: (() => void)[] = [];
/** On the way back to the page's own entry, for nobody but us. */
let returning = false;

export const covered = () => (history.state as { layer?: boolean } | null)?.layer === true;
export const uncovering = () => returning;

/** After all that happens at once: one layer may have made way for another. */
function settle(): void {
  if (returning) return;
  if (open.length && !covered()) history.pushState({ layer: true }, "");
  else if (!open.length && covered()) {
    returning = true;
    history.back();
  }
}

addEventListener("popstate", () => {
  if (!returning && !covered()) open.at(-1)?.();
  returning = false;
  queueMicrotask(settle);
});

/** Something lies over the page until what this gives back is called; `close` is what going back does to it. */
export function layer(close: () => void): () => void {
  open.push(close);
  queueMicrotask(settle);
  return () => {
    open.splice(open.indexOf(close), 1);
    queueMicrotask(settle);
  };
}
