/**
 * Marks on the board what a move is made of: the control that makes it, and the pieces that are chosen first. A board
 * says both by itself (`data-move`, `data-pick`): a piece belongs to a move that names it.
 */
export function point(move: string): () => void {
  const named = new Set(move.split(/[^\w,+-]+/));
  const marked = [
    ...document.querySelectorAll<HTMLElement>(":is(.mat, .hand-tray) :is([data-move], [data-pick])"),
  ].filter(({ dataset }) => dataset["move"] === move || (dataset["pick"] && named.has(dataset["pick"])));
  for (const one of marked) one.dataset["pointed"] = "";
  return () => {
    for (const one of marked) delete one.dataset["pointed"];
  };
}
