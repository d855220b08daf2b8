/** What a screen reader is told, and the short notices on screen. */
let polite = $state("");
let notice = $state<{ text: string; kind: "info" | "no"; id: number } | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;
let count = 0;

const plainText = (text: string) => text.replace(/<\/?b>/g, "");

export const announcer = {
  get polite(): string {
    return polite;
  },
  get notice() {
    return notice;
  },
};

/** A repeated text is spoken again: it differs by an invisible space. */
export function announce(text: string): void {
  const words = plainText(text);
  polite = words === polite ? `${words}\u00a0` : words;
}

export function tell(text: string, kind: "info" | "no" = "info"): void {
  clearTimeout(timer);
  notice = { text, kind, id: ++count };
  timer = setTimeout(() => (notice = null), 2500 + 55 * text.length);
  announce(text);
}

/** A reason why not holds for the position it was given in. */
export function hushReason(): void {
  if (notice?.kind === "no") hush();
}

export function hush(): void {
  clearTimeout(timer);
  notice = null;
}
