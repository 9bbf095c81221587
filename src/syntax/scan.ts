import type { Language, StringRule } from "../languages/index.ts";
import { isElementStart, scanChildren, scanTag } from "./scan-jsx.ts";
import { scanMarkup } from "./scan-markup.ts";
import { type CodeFrame, isWord, type RegionKind, ScanState, scanRules, type Trigger } from "./scan-state.ts";
import { expansionEnd, scanString } from "./scan-string.ts";
import { isValuePosition } from "./value-position.ts";

/** The result of one pass over a text, as parallel arrays in the order of the text. */
export interface Scan {
  readonly offsets: readonly number[];
  readonly closing: readonly number[];
  readonly partners: readonly number[];
  readonly leftAt: readonly number[];
  readonly parents: readonly number[];
  readonly strays: readonly number[];
  readonly regionStarts: readonly number[];
  readonly regionEnds: readonly number[];
  readonly regionKinds: readonly RegionKind[];
  readonly regionOpen: readonly number[];
  /** The starts of the opening tags of the elements around the text's end, outermost first. */
  readonly openTags: readonly number[];
}

/**
 * Finds the brackets of a text and the ranges that are not code, in one pass, for any text. Offsets
 * are in UTF-16 code units. Does not throw.
 */
export function scan(text: string, language: Language): Scan {
  const state = new ScanState(text, scanRules(language));
  const { markup, island } = language.quirks;
  if (markup === true) {
    scanMarkup(state, scanFrames);
  } else {
    state.frames.push({ kind: "code", floor: 0, nested: false });
    if (island !== undefined) scanSea(state, 0);
    scanFrames(state);
  }
  const { brackets, regionStarts, regionEnds, regionKinds, regionOpen } = state;
  const { offsets, closing, partners, leftAt, parents, strays } = brackets;
  const openTags = markup === true ? state.openTags : openElements(state);
  const regions = { regionStarts, regionEnds, regionKinds, regionOpen };
  return { offsets, closing, partners, leftAt, parents, strays, ...regions, openTags };
}

/**
 * The starts of the JSX elements that are open at the end of a text; none where it ends in code or
 * in a tag.
 */
function openElements({ frames }: ScanState): number[] {
  const inner = frames.slice(frames.findLastIndex(({ kind }) => kind !== "children") + 1);
  return inner.flatMap((frame) => (frame.kind === "children" ? [frame.start] : []));
}

function scanFrames(state: ScanState): void {
  while (state.at < state.end) {
    const frame = state.frames.at(-1)!;
    if (frame.kind === "code") scanCode(state, frame);
    else if (frame.kind === "tag") scanTag(state);
    else scanChildren(state);
  }
}

function scanCode(state: ScanState, frame: CodeFrame): void {
  const { text } = state;
  const { triggers } = state.rules;
  const isOneLine = frame.resume?.multiline === false;
  while (state.at < state.end && state.frames.at(-1) === frame) {
    const code = text.charCodeAt(state.at);
    if (code === 10 && isOneLine) {
      // The literal around this code ends with its line, and so do the brackets open in it.
      state.brackets.cut(frame.floor, state.at);
      state.frames.pop();
      return;
    }
    const candidates = code < 128 ? triggers[code] : undefined;
    if (candidates === undefined || !candidates.some((trigger) => begin(state, frame, trigger))) state.at++;
  }
}

/** Scans the construct of `trigger` if it begins at `state.at`. Returns whether it did. */
function begin(state: ScanState, frame: CodeFrame, trigger: Trigger): boolean {
  switch (trigger.kind) {
    case "line-comment":
      return frame.resume?.multiline !== false && lineComment(state, trigger.open);
    case "block-comment":
      return blockComment(state, trigger.pair);
    case "literal":
      return literal(state, trigger.pattern);
    case "string":
      return string(state, trigger.rule);
    case "heredoc":
      return heredocHead(state, trigger.pattern);
    case "line-end":
      return heredocTexts(state);
    case "regex":
      return regex(state);
    case "percent":
      return percentLiteral(state);
    case "quote-run":
      return quoteRun(state);
    case "expansion":
      return expansion(state);
    case "case":
      return caseWord(state);
    case "jsx":
      if (!isElementStart(state)) return false;
      state.frames.push({ kind: "tag", start: state.at });
      state.at++;
      return true;
    case "island-end":
      if (!state.has("?>")) return false;
      scanSea(state, state.at + 2);
      return true;
    case "open":
      state.brackets.open(state.at, state.text.charCodeAt(state.at));
      state.at++;
      return true;
    case "close":
      closeBracket(state, frame, trigger.open);
      return true;
  }
}

function closeBracket(state: ScanState, frame: CodeFrame, open: number): void {
  const { brackets } = state;
  if (state.rules.language.quirks.shell === true && isCasePattern(state)) {
    state.at++;
    return;
  }
  const closed = brackets.close(state.at, open, frame.floor);
  state.at++;
  if (!closed || !frame.nested || brackets.depth > frame.floor) return;
  state.frames.pop();
  if (frame.resume !== undefined) scanString(state, frame.resume, state.at);
}

function lineComment(state: ScanState, open: string): boolean {
  const { text, at } = state;
  const { spacedComments, island } = state.rules.language.quirks;
  if (!state.has(open)) return false;
  if (spacedComments === true && at > 0 && !/[\s;]/.test(text[at - 1]!)) return false;
  // PHP's attributes begin like its comments.
  if (island !== undefined && state.has("#[")) return false;
  let stop = state.lineEnd(at);
  const islandEnd = island === undefined ? -1 : text.slice(at, stop).indexOf(island[1]);
  if (islandEnd >= 0) stop = at + islandEnd;
  state.region("comment", at, stop, { start: false, end: true });
  state.at = stop;
  return true;
}

function blockComment(state: ScanState, [open, close]: readonly [string, string]): boolean {
  if (!state.has(open)) return false;
  const start = state.at;
  let at = start + open.length;
  // The next marks are kept until they are passed, since many openers may precede one end.
  let stop = -1;
  let inner = state.rules.language.nestedComments ? -1 : state.end;
  for (let depth = 1; depth > 0 && at < state.end; ) {
    if (stop < at) stop = state.find(close, at);
    if (inner < at) inner = state.find(open, at);
    depth += inner < stop ? 1 : -1;
    if (stop === state.end) break;
    at = inner < stop ? inner + open.length : stop + close.length;
    if (depth === 0) {
      state.region("comment", start, at);
      state.at = at;
      return true;
    }
  }
  state.region("comment", start, state.end, { start: false, end: true });
  state.at = state.end;
  return true;
}

function literal(state: ScanState, pattern: RegExp): boolean {
  const { text, at } = state;
  if (isWord(text.charCodeAt(at)) && at > 0 && isWord(text.charCodeAt(at - 1))) return false;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return false;
  const end = Math.min(pattern.lastIndex, state.end);
  // An unclosed literal extends to the end, as a comment does, so that no later one searches for
  // its end again.
  state.region("string", at, end, { start: false, end: found.groups?.["open"] !== undefined });
  state.at = end;
  return true;
}

function string(state: ScanState, rule: StringRule): boolean {
  const { at } = state;
  if (!state.has(rule.open)) return false;
  if (rule.after !== undefined && !rule.after.test(state.wordBefore(at))) return false;
  state.at = at + rule.open.length;
  scanString(state, rule, at);
  return true;
}

function heredocHead(state: ScanState, pattern: RegExp): boolean {
  const { text, at, brackets } = state;
  pattern.lastIndex = at;
  const head = pattern.exec(text);
  if (head === null) {
    // A here-string is no heredoc, not from its second character either.
    if (!state.has("<<<")) return false;
    state.at += 3;
    return true;
  }
  const isArithmetic = text[brackets.topOffset] === "(" && text[brackets.topOffset - 1] === "(";
  if (isArithmetic) return false;
  state.heredocs.push(head.at(-1)!);
  state.at += head[0].length;
  return true;
}

function heredocTexts(state: ScanState): boolean {
  if (state.heredocs.length === 0) return false;
  for (const tag of state.heredocs.splice(0)) {
    const start = state.find("\n", state.at) + 1;
    const end = new RegExp(`^[ \\t]*${tag}(?!\\w)`, "gm");
    end.lastIndex = start;
    const closed = end.exec(state.text) !== null;
    state.at = closed ? end.lastIndex : state.end;
    state.region("string", start, state.at, { start: false, end: !closed });
  }
  return true;
}

const regexLiteral = /\/(?:[^/\\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*\])+\/\w*/y;

function regex(state: ScanState): boolean {
  if (!isValuePosition(state)) return false;
  regexLiteral.lastIndex = state.at;
  if (!regexLiteral.test(state.text) || regexLiteral.lastIndex > state.end) return false;
  state.region("regex", state.at, regexLiteral.lastIndex);
  state.at = regexLiteral.lastIndex;
  return true;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

function percentLiteral(state: ScanState): boolean {
  const { text, at, end } = state;
  const head = /%(?:[wWiIqQrsx]([^\w\s])|([[({<|!/]))/y;
  head.lastIndex = at;
  const found = head.exec(text);
  if (found === null || !isValuePosition(state)) return false;
  const open = found[1] ?? found[2]!;
  const close = closers[open] ?? open;
  let depth = 1;
  let stop = head.lastIndex;
  for (; stop < end && depth > 0; stop++) {
    const character = text[stop];
    if (character === "\\") stop++;
    else if (character === close) depth--;
    else if (character === open) depth++;
  }
  state.at = Math.min(stop, end);
  state.region("string", at, state.at, { start: false, end: depth > 0 });
  return true;
}

function quoteRun(state: ScanState): boolean {
  const { text, at } = state;
  const head = /(\$*)("{3,})/y;
  head.lastIndex = at;
  const found = head.exec(text);
  if (found === null) return false;
  const dollars = found[1]!.length;
  const marks = { interpolation: [["{".repeat(dollars), "}"]] } as const;
  state.at = head.lastIndex;
  const rule = { open: found[0], close: found[2]!, escape: "none", multiline: true } as const;
  scanString(state, dollars === 0 ? rule : { ...rule, ...marks }, at);
  return true;
}

function expansion(state: ScanState): boolean {
  if (!state.has("${")) return false;
  const end = expansionEnd(state, state.at);
  if (end < 0) return false;
  state.at = end;
  return true;
}

function caseWord(state: ScanState): boolean {
  const { text, at } = state;
  if (at > 0 && !/[\s;(&|]/.test(text[at - 1]!)) return false;
  const word = /case[ \t](?:[^\n]{0,2000}?[^\S\n]in\b|[^\n]{0,2000}\n\s*in\b)|esac\b/y;
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  if (found === undefined) return false;
  if (found === "esac") {
    state.cases.pop();
    state.at += found.length;
  } else {
    state.cases.push(state.brackets.depth);
    state.at += "case".length;
  }
  return true;
}

/**
 * Whether the round bracket at `state.at` ends a pattern of a shell's `case` and closes nothing.
 */
function isCasePattern(state: ScanState): boolean {
  const { cases, brackets } = state;
  while ((cases.at(-1) ?? -1) > brackets.depth) cases.pop();
  return state.text[state.at] === ")" && cases.at(-1) === brackets.depth;
}

/** Skips text outside of code, from `from` to the offset after the next mark that begins code. */
function scanSea(state: ScanState, from: number): void {
  const begin = /<\?(php\b|=|(?=\s))/gi;
  begin.lastIndex = from;
  const found = begin.exec(state.text);
  state.at = found === null ? state.end : begin.lastIndex;
  state.textRegion(from, state.at);
}
