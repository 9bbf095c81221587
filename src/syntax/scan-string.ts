import type { StringRule } from "../languages/index.ts";
import type { LineExpansions, ScanState } from "./scan-state.ts";

const backslash = 92;
const lineFeed = 10;

/**
 * Scans a string that began at `start`, from `state.at` to the offset after its end or into the
 * code inside it. Adds the region of the part that was scanned, and a frame for that code.
 *
 * A single-line string stops at the end of its line, and an unclosed one at the end of the text.
 */
export function scanString(state: ScanState, rule: StringRule, start: number): void {
  const { text, end } = state;
  const { close, escape: escaping, multiline, interpolation } = rule;
  const closeCode = close.charCodeAt(0);
  const isShell = state.rules.language.quirks.shell === true && interpolation !== undefined;
  for (let at = state.at; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash && escaping === "backslash") {
      const mark = interpolation?.find(([open]) => open[0] === "\\" && state.has(open, at));
      if (mark !== undefined) {
        enter(state, rule, start, at + mark[0].length - 1);
        return;
      }
      at += text[at + 1] === "\r" && text[at + 2] === "\n" ? 2 : 1;
    } else if (code === closeCode && state.has(close, at)) {
      if (escaping !== "doubled" || !state.has(close, at + close.length)) {
        leave(state, start, at + close.length, false);
        return;
      }
      at += 2 * close.length - 1;
    } else if (code === lineFeed && !multiline) {
      leave(state, start, text[at - 1] === "\r" ? at - 1 : at, true);
      return;
    } else if (isShell && code === 36 && text[at + 1] === "{") {
      at = Math.max(at, expansionEnd(state, at) - 1);
    } else if (interpolation !== undefined) {
      for (const [open] of interpolation) {
        if (code !== open.charCodeAt(0) || !state.has(open, at)) continue;
        if (open === "{" && text[at + 1] === "{") {
          at++;
          break;
        }
        enter(state, rule, start, at + bracketIn(open));
        return;
      }
    }
  }
  leave(state, start, end, true);
}

/**
 * The offset after a shell's `${…}` that begins at `at`, or -1 where it does not end on its line.
 * It has quotes and braces of its own. The expansions of one line are cached in `state`.
 */
export function expansionEnd(state: ScanState, at: number): number {
  if (at < state.expansions.start || at >= state.expansions.end) state.expansions = readExpansions(state, at);
  return state.expansions.ends.get(at) ?? -1;
}

/**
 * Reads the ends of all expansions of a line from the one at `start`, so that a line is read once,
 * even where none of them ends.
 *
 * An expansion ends at a brace with an even number of quotes in between, and all expansions that
 * begin in between count. So two stacks are kept: one for braces behind an even number of quotes,
 * and one for the others.
 */
function readExpansions({ text, end }: ScanState, start: number): LineExpansions {
  const ends = new Map<number, number>();
  const oddStarts = new Set<number>();
  const stacks: readonly number[][] = [[], []];
  let isOdd = false;
  let at = start + 1;
  for (; at < end && text[at] !== "\n"; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === '"') isOdd = !isOdd;
    else if (character === "{" && text[at - 1] === "$") {
      for (const stack of stacks) stack.push(at - 1);
      if (isOdd) oddStarts.add(at - 1);
    } else if (character === "}") {
      const opened = stacks[isOdd ? 1 : 0]!.pop();
      if (opened !== undefined && oddStarts.has(opened) === isOdd) ends.set(opened, at + 1);
    }
  }
  return { start, end: at, ends };
}

function leave(state: ScanState, start: number, end: number, open: boolean): void {
  state.region("string", start, end, { start: start === state.at, end: open });
  state.at = end;
}

// There is no delimiter after the code inside a string: `start` is where the string continues.
function enter(state: ScanState, rule: StringRule, start: number, bracket: number): void {
  state.region("string", start, bracket, { start: start === state.at, end: false });
  state.openCode(bracket, rule);
}

/**
 * The index of the bracket in an opening mark: last in `${`, first in `{$`, last of several in
 * `{{`.
 */
function bracketIn(open: string): number {
  return Math.max(open.lastIndexOf("{"), open.lastIndexOf("("));
}
