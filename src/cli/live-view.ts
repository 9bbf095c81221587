import { printable, type Terminal } from "./terminal.ts";

/** A few rows at the bottom of the terminal that change while something goes on. Whoever opens it closes it. */
export interface LiveView {
  /**
   * Shows these rows in the place of those before, the last of them where they are too many. Rows that come soon after
   * others are left out, unless nothing may follow them for a while.
   */
  show(rows: () => readonly string[], options?: { readonly isLasting: boolean }): void;
  /** Takes all rows away. */
  close(): void;
}

/** Rows are drawn when this much time has passed since the last time. */
const everyMs = 80;

/** Rows of the terminal that are left to what was there before. */
const spareRows = 4;

/** A view on standard error; one that does nothing when no person watches. */
export function openLiveView(terminal: Pick<Terminal, "err" | "isWatched" | "columns" | "rows" | "now">): LiveView {
  if (!terminal.isWatched) return { show: () => undefined, close: () => undefined };
  let drawn = 0;
  let next = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const erase = () => (drawn === 0 ? "" : `\r\u001b[${drawn}A\u001b[J`);
  return {
    show(rows, { isLasting } = { isLasting: false }) {
      const now = terminal.now();
      if (isClosed || (now < next && !isLasting)) return;
      next = now + everyMs;
      const shown = rows().slice(-Math.max(1, terminal.rows - spareRows));
      terminal.err(`${erase()}${shown.map((row) => `${clip(row, terminal.columns - 1)}\n`).join("")}`);
      drawn = shown.length;
    },
    close() {
      terminal.err(erase());
      drawn = 0;
      isClosed = true;
    },
  };
}

/** As much of a row as takes no more than `columns`, with what colours it. */
function clip(row: string, columns: number): string {
  let width = 0;
  let clipped = "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  for (const [piece] of row.replaceAll("\t", "    ").matchAll(/\u001b\[\d+m|./gsu)) {
    if (!piece.startsWith("\u001b")) {
      width += isWide(piece) ? 2 : 1;
      if (width > columns) continue;
      clipped += printable(piece);
    } else clipped += piece;
  }
  return clipped;
}

/** Whether a character takes two columns. Source: Unicode's East Asian Width, by blocks. */
function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    character,
  );
}
