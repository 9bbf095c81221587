import type { Terminal } from "./terminal.ts";

/** A line at the bottom of the terminal with the current activity. The caller closes it. */
export interface ActivityLine {
  show(text: string): void;
  close(): void;
}

/**
 * Quick work shows no line, and a line is not redrawn more often than people can read.
 * Milliseconds.
 */
const intervals = { firstMs: 250, everyMs: 80 };

/**
 * Opens an activity line on standard error; it does nothing where standard error is not a terminal.
 */
export function openActivityLine(terminal: Pick<Terminal, "err" | "isWatched" | "columns" | "now">): ActivityLine {
  if (!terminal.isWatched) return { show: () => undefined, close: () => undefined };
  let next = terminal.now() + intervals.firstMs;
  let shown = "";
  return {
    show(text) {
      const now = terminal.now();
      // Another kind of work is shown at once, since the next update may take long.
      const isSameWork = text.split(":")[0] === shown.split(":")[0];
      if (now < next && (isSameWork || shown === "")) return;
      next = now + intervals.everyMs;
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
