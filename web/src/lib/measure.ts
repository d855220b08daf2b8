/**
 * The inner size of a box, told when the browser has laid it out: to ask for it would make the browser lay out at once,
 * in the middle of a task that is long enough. `{@attach measured((w, h) => …)}`. It is told in a task of its own: a
 * table comes behind a veil, and to lay it out twice before it is painted once takes long.
 */
import { task } from "./pace.ts";

type Tell = (width: number, height: number) => void;

const boxes = new WeakMap<Element, Tell>();
let watch: ResizeObserver | undefined;

export function measured(tell: Tell): (node: HTMLElement) => () => void {
  return (node) => {
    // One for all.
    watch ??= new ResizeObserver((seen) => {
      for (const { target } of seen) {
        const [width, height] = [target.clientWidth, target.clientHeight];
        void task().then(() => boxes.get(target)?.(width, height));
      }
    });
    boxes.set(node, tell);
    watch.observe(node);
    return () => {
      boxes.delete(node);
      watch?.unobserve(node);
    };
  };
}
