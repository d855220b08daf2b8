/**
 * One table's socket: says hello with the last `seq` seen, comes back by itself after a cut, and sends unanswered
 * requests again with the same `ref`, so that each happens at most once. Knows nothing of Svelte or of games.
 */
import { PROTOCOL, type AnyFrame, type AnyRequest, type Refused } from "./protocol.ts";

export type Connection = "connecting" | "open" | "lost" | "closed";

type WithoutRef<T> = T extends unknown ? Omit<T, "ref"> : never;
export type Ask = WithoutRef<Exclude<AnyRequest, { type: "hello" }>>;

export interface SocketHooks {
  frame(frame: AnyFrame): void;
  state(state: Connection): void;
  /** The server will not have us: the close code says why (docs/protocol.md). */
  ended(code: number): void;
  /** The last `seq` that was taken in. */
  since(): number;
}

/** Close codes after which trying again is no use. */
const FINAL = new Set([4004, 4006, 4007, 4008]);
const WAITS = [500, 1000, 2000, 4000, 8000, 15000];
/** A socket that hears nothing for this long is asked, and dropped if it stays silent as long again. */
const QUIET = 20000;
/** How long the server may take to answer when the browser says that the network is gone. */
const DOUBT = 3000;

interface Waiting {
  request: AnyRequest & { ref: string };
  resolve: () => void;
  reject: (why: Refused) => void;
}

export class TableSocket {
  #url: string;
  #hooks: SocketHooks;
  #make: (url: string) => WebSocket;
  #socket: WebSocket | null = null;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #waiting = new Map<string, Waiting>();
  #greeted = false;
  #count = 0;
  #session: string;

  constructor(
    url: string,
    hooks: SocketHooks,
    make: (url: string) => WebSocket = (address) => new WebSocket(address),
  ) {
    this.#url = url;
    this.#hooks = hooks;
    this.#make = make;
    this.#session = Math.random().toString(36).slice(2, 10) + Date.now().toString(36);
  }

  open(): void {
    this.#connect("connecting");
  }

  /** Gives up for good: the page is left. */
  close(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
    this.#hooks.state("closed");
  }

  /** Leaves this socket for a new one at once: the cookie it was opened with has changed. */
  reopen(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    const old = this.#socket;
    this.#connect("connecting");
    old?.close(1000);
  }

  /** Tries at once instead of waiting (the network is back, the page is looked at again). */
  hurry(): void {
    if (this.#socket?.readyState === 1 || this.#socket?.readyState === 0) return;
    clearTimeout(this.#retry);
    this.#connect("lost");
  }

  /** The browser says that the network is gone: the server is asked at once, and the line given up if it stays silent. */
  doubt(): void {
    if (this.#greeted) this.#listen(0, DOUBT);
  }

  /** Sends a request, now or when the socket is back. Rejects with the refusal. */
  ask(request: Ask): Promise<void> {
    const ref = `${this.#session}-${++this.#count}`;
    const whole = { ...request, ref } as AnyRequest & { ref: string };
    return new Promise((resolve, reject) => {
      this.#waiting.set(ref, { request: whole, resolve, reject });
      if (this.#greeted) this.#send(whole);
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  #send(request: AnyRequest): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(request));
  }

  #connect(state: Connection): void {
    this.#greeted = false;
    this.#hooks.state(state);
    const socket = this.#make(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#send({ type: "hello", protocol: PROTOCOL, since: this.#hooks.since() });
      this.#listen();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return;
      this.#listen();
      this.#take(JSON.parse(event.data) as AnyFrame);
    };
    socket.onclose = (event: CloseEvent) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
  }

  #take(frame: AnyFrame): void {
    if (frame.type === "welcome") {
      this.#tries = 0;
      this.#hooks.frame(frame);
      this.#greeted = true;
      this.#hooks.state("open");
      for (const waiting of this.#waiting.values()) this.#send(waiting.request);
      return;
    }
    // The view is there before the promise resolves: who awaits a move sees the new position.
    this.#hooks.frame(frame);
    const ref = "ref" in frame ? frame.ref : undefined;
    const waiting = ref ? this.#waiting.get(ref) : undefined;
    if (!ref || !waiting) return;
    this.#waiting.delete(ref);
    if (frame.type === "refused") waiting.reject(frame);
    else waiting.resolve();
  }

  #listen(quiet = QUIET, patience = QUIET / 2): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#send({ type: "ping" });
      this.#watch = setTimeout(() => {
        const silent = this.#socket;
        this.#lost(1006);
        silent?.close();
      }, patience);
    }, quiet);
  }

  #lost(code: number): void {
    clearTimeout(this.#watch);
    this.#socket = null;
    this.#greeted = false;
    if (FINAL.has(code)) {
      this.#hooks.state("closed");
      this.#hooks.ended(code);
      return;
    }
    this.#hooks.state("lost");
    const wait = code === 1012 ? WAITS[0]! / 2 : WAITS[Math.min(this.#tries, WAITS.length - 1)]!;
    this.#tries++;
    this.#retry = setTimeout(() => this.#connect("lost"), wait);
  }
}
