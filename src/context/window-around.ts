import { isInsideCharacter } from "../text/index.ts";
import type { TextCosts } from "./text-costs.ts";

/** How far a prompt shows a file around its cursor: `[start, end)` in UTF-16 units, and what both sides cost. */
export interface ShownWindow {
  readonly start: number;
  readonly end: number;
  readonly prefixTokens: number;
  readonly suffixTokens: number;
}

/** What one side of a cursor could use. */
export interface SideNeed {
  /** The tokens of the whole side; at least `maxTokens` where it has more than those. */
  readonly tokens: number;
  readonly isWhole: boolean;
}

/** What was shown of a file before, from which as little as possible should change. */
export interface PastWindow {
  /** Where the text shown before the cursor began. */
  readonly start: number;
  /** What was shown after the cursor's line. */
  readonly below: string;
}

/** What the text before `offset` would cost, counted no further than `maxTokens`. */
export function needBefore(costs: TextCosts, text: string, offset: number, maxTokens: number): SideNeed {
  const { start, tokens } = costs.backward(text, offset, maxTokens);
  return start === 0 ? { tokens, isWhole: true } : { tokens: maxTokens, isWhole: false };
}

/** What the text after `offset` would cost, counted no further than `maxTokens`. */
export function needAfter(costs: TextCosts, text: string, offset: number, maxTokens: number): SideNeed {
  const { end, tokens } = costs.forward(text, offset, maxTokens);
  return end === text.length ? { tokens, isWhole: true } : { tokens: maxTokens, isWhole: false };
}

/**
 * Shares `room` tokens between the two sides of the cursor: `suffixShare` of them for the text after it, and what one
 * side does not need for the other.
 */
export function shareRoom(
  room: number,
  suffixShare: number,
  before: SideNeed,
  after: SideNeed,
): { readonly before: number; readonly after: number } {
  const afterShare = Math.floor(room * suffixShare);
  const forAfter = before.isWhole ? Math.max(afterShare, room - before.tokens) : afterShare;
  const taken = after.isWhole ? Math.min(forAfter, after.tokens) : forAfter;
  return { before: room - taken, after: taken };
}

/**
 * The start of the text shown before the cursor: a line's, unless the cursor's own line is too long to be shown.
 *
 * Where the file does not fit, the start stays where it was as long as it can, and then moves down by an eighth of the
 * room at once: a server that remembers the beginning of a prompt has to read it again once in many lines only.
 */
export function startBefore(
  costs: TextCosts,
  text: string,
  offset: number,
  room: number,
  past: PastWindow | undefined,
): { readonly start: number; readonly tokens: number } {
  const most = costs.backward(text, offset, room);
  if (most.start === 0) return most;
  if (past !== undefined && past.start >= most.start && past.start <= offset && text[past.start - 1] === "\n") {
    const tokens = costs.count(text.slice(past.start, offset));
    if (tokens <= room && tokens >= room * leastUse) return { start: past.start, tokens };
  }
  const fresh = costs.backward(text, offset, Math.floor(room * freshUse));
  if (fresh.start < offset) return fresh;
  return most.start < offset ? most : partOfLineBefore(costs, text, offset, room);
}

/**
 * The end of the text shown after the cursor: a line's, unless the rest of the cursor's line is too long to be shown.
 *
 * It stays where it was as long as what was shown below the cursor's line is still what stands there; only how far
 * down it reaches may be out of date, never what it says.
 */
export function endAfter(
  costs: TextCosts,
  text: string,
  offset: number,
  room: number,
  past: PastWindow | undefined,
): { readonly end: number; readonly tokens: number } {
  const most = costs.forward(text, offset, room);
  if (most.end === text.length) return most;
  const below = lineEnd(text, offset);
  if (past !== undefined && past.below !== "" && text.startsWith(past.below, below)) {
    const end = below + past.below.length;
    const tokens = costs.count(text.slice(offset, end));
    if (tokens <= room && tokens >= room * leastUse) return { end, tokens };
  }
  const fresh = costs.forward(text, offset, Math.floor(room * freshUse));
  if (fresh.end > offset) return fresh;
  return most.end > offset ? most : partOfLineAfter(costs, text, offset, room);
}

/** What to remember of a window for the next one. */
export function toPast(text: string, offset: number, { start, end }: ShownWindow): PastWindow {
  const below = lineEnd(text, offset);
  return { start, below: text.slice(below, Math.max(below, end)) };
}

/** A window that is set anew uses so much of its room, */
const freshUse = 7 / 8;
/** and is kept as long as it uses so much. */
const leastUse = 5 / 8;

/** Where the line of `offset` ends, its line ending included. */
function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  return feed < 0 ? text.length : feed + 1;
}

function partOfLineBefore(costs: TextCosts, text: string, offset: number, room: number) {
  for (let length = Math.min(offset, room * 4); length > 0; length >>= 1) {
    let start = offset - length;
    if (isInsideCharacter(text, start)) start++;
    const tokens = costs.count(text.slice(start, offset));
    if (tokens <= room) return { start, tokens };
  }
  return { start: offset, tokens: 0 };
}

function partOfLineAfter(costs: TextCosts, text: string, offset: number, room: number) {
  for (let length = Math.min(text.length - offset, room * 4); length > 0; length >>= 1) {
    let end = offset + length;
    if (isInsideCharacter(text, end)) end--;
    const tokens = costs.count(text.slice(offset, end));
    if (tokens <= room) return { end, tokens };
  }
  return { end: offset, tokens: 0 };
}
