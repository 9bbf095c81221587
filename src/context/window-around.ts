import { copyText, isInsideCharacter } from "../text/index.ts";
import type { Reach, Stop, TextCosts } from "./text-costs.ts";

/**
 * How far a prompt shows a file around its cursor: `[start, end)` in UTF-16 units, and what both
 * sides cost.
 */
export interface ShownWindow {
  readonly start: number;
  readonly end: number;
  readonly prefixTokens: number;
  readonly suffixTokens: number;
}

/** What was shown of a file before, from which as little as possible should change. */
export interface PastWindow {
  /** Where the text shown before the cursor began. */
  readonly start: number;
  /** What was shown after the cursor's line. */
  readonly below: string;
}

/**
 * Shares `room` tokens between the two sides of the cursor: `suffixShare` (0 to 1) of them for the
 * text after it, and what one side does not need for the other.
 */
export function shareRoom(
  room: number,
  suffixShare: number,
  before: Reach,
  after: Reach,
): { readonly before: number; readonly after: number } {
  const afterShare = Math.floor(room * suffixShare);
  const forAfter = before.isWhole ? Math.max(afterShare, room - before.tokens) : afterShare;
  const taken = after.isWhole ? Math.min(forAfter, after.tokens) : forAfter;
  return { before: room - taken, after: taken };
}

/**
 * The start of the text shown before the cursor, in at most `room` tokens: that of a line, unless
 * the cursor's own line is too long to be shown.
 *
 * `before` reaches from the cursor as far as the whole budget goes. Where the file does not fit,
 * the start stays that of `past` as long as it uses at least seven eighths of the room. A new start
 * uses at most fifteen sixteenths: a server that caches the beginning of a prompt then has to read
 * it again only once in many lines, and still gets a prompt that fills its context.
 */
export function startBefore(costs: TextCosts, text: string, before: Reach, room: number, past?: PastWindow): Stop {
  return (
    pastStop(before, room, past?.start) ?? freshStop(before, room) ?? partOfLine(costs, text, before.from, room, -1)
  );
}

/**
 * The end of the text shown after the cursor, in at most `room` tokens: that of a line, unless the
 * rest of the cursor's line is too long to be shown.
 *
 * It stays that of `past` as long as the text that was shown below the cursor's line is still there
 * and uses enough of the room, see {@link startBefore}.
 */
export function endAfter(costs: TextCosts, text: string, after: Reach, room: number, past?: PastWindow): Stop {
  const below = lineEnd(text, after.from);
  const isTrue = past !== undefined && past.below !== "" && text.startsWith(past.below, below);
  const pastEnd = isTrue ? below + past.below.length : undefined;
  return pastStop(after, room, pastEnd) ?? freshStop(after, room) ?? partOfLine(costs, text, after.from, room, 1);
}

/**
 * The whole side if there is room for it, or else the stop of last time if it still uses the room
 * well.
 */
function pastStop(reach: Reach, room: number, offset: number | undefined): Stop | undefined {
  if (reach.isWhole && reach.tokens <= room) return { offset: reach.offset, tokens: reach.tokens };
  const stop = offset === undefined ? undefined : reach.tryStopAt(offset);
  return stop !== undefined && stop.tokens <= room && stop.tokens >= room * leastUse ? stop : undefined;
}

function freshStop(reach: Reach, room: number): Stop | undefined {
  const fresh = reach.within(Math.floor(room * freshUse));
  // Where lines are long the next one may be most of what is left.
  const stop = fresh.tokens < room * leastUse ? reach.within(room) : fresh;
  return stop.offset === reach.from ? undefined : stop;
}

/**
 * What to remember of the window around the cursor at `offset` of `text` for the next window: where
 * the window starts, and what it shows below the cursor's line.
 */
export function toPast(text: string, offset: number, { start, end }: ShownWindow): PastWindow {
  const below = lineEnd(text, offset);
  return { start, below: copyText(text.slice(below, Math.max(below, end))) };
}

/** A new window uses so much of its room, */
const freshUse = 15 / 16;
/** and is kept as long as it uses so much. */
const leastUse = 7 / 8;

/** Where the line of `offset` ends, its line ending included. */
function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  return feed < 0 ? text.length : feed + 1;
}

/** As much of a line that is too long as there is room for, by halves. */
function partOfLine(costs: TextCosts, text: string, from: number, room: number, direction: -1 | 1): Stop {
  const available = direction < 0 ? from : text.length - from;
  for (let length = Math.min(available, room * 4); length > 0; length >>= 1) {
    const far = from + direction * length;
    const offset = isInsideCharacter(text, far) ? far - direction : far;
    const tokens = costs.count(text.slice(Math.min(from, offset), Math.max(from, offset)));
    if (tokens <= room) return { offset, tokens };
  }
  return { offset: from, tokens: 0 };
}
