/**
 * Work in small pieces. A move changes the board, the sentence, the list of moves, the log; done in one go that is one
 * long task on a slow phone, during which no tap is answered. The board comes first, the rest after the next frame.
 */

const waking: (() => void)[] = [];
const bell = new MessageChannel();
bell.port1.onmessage = () => waking.shift()?.();

/** The rest goes on in a task of its own: what has waited meanwhile (a tap) comes first. */
export function task(): Promise<void> {
  return new Promise((resolve) => {
    waking.push(resolve);
    bell.port2.postMessage(null);
  });
}

/** The job in a task of its own. */
export function apart(job: () => void): void {
  void task().then(job);
}

/** A page nobody looks at draws no frames, but its log goes on. */
const UNSEEN = 120;
/** Milliseconds: a device that takes longer to draw a frame gets one thing to draw in each, even of what is urgent. */
const SLOW = 8;

/** It is told whether the frame before it took long to draw. */
type Job = (slow: boolean) => void;

const jobs: Job[] = [];
const urgent: Job[] = [];
let waiting = false;

function next(): void {
  let done = false;
  let began = Infinity;
  const run = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    const slow = performance.now() - began > SLOW;
    const due = urgent.length > 0 ? urgent.splice(0, slow ? 1 : urgent.length) : jobs.splice(0, 1);
    waiting = urgent.length + jobs.length > 0;
    if (waiting) next();
    for (const job of due) job(slow);
  };
  const timer = setTimeout(run, UNSEEN);
  requestAnimationFrame(() => {
    began = performance.now();
    void task().then(run);
  });
}

/** When the next frame is drawn; whether that took long. */
export function frame(): Promise<boolean> {
  return new Promise(later);
}

function wait(): void {
  if (waiting) return;
  waiting = true;
  next();
}

/** Takes a job back, whose reason is gone; one that is done stays done. An effect returns it. */
type Cancel = () => void;

function put(queue: Job[], job: Job): Cancel {
  const own: Job = (slow) => job(slow); // the same job may wait twice
  queue.push(own);
  wait();
  return () => {
    const at = queue.indexOf(own);
    if (at >= 0) queue.splice(at, 1);
  };
}

/** After the next frame is drawn; several jobs in their order, a frame for each. */
export const later = (job: Job): Cancel => put(jobs, job);

/** After the next frame, before all that waits for a later one; what is urgent comes together where frames are quick. */
export const soon = (job: Job): Cancel => put(urgent, job);
