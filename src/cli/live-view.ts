import { printable, type Terminal } from "./terminal.ts";

/** A few rows at the bottom of the terminal that change while something goes on. Whoever opens it closes it. */
export interface LiveView {
  /**
   * Shows these rows in the place of those before; `height` is how many there is room for, and of more the last are
   * shown. Rows that come soon after others wait a little and are left out if more follow, unless nothing may follow them
   * for a while.
   */
  show(rows: (height: number) => readonly string[], options?: { readonly isLasting: boolean }): void;
  /** Takes all rows away. */
  close(): void;
}

/** Rows are drawn when this much time has passed since the last time. */
const everyMs = 80;

/** Rows of the terminal that are left to what was there before. */
const spareRows = 4;

/** The part of its time that drawing may take, as one of so many: what is long to draw is drawn less often. */
const share = 5;

/**
 * A view on standard error; one that does nothing when no person watches.
 *
 * Only rows that are others than before are drawn, each over the old one and in one write, so that nothing flickers.
 */
export function openLiveView(terminal: Pick<Terminal, "err" | "isWatched" | "columns" | "rows" | "now">): LiveView {
  if (!terminal.isWatched) return { show: () => undefined, close: () => undefined };
  let drawn: readonly ClippedRow[] = [];
  let columns = terminal.columns;
  let next = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** To the first row that was drawn. A terminal that became narrower has broken rows that are too wide for it. */
  const home = () => {
    const height = drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / terminal.columns)), 0);
    return height === 0 ? "" : `\r\u001b[${height}A`;
  };
  const draw = (rows: (height: number) => readonly string[]) => {
    const started = terminal.now();
    const height = Math.max(1, terminal.rows - spareRows);
    const shown = rows(height)
      .slice(-height)
      .map((row) => clip(row, terminal.columns - 1));
    const isSame = columns === terminal.columns;
    const texts = shown.map(({ text }, i) => {
      if (isSame && drawn[i]?.text === text) return "\n";
      return isSame && i < drawn.length ? `${text}${eraseRow}\n` : `${text}\n`;
    });
    const isShorter = isSame && shown.length < drawn.length;
    terminal.err(`${home()}${isSame ? "" : eraseRest}${texts.join("")}${isShorter ? eraseRest : ""}`);
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
      if (drawn.length > 0) terminal.err(`${home()}${eraseRest}`);
      drawn = [];
      isClosed = true;
    },
  };
}

const eraseRow = "\u001b[K";
const eraseRest = "\u001b[J";

interface ClippedRow {
  readonly text: string;
  /** Columns. */
  readonly width: number;
}

/** As much of a row as takes no more than `columns`, with what colours it. */
function clip(row: string, columns: number): ClippedRow {
  let width = 0;
  let text = "";
  let isFull = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  for (const [piece] of row.replaceAll("\t", "    ").matchAll(/\u001b\[\d+m|./gsu)) {
    if (piece.startsWith("\u001b[")) {
      text += piece;
      continue;
    }
    const wide = isWide(piece) ? 2 : 1;
    isFull ||= width + wide > columns;
    if (isFull) continue;
    text += printable(piece);
    width += wide;
  }
  return { text, width };
}

/** Whether a character takes two columns. Source: Unicode's East Asian Width, by blocks, and UTS 51 for emoji. */
function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u.test(
    character,
  );
}
