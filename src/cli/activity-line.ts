import type { Terminal } from "./terminal.ts";

/** A line at the bottom of the terminal that says what is being done. Whoever opens it closes it. */
export interface ActivityLine {
  show(text: string): void;
  close(): void;
}

/** Nothing is drawn for quick work, and not more often than eyes follow. */
const pace = { firstMs: 250, everyMs: 80 };

/** An activity line on standard error; one that does nothing when no person watches. */
export function openActivityLine(terminal: Pick<Terminal, "err" | "isWatched" | "columns" | "now">): ActivityLine {
  if (!terminal.isWatched) return { show: () => undefined, close: () => undefined };
  let next = terminal.now() + pace.firstMs;
  let shown = "";
  return {
    show(text) {
      const now = terminal.now();
      // Another kind of work is told at once: the next word may be long in coming.
      const isSameWork = text.split(":")[0] === shown.split(":")[0];
      if (now < next && (isSameWork || shown === "")) return;
      next = now + pace.everyMs;
      shown = text;
      terminal.err(`\r${text.slice(0, terminal.columns - 1)}\u001b[K`);
    },
    close() {
      if (shown !== "") terminal.err("\r\u001b[K");
      shown = "";
      next = Number.POSITIVE_INFINITY;
    },
  };
}
