/**
 * The inner size of a box, told when the browser has laid it out: to ask for it would make the browser lay out at once,
 * in the middle of a task that is long enough. `{@attach measured((w, h) => …)}`.
 */
type Tell = (width: number, height: number) => void;

const boxes = new WeakMap<Element, Tell>();
let watch: ResizeObserver | undefined;

export function measured(tell: Tell): (node: HTMLElement) => () => void {
  return (node) => {
    // One for all: whatever was laid out together is told together.
    watch ??= new ResizeObserver((seen) => {
      for (const { target } of seen) boxes.get(target)?.(target.clientWidth, target.clientHeight);
    });
    boxes.set(node, tell);
    watch.observe(node);
    return () => watch?.unobserve(node);
  };
}
