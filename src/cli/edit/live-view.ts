import { type ClippedRow, clipRow } from "../terminal/clip-row.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * A few rows at the bottom of the terminal that are redrawn while a task runs. The caller closes
 * it.
 */
export interface LiveView {
  /**
   * Replaces the rows. `height` is the room for them; of more rows the last are shown. Rows that
   * follow others quickly are delayed, and dropped if more rows follow, unless `isLasting`: then
   * they are drawn at once.
   */
  show(rows: (height: number) => readonly string[], options?: { readonly isLasting: boolean }): void;
  /** Removes all rows. */
  close(): void;
}

/** The least milliseconds between two drawings. */
const everyMs = 80;

/** Rows of the terminal that keep their earlier contents. */
const spareRows = 4;

/**
 * Drawing takes at most one part in so many of the time: rows that take long to draw are drawn less
 * often.
 */
const share = 5;

/**
 * Opens a live view on standard error; it does nothing where standard error is not a terminal.
 *
 * Only changed rows are drawn, each over the old one and in a single write, so that nothing
 * flickers.
 */
export function openLiveView(terminal: Pick<Terminal, "err" | "isWatched" | "columns" | "rows" | "now">): LiveView {
  if (!terminal.isWatched) return { show: () => undefined, close: () => undefined };
  let drawn: readonly ClippedRow[] = [];
  let columns = terminal.columns;
  let next = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | undefined;
  let isClosed = false;
  /**
   * The control sequence that moves to the first drawn row. A terminal that became narrower wraps
   * rows that are too wide now.
   */
  const moveToFirstRow = () => {
    const height = drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / terminal.columns)), 0);
    return height === 0 ? "" : `\r\u001b[${height}A`;
  };
  const draw = (rows: (height: number) => readonly string[]) => {
    const started = terminal.now();
    const height = Math.max(1, terminal.rows - spareRows);
    const shown = rows(height)
      .slice(-height)
      .map((row) => clipRow(row, terminal.columns - 1));
    const isSame = columns === terminal.columns;
    const texts = shown.map(({ text }, i) => {
      if (isSame && drawn[i]?.text === text) return "\n";
      return isSame && i < drawn.length ? `${text}${eraseRow}\n` : `${text}\n`;
    });
    const isShorter = isSame && shown.length < drawn.length;
    terminal.err(`${moveToFirstRow()}${isSame ? "" : eraseRest}${texts.join("")}${isShorter ? eraseRest : ""}`);
    drawn = shown;
    columns = terminal.columns;
    const now = terminal.now();
    next = Math.max(started + everyMs, now + (now - started) * share);
  };
  const forget = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  return {
    show(rows, { isLasting } = { isLasting: false }) {
      if (isClosed) return;
      forget();
      const waitMs = isLasting ? 0 : next - terminal.now();
      if (waitMs > 0) waiting = setTimeout(draw, waitMs, rows).unref();
      else draw(rows);
    },
    close() {
      forget();
      if (drawn.length > 0) terminal.err(`${moveToFirstRow()}${eraseRest}`);
      drawn = [];
      isClosed = true;
    },
  };
}

const eraseRow = "\u001b[K";
const eraseRest = "\u001b[J";
