import { getOrInsert } from "../text/index.ts";
import { isWord, type ScanState } from "./scan-state.ts";
import { isValuePosition } from "./value-position.ts";

/**
 * Whether a JSX element begins at the `<` at `state.at`: a value is expected, a name follows, and
 * it is no generic function.
 */
export function isElementStart(state: ScanState): boolean {
  const { text, at } = state;
  const next = text[at + 1] ?? "";
  if (!/[A-Za-z_$>]/.test(next) || !isValuePosition(state)) return false;
  const head = /<([\w$]+)\s*(,|extends\s|>\()/y;
  head.lastIndex = at;
  const generic = head.exec(text);
  if (generic === null) return true;
  return generic[2] === ">(" && (lastClosingTags(state).get(generic[1]!) ?? -1) >= at;
}

/**
 * Scans a tag from after its `<`: attributes, up to its end or into the code of an attribute.
 *
 * Adds the regions of strings and comments, and changes the innermost frame: to `children` after
 * `>`, and it is removed after `/>`. It is removed as well at a character that no tag contains and
 * at a string without an end; the rest is then scanned as what is around the tag. At the end of the
 * text the frame is kept.
 */
export function scanTag(state: ScanState): void {
  const { text, end } = state;
  for (; state.at < end; state.at++) {
    const character = text[state.at]!;
    if (character === '"' || character === "'") {
      const close = text.indexOf(character, state.at + 1);
      if (close < 0 || close >= end) {
        state.frames.pop();
        return;
      }
      state.region("string", state.at, close + 1);
      state.at = close;
    } else if (character === "{") {
      state.openCode(state.at);
      return;
    } else if (character === ">") {
      state.at++;
      const frame = state.frames.at(-1)!;
      if (frame.kind === "tag") state.frames[state.frames.length - 1] = { ...frame, kind: "children" };
      return;
    } else if (character === "/" && text[state.at + 1] === ">") {
      state.at += 2;
      state.frames.pop();
      return;
    } else if (character === "/" && (text[state.at + 1] === "*" || text[state.at + 1] === "/")) {
      const start = state.at;
      const stop = text[start + 1] === "*" ? Math.min(end, state.find("*/", start) + 2) : state.lineEnd(start);
      state.region("comment", start, stop);
      state.at = stop - 1;
    } else if (character === "<") {
      state.at = typeArgumentsEnd(state) - 1;
    } else if (!isWord(character.charCodeAt(0)) && !/[\s=:.$-]/.test(character)) {
      // Not valid in a tag: it is a comparison, or the tag is still being typed.
      state.frames.pop();
      return;
    }
  }
}

/**
 * Scans the content of an element from `state.at`: text, up to the next tag or into the code of a
 * brace.
 *
 * Adds the regions of the text, and changes the innermost frames: a `tag` is added at an opening
 * tag, the element is removed after its closing tag, and all open elements are removed before a `}`
 * or a line with a closing bracket of the code around.
 */
export function scanChildren(state: ScanState): void {
  const { text, end } = state;
  const start = state.at;
  for (; state.at < end; state.at++) {
    const character = text[state.at]!;
    if (character === "{") {
      state.textRegion(start, state.at);
      state.openCode(state.at);
      return;
    }
    if (character === "<" && text[state.at + 1] === "/") {
      state.textRegion(start, state.at);
      state.at = Math.min(end, state.find(">", state.at) + 1);
      state.frames.pop();
      return;
    }
    if (character === "<" && /[A-Za-z_$>]/.test(text[state.at + 1] ?? "")) {
      state.textRegion(start, state.at);
      state.frames.push({ kind: "tag", start: state.at });
      state.at++;
      return;
    }
    if (character === "}" || (character === "\n" && isClosersLine(state, state.at + 1))) {
      // An element that is still being typed has no end; the bracket that closes the code around it
      // is not its text.
      state.textRegion(start, state.at);
      while (state.frames.at(-1)?.kind !== "code") state.frames.pop();
      return;
    }
  }
  state.textRegion(start, end);
}

/**
 * Whether a line contains closing brackets only, a round one first, as at the end of the code
 * around an element.
 */
function isClosersLine(state: ScanState, lineStart: number): boolean {
  const line = /[ \t]*\)[)\]};,]*[ \t]*\r?(\n|$)/y;
  line.lastIndex = lineStart;
  return line.test(state.text);
}

const closingTags = new WeakMap<ScanState, ReadonlyMap<string, number>>();

/**
 * The start of the last closing tag of each name. A text is searched once, not for each element.
 */
function lastClosingTags(state: ScanState): ReadonlyMap<string, number> {
  return getOrInsert(
    closingTags,
    state,
    () => new Map(Array.from(state.text.matchAll(/<\/([\w$]+)/g), ({ 1: name, index }) => [name!, index])),
  );
}

interface LineBrackets {
  readonly start: number;
  readonly end: number;
  /** The offset after the partner of each matched angle bracket of the line. */
  readonly ends: ReadonlyMap<number, number>;
}

const lineBrackets = new WeakMap<ScanState, LineBrackets>();

function typeArgumentsEnd(state: ScanState): number {
  const known = lineBrackets.get(state);
  const line = known && known.start <= state.at && state.at < known.end ? known : bracketsOfLine(state);
  lineBrackets.set(state, line);
  return line.ends.get(state.at) ?? state.at + 1;
}

/**
 * The angle brackets from the current offset to the end of its line, scanned once for all of them.
 */
function bracketsOfLine({ text, at: start, end: last }: ScanState): LineBrackets {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let end = start;
  for (; end < last && text[end] !== "\n"; end++) {
    if (text[end] === "<") open.push(end);
    const opener = text[end] === ">" ? open.pop() : undefined;
    if (opener !== undefined) ends.set(opener, end + 1);
  }
  return { start, end, ends };
}
