import type { AnalysisProgress } from "../../analysis/node/index.ts";
import type { LearnProgress } from "../../server/session/index.ts";
import type { clipRow } from "./clip-row.ts";
import { countText } from "./print-amount.ts";
import type { Terminal } from "./terminal.ts";

/** Quick work shows no line, and a line is not redrawn more often than `everyMs`. Milliseconds. */
const intervals = { firstMs: 250, everyMs: 80 };

/**
 * Opens a progress bar on standard error, as {@link openActivityLine} does, with the progress of
 * learning.
 */
export function openProgressBar(terminal: LineTerminal): Disposable & { show(progress: LearnProgress): void } {
  // To format the first number takes 20 ms.
  if (!terminal.isWatched) return { show: () => undefined, [Symbol.dispose]: () => undefined };
  const line = openStatusLine(terminal, () => true);
  return { ...line, show: (progress) => line.show(progressLine(progress, terminal.columns - 1)) };
}

/**
 * The text of the line, at most `columns` wide: `Learning ███░░░  42%  1,204 files  3.1 of 7.4 MB`.
 * Where that is too wide, the bar is left out first and then the end is cut. In the phase
 * `looking`: `Looking for sources: 1,204 files`.
 */
export function progressLine({ phase, files, bytes, totalBytes }: LearnProgress, columns: number): string {
  const count = `${files.toLocaleString("en")} files`;
  if (phase === "looking") return `Looking for sources: ${count}`.slice(0, columns);
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const megabytes = (value: number) => (value / 1e6).toFixed(1);
  const tail = `${String(Math.floor(share * 100)).padStart(3)}%  ${count}  ${megabytes(bytes)} of ${megabytes(totalBytes)} MB`;
  const width = Math.min(30, columns - tail.length - "Learning  ".length);
  if (width < 5) return `Learning ${tail}`.slice(0, columns);
  const full = Math.round(share * width);
  return `Learning ${"█".repeat(full)}${"░".repeat(width - full)} ${tail}`;
}

/** A line at the bottom of the terminal with the current activity, until it is disposed of. */
export interface ActivityLine extends Disposable {
  show(text: string): void;
}

type LineTerminal = Pick<Terminal, "err" | "isWatched" | "columns" | "now">;

/**
 * Opens an activity line on standard error; it does nothing where standard error is not a terminal.
 * It appears after 250 milliseconds; the same kind of work, up to the colon, is redrawn every 80 at
 * most.
 */
export function openActivityLine(terminal: LineTerminal): ActivityLine {
  // Another kind of work is shown at once, since the next update may take long.
  return openStatusLine(terminal, (text, shown) => shown === "" || text.split(":")[0] === shown.split(":")[0]);
}

/** Opens a line that shows no text before its time where `mayWait` says so. */
function openStatusLine(terminal: LineTerminal, mayWait: (text: string, shown: string) => boolean): ActivityLine {
  if (!terminal.isWatched) return { show: () => undefined, [Symbol.dispose]: () => undefined };
  let next = terminal.now() + intervals.firstMs;
  let shown = "";
  // Loading what measures columns takes 50 ms. Few texts need it; until then they are not shown.
  let clip: typeof clipRow | undefined;
  const tryClip = (text: string, columns: number): string | undefined => {
    if (/^[ -~█░]*$/.test(text)) return text.slice(0, columns);
    void import("./clip-row.ts").then((loaded) => {
      clip = loaded.clipRow;
    });
    return clip?.(text, columns).text;
  };
  return {
    show(text) {
      const now = terminal.now();
      if (now < next && mayWait(text, shown)) return;
      const row = tryClip(text, terminal.columns - 1);
      if (row === undefined) return;
      next = now + intervals.everyMs;
      shown = text;
      terminal.err(`\r${row}\u001b[K`);
    },
    [Symbol.dispose]() {
      if (shown !== "") terminal.err("\r\u001b[K");
      shown = "";
      next = Number.POSITIVE_INFINITY;
    },
  };
}

/** What an analysis is doing, such as `Reading: 3 of 10 files`. */
export function printAnalysisProgress({ phase, done, of }: AnalysisProgress): string {
  const files = of === 0 ? "" : `: ${done.toLocaleString("en")} of ${countText(of, "file")}`;
  switch (phase) {
    case "reading":
      return `Reading${files}`;
    case "types":
      return "Opening the type checker";
    case "references":
      return `Finding dependencies${files}`;
    case "impact":
      return "Propagating the change";
  }
}
