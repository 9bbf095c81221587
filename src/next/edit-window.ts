import { estimatingCounter } from "../context/index.ts";
import type { TokenCounter } from "../model/index.ts";
import type { Lines, TextRange } from "../text/index.ts";
import { conflictBlocks } from "./conflict-blocks.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

/** How much of a file a model is shown around the cursor, and how much of it it may write anew. */
export interface WindowSettings {
  /**
   * Lines of the window above the cursor's. `up-to-text`: as many as there are to the next line that is not blank, from the
   * cursor's own on, if that is among {@link farthestText}; none otherwise.
   */
  readonly linesAbove: number | "up-to-text";
  readonly linesBelow: number;
  /** So many lines below more when the window is shown again because nothing was proposed. */
  readonly moreLinesBelow: number;
  /** The most tokens of the window. */
  readonly windowTokens: number;
  /** Lines of the area above the window, and so many below it. */
  readonly areaLines: number;
  /** What is shown begins and ends with a multiple of so many lines, so that it stays the same while the cursor moves a little. */
  readonly pageLines: number;
  /** The most tokens of what is shown of the file, unless the window alone has more. */
  readonly pageTokens: number;
}

/**
 * What VS Code's Copilot extension had in version 0.42: 2 lines above and 5 below, about 10 more below for another try, at most
 * 2,000 tokens; an area of 15 lines around; pages of 10 lines with 2,000 tokens.
 */
export const defaultWindowSettings: WindowSettings = {
  linesAbove: 2,
  linesBelow: 5,
  moreLinesBelow: 10,
  windowTokens: 2_000,
  areaLines: 15,
  pageLines: 10,
  pageTokens: 2_000,
};

/** Where the window is looked for. */
export interface WindowPlace {
  readonly lines: Lines;
  /** The line of the cursor, from 0. */
  readonly cursorLine: number;
  /** The language's id in the registry; tokens are estimated by it unless there is a `counter`. */
  readonly language: string;
  readonly counter?: TokenCounter;
  /** Whether nothing was proposed for the window as it is without the lines that a retry adds. */
  readonly isRetry?: boolean;
}

/**
 * What a model may write anew around the cursor, and what it is shown of the file: lines `[start, end)`. `undefined` where the
 * cursor's line alone has more tokens than a window may have, as in a minified file: no model can be asked for such a line.
 *
 * The window has the lines nearest to the cursor. All three end in front of a line for which there is no room, however long, and
 * never inside one. A merge conflict that the window would cut is taken whole, lines limits or not, or left out where there is no
 * room; only one that the cursor is in may be cut, if it alone has too many tokens. The empty line behind a file's last line ending is not
 * in the window, unless the cursor is there.
 *
 * Laws: the cursor's line is in the window, that in the area, that in the page, that in the file; each has at most its tokens.
 */
export function tryEditWindow(
  { lines, cursorLine, language, counter = estimatingCounter(language), isRetry = false }: WindowPlace,
  settings: WindowSettings = defaultWindowSettings,
): Pick<NextEditScene, "window" | "area" | "page"> | undefined {
  const costs = new LineCosts(lines, counter, Math.max(settings.windowTokens, settings.pageTokens));
  const above = settings.linesAbove === "up-to-text" ? linesUpToText(lines, cursorLine) : settings.linesAbove;
  const below = settings.linesBelow + (isRetry ? settings.moreLinesBelow : 0);
  const wanted = {
    start: Math.max(0, cursorLine - above),
    end: Math.max(cursorLine + 1, Math.min(lastLine(lines) + 1, cursorLine + 1 + below)),
  };
  const window = tryWindow(costs, wanted, cursorLine, settings.windowTokens);
  if (window === undefined) return undefined;
  const area = areaAround(costs, window, settings);
  return { window, area, page: pageAround(costs, area, settings) };
}

/** How far above the cursor text is looked for by `up-to-text`, its own line counted. */
export const farthestText = 8;

function linesUpToText(lines: Lines, cursorLine: number): number {
  for (let above = 0; above < farthestText && above <= cursorLine; above++)
    if (lines.text(cursorLine - above).trim() !== "") return above;
  return 0;
}

/** The last line that holds or ends something. */
function lastLine(lines: Lines): number {
  const last = lines.count - 1;
  return last > 0 && lines.text(last) === "" ? last - 1 : last;
}

/** Grows from the cursor's line, a line below and one above by turns, over what is wanted; conflicts count as one line. */
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

/** Grows by lines, by turns, as far as the page has room. */
function areaAround(costs: LineCosts, window: TextRange, { areaLines, pageTokens }: WindowSettings): TextRange {
  let { start, end } = window;
  let room = pageTokens - costs.sum(window, pageTokens);
  const top = Math.max(0, start - areaLines);
  const bottom = Math.min(costs.lines.count, end + areaLines);
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

/** Grows by pages, half of the room for each side, and what one side leaves for the other. */
function pageAround(costs: LineCosts, area: TextRange, { pageLines, pageTokens }: WindowSettings): TextRange {
  const room = pageTokens - costs.sum(area, pageTokens);
  const pagesAbove = (room: number): Reach => {
    const reach = { line: area.start, cost: 0 };
    while (reach.line > 0) {
      const start = Math.floor((reach.line - 1) / pageLines) * pageLines;
      if (!extend(reach, start, costs.sum({ start, end: reach.line }, room), room)) break;
    }
    return reach;
  };
  const pagesBelow = (room: number): Reach => {
    const reach = { line: area.end, cost: 0 };
    while (reach.line < costs.lines.count) {
      const end = Math.min(costs.lines.count, (Math.floor(reach.line / pageLines) + 1) * pageLines);
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

/** What the lines of a file cost, each counted once. A line that is surely too long is not counted, since some tokenisers take long for it. */
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

  /** A line with its line ending. */
  of(line: number): number {
    let cost = this.#known.get(line);
    if (cost === undefined) {
      const length = this.lines.end(line) - this.lines.start(line);
      cost = length > this.#maxLength ? Number.POSITIVE_INFINITY : this.#counter.count(`${this.lines.text(line)}\n`);
      this.#known.set(line, cost);
    }
    return cost;
  }

  /** The lines `[start, end)`; counting stops once they cost more than `limit`. */
  sum({ start, end }: TextRange, limit = Number.POSITIVE_INFINITY): number {
    let sum = 0;
    for (let line = start; line < end && sum <= limit; line++) sum += this.of(line);
    return sum;
  }
}

/** UTF-16 units that a token of code has at most on average, over a line. */
const mostUnitsPerToken = 16;
