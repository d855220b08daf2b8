/**
 * Marks on the board what a move is made of: the control that makes it, and the pieces that are chosen first. A board
 * says both by itself (`data-move`, `data-pick`): a piece belongs to a move that names it. A board comes and changes
 * piece by piece, so what comes later is marked as well.
 */
const PARTS = ":is(.mat, .hand-tray) :is([data-move], [data-pick])";

export function point(move: string): () => void {
  const named = new Set(move.split(/[^\w,+-]+/));
  const belongs = ({ dataset }: HTMLElement) =>
    dataset["move"] === move || (dataset["pick"] !== undefined && named.has(dataset["pick"]));
  const unmark = (stays: (one: HTMLElement) => boolean) => {
    for (const one of document.querySelectorAll<HTMLElement>("[data-pointed]"))
      if (!stays(one)) delete one.dataset["pointed"];
  };
  const mark = () => {
    unmark(belongs);
    for (const one of document.querySelectorAll<HTMLElement>(PARTS))
      if (belongs(one)) one.dataset["pointed"] = "";
  };
  mark();
  const changes = new MutationObserver(mark);
  changes.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["data-move", "data-pick"],
  });
  return () => {
    changes.disconnect();
    unmark(() => false);
  };
}
