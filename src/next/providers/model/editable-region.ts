import { estimatingCounter } from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { getOrInsert, type Lines, type TextRange } from "../../../text/index.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { defaultWindowSettings, type RegionSettings } from "./prompt-input-settings.ts";

/** The place to compute the editable region for. */
interface WindowPlace {
  readonly lines: Lines;
  /** The line of the cursor, from 0. */
  readonly cursorLine: number;
  /** The language id; tokens are estimated by it where `counter` is absent. */
  readonly language: string;
  readonly counter?: TokenCounter;
  /**
   * Whether the model proposed nothing for the region without the additional lines of a second try.
   */
  readonly isRetry?: boolean;
}

/**
 * Computes the editable region around the cursor (`window`), the lines around it (`area`) and the
 * excerpt that the model is shown (`page`), as lines `[start, end)`, counted from 0. `undefined`
 * where the cursor's line alone has more tokens than the region may have, as in a minified file.
 *
 * The region has the lines nearest to the cursor. All three end before a line that does not fit,
 * and never inside a line. A merge conflict that the region would cut is included whole, whatever
 * the line limits, or left out where it does not fit; only a conflict that contains the cursor and
 * has too many tokens may be cut. The empty line after the last line ending of a file is not in the
 * region, unless the cursor is there.
 *
 * Law: the cursor's line is in `window`, which is in `area`, which is in `page`, which is in the
 * file; each has at most its tokens.
 */
export function tryEditWindow(
  { lines, cursorLine, language, counter = estimatingCounter(language), isRetry = false }: WindowPlace,
  settings: RegionSettings = defaultWindowSettings,
): Pick<NextEditPromptInput, "window" | "area" | "page"> | undefined {
  const costs = new LineCosts(lines, counter, Math.max(settings.regionTokens, settings.excerptTokens));
  const above = settings.linesAbove === "up-to-text" ? linesUpToText(lines, cursorLine) : settings.linesAbove;
  const below = settings.linesBelow + (isRetry ? settings.moreLinesBelow : 0);
  const wanted = {
    start: Math.max(0, cursorLine - above),
    end: Math.max(cursorLine + 1, Math.min(lastLine(lines) + 1, cursorLine + 1 + below)),
  };
  const window = tryWindow(costs, wanted, cursorLine, settings.regionTokens);
  if (window === undefined) return undefined;
  const area = areaAround(costs, window, settings);
  return { window, area, page: pageAround(costs, area, settings) };
}

/**
 * How far above the cursor `up-to-text` searches for text, in lines, the cursor's own line
 * included.
 */
const farthestText = 8;

function linesUpToText(lines: Lines, cursorLine: number): number {
  for (let above = 0; above < farthestText && above <= cursorLine; above++)
    if (lines.text(cursorLine - above).trim() !== "") return above;
  return 0;
}

/** The last line that is not the empty line after the final line ending. */
function lastLine(lines: Lines): number {
  const last = lines.count - 1;
  return last > 0 && lines.text(last) === "" ? last - 1 : last;
}

/**
 * Grows from the cursor's line within `wanted`, alternately a line below and a line above; a
 * conflict counts as one line.
 */
function tryWindow(costs: LineCosts, wanted: TextRange, cursorLine: number, maxTokens: number): TextRange | undefined {
  const conflicts = conflictBlocks(costs.lines).filter(
    (block) => !holds(block, cursorLine) || costs.sum(block) <= maxTokens,
  );
  const whole = (line: number): TextRange =>
    conflicts.find((block) => holds(block, line)) ?? { start: line, end: line + 1 };
  let window = whole(cursorLine);
  let room = maxTokens - costs.sum(window);
  if (room < 0) return undefined;
  const take = (part: TextRange): boolean => {
    const cost = costs.sum(part, room);
    if (cost > room) return false;
    room -= cost;
    window = { start: Math.min(window.start, part.start), end: Math.max(window.end, part.end) };
    return true;
  };
  let isBelowOpen = true;
  let isAboveOpen = true;
  while (isBelowOpen || isAboveOpen) {
    isBelowOpen &&= window.end < wanted.end && take(whole(window.end));
    isAboveOpen &&= window.start > wanted.start && take(whole(window.start - 1));
  }
  return window;
}

function holds({ start, end }: TextRange, line: number): boolean {
  return start <= line && line < end;
}

/** Grows by lines, alternately below and above, as far as the tokens of the excerpt allow. */
function areaAround(costs: LineCosts, window: TextRange, { contextLines, excerptTokens }: RegionSettings): TextRange {
  let { start, end } = window;
  let room = excerptTokens - costs.sum(window, excerptTokens);
  const top = Math.max(0, start - contextLines);
  const bottom = Math.min(costs.lines.count, end + contextLines);
  const take = (line: number): boolean => {
    const cost = costs.of(line);
    if (cost > room) return false;
    room -= cost;
    return true;
  };
  let isBelowOpen = true;
  let isAboveOpen = true;
  while (isBelowOpen || isAboveOpen) {
    isBelowOpen &&= end < bottom && take(end);
    if (isBelowOpen) end++;
    isAboveOpen &&= start > top && take(start - 1);
    if (isAboveOpen) start--;
  }
  return { start, end };
}

/**
 * Grows by steps of `excerptLines`. Each side gets half of the tokens, and what one side leaves
 * goes to the other.
 */
function pageAround(costs: LineCosts, area: TextRange, { excerptLines, excerptTokens }: RegionSettings): TextRange {
  const room = excerptTokens - costs.sum(area, excerptTokens);
  const pagesAbove = (room: number): Reach => {
    const reach = { line: area.start, cost: 0 };
    while (reach.line > 0) {
      const start = Math.floor((reach.line - 1) / excerptLines) * excerptLines;
      if (!extend(reach, start, costs.sum({ start, end: reach.line }, room), room)) break;
    }
    return reach;
  };
  const pagesBelow = (room: number): Reach => {
    const reach = { line: area.end, cost: 0 };
    while (reach.line < costs.lines.count) {
      const end = Math.min(costs.lines.count, (Math.floor(reach.line / excerptLines) + 1) * excerptLines);
      if (!extend(reach, end, costs.sum({ start: reach.line, end }, room), room)) break;
    }
    return reach;
  };
  const half = Math.floor(room / 2);
  const below = pagesBelow(room - pagesAbove(half).cost);
  const above = pagesAbove(room - below.cost);
  return { start: above.line, end: below.line };
}

interface Reach {
  line: number;
  cost: number;
}

function extend(reach: Reach, line: number, cost: number, room: number): boolean {
  if (reach.cost + cost > room) return false;
  reach.line = line;
  reach.cost += cost;
  return true;
}

/**
 * The token counts of a file's lines, each computed once. A line that is certainly too long is not
 * counted, since some tokenizers take long for it.
 */
class LineCosts {
  readonly lines: Lines;
  readonly #counter: TokenCounter;
  readonly #maxLength: number;
  readonly #known = new Map<number, number>();

  constructor(lines: Lines, counter: TokenCounter, maxTokens: number) {
    this.lines = lines;
    this.#counter = counter;
    this.#maxLength = maxTokens * mostUnitsPerToken;
  }

  /** Returns the tokens of a line with its line ending. */
  of(line: number): number {
    return getOrInsert(this.#known, line, () => {
      const length = this.lines.end(line) - this.lines.start(line);
      return length > this.#maxLength ? Number.POSITIVE_INFINITY : this.#counter.count(`${this.lines.text(line)}\n`);
    });
  }

  /** Returns the tokens of the lines `[start, end)`; counting stops once they exceed `limit`. */
  sum({ start, end }: TextRange, limit = Number.POSITIVE_INFINITY): number {
    let sum = 0;
    for (let line = start; line < end && sum <= limit; line++) sum += this.of(line);
    return sum;
  }
}

/** The most UTF-16 units of a token of code, on average over a line. */
const mostUnitsPerToken = 16;

/**
 * Returns the lines `[start, end)`, counted from 0, of each merge conflict in a text, markers
 * included, ascending: from `<<<<<<<` to the next `>>>>>>>`, whatever a tool writes in between. A
 * marker without its partner is an ordinary line.
 *
 * Source: git's documentation of `git merge`, "How conflicts are presented"; the markers of Jujutsu
 * are the same at both ends.
 */
export function conflictBlocks(lines: Lines): readonly TextRange[] {
  const blocks: TextRange[] = [];
  let start: number | undefined;
  for (const line of linesWithMarkers(lines)) {
    // Seven characters at least: git writes longer markers where a file's attributes set that.
    const sign = /^(?:(<){7,}|>{7,})(?: |$)/.exec(lines.text(line));
    if (sign === null) continue;
    if (sign[1] !== undefined) start = line;
    else if (start !== undefined) {
      blocks.push({ start, end: line + 1 });
      start = undefined;
    }
  }
  return blocks;
}

/** The lines that contain a conflict marker, ascending. Most texts have none, and many lines. */
function* linesWithMarkers(lines: Lines): Iterable<number> {
  const next = (mark: string, from: number) => {
    const at = lines.source.indexOf(mark, from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  let [open, close] = [next(marks.open, 0), next(marks.close, 0)];
  for (let at = Math.min(open, close); at < lines.source.length; at = Math.min(open, close)) {
    const line = lines.lineAt(at);
    yield line;
    const end = lines.endWithBreak(line);
    if (open < end) open = next(marks.open, end);
    if (close < end) close = next(marks.close, end);
  }
}

const marks = { open: "<<<<<<<", close: ">>>>>>>" };
