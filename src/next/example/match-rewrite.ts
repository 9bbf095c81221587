import { type CodeTokens, isWord, lineFeed } from "./code-tokens.ts";
import { operandEnd } from "./operands.ts";
import { type Example, isWrap, type PatternItem, type Rewrite } from "./rewrite.ts";

/** A place where a rewrite applies. */
export interface RewriteMatch {
  readonly rewrite: Rewrite;
  /** The example that it is most like. */
  readonly example: Example;
  /** The tokens that the stretch has here, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** What words of the example are called here. */
  readonly words: ReadonlyMap<string, string>;
  /** What groups of the example are here, by hole. */
  readonly groups: ReadonlyMap<number, string>;
  readonly left: SideAgreement;
  readonly right: SideAgreement;
}

/** How far the tokens on one side agree, away from the stretch. */
export interface SideAgreement {
  /** Equal tokens before the first that is another. */
  readonly near: number;
  /** Words among them. */
  readonly nearWords: number;
  /** All equal tokens, and the words among them. */
  readonly equal: number;
  readonly equalWords: number;
  /** Words or groups that are others, and brackets that were left because what is in them differs: how much has to be thought away. */
  readonly others: number;
  /** Tokens of the line that were looked at, and those that are equal. */
  readonly lineTokens: number;
  readonly lineEqual: number;
  /** Whether all of the line agrees. */
  readonly isLineEqual: boolean;
  /** Whether the line agrees but for words and groups. */
  readonly isLineAlike: boolean;
}

/** The match of a rewrite whose stretch begins at the token `from`, by the example that it is most like; `undefined` where there is none. */
export function tryMatch(rewrite: Rewrite, tokens: CodeTokens, from: number): RewriteMatch | undefined {
  if (isWrap(rewrite.examples[0])) return tryMatchWrap(rewrite, tokens, from);
  const [{ items }] = rewrite.examples;
  const [first] = items;
  if (first?.kind === "sign" && tokens.list[from]?.text !== first.text) return undefined;
  let best: RewriteMatch | undefined;
  for (const example of rewrite.examples.slice(0, maxExamples)) {
    if (first === undefined && !fitsBesides(example, tokens, from, from)) continue;
    const stretch = tryStretch(example, tokens, from);
    if (stretch === undefined) return undefined;
    const { to, words, groups } = stretch;
    if (isDone(example, words, tokens, from, to) || !fitsBesides(example, tokens, from, to)) continue;
    const left = agreement(example.before, example.from - 1, tokens, from - 1, -1, words);
    const right = agreement(example.before, example.to, tokens, to, 1, words);
    if (!holdsWord(example) && left.near + right.near < leastNear) continue;
    const match = { rewrite, example, from, to, words, groups, left, right };
    if (best === undefined || closeness(match) > closeness(best)) best = match;
  }
  return best;
}

/** The match of what puts something around whatever stands there. */
function tryMatchWrap(rewrite: Rewrite, tokens: CodeTokens, from: number): RewriteMatch | undefined {
  const { list, source } = tokens;
  const before = list[from - 1]?.text;
  let best: RewriteMatch | undefined;
  let to: number | undefined;
  for (const example of rewrite.examples.slice(0, maxExamples)) {
    const beside = example.before.list[example.from - 1]?.text;
    const isArgument = [beside, before].every((text) => text === "(" || text === ",");
    if (beside !== before && !isArgument) continue;
    if (!isAlike(example.before.list[example.from]!.text, list[from]!.text)) continue;
    to ??= operandEnd(tokens, from);
    if (to === undefined || isWrapped(example, tokens, from)) return undefined;
    const words = new Map<string, string>();
    const left = agreement(example.before, example.from - 1, tokens, from - 1, -1, words);
    // Whether others follow an argument says little.
    const isLast = example.before.list[example.to]?.text !== ",";
    const around = list[to]!.text === "," && isLast ? tokens.partners[tokens.openers[from]!] : undefined;
    const right = agreement(example.before, example.to, tokens, around ?? to, 1, words);
    if (left.near + right.near < leastNear) continue;
    const groups = new Map([[0, source.slice(list[from]!.start, list[to - 1]!.end)]]);
    const match = { rewrite, example, from, to, words, groups, left, right };
    if (best === undefined || closeness(match) > closeness(best)) best = match;
  }
  return best;
}

/** Whether two tokens may be of one kind: names, or the same sign. What begins with them may be, too. */
function isAlike(one: string, other: string): boolean {
  return one === other || (isWord(one) && isWord(other));
}

/** Whether what is put around stands there already. */
function isWrapped({ result }: Example, { list, source }: CodeTokens, from: number): boolean {
  const [opening] = result;
  if (opening?.kind !== "text") return false;
  const start = list[from]!.start;
  return source.startsWith(opening.text, start) || source.slice(0, start).trimEnd().endsWith(opening.text);
}

/** The most examples of a rewrite that a place is held against, the newest. */
export const maxExamples = 4;
const maxGroupTokens = 80;
/** How many tokens have to agree around a stretch that no word holds. */
const leastNear = 2;

/** How much a place is like its example, as one number. */
export function closeness({ left, right }: Pick<RewriteMatch, "left" | "right">): number {
  return left.equal + right.equal - (left.others + right.others) / 2 + left.near + right.near;
}

/** How much the examples of a rewrite are like each other, as {@link closeness} has it: that of the newest to the one it is most like; `undefined` where there is only one. */
export function ownCloseness({ examples: [newest, ...others] }: Rewrite): number | undefined {
  const all = others.slice(0, maxExamples).map((other) => {
    const words = new Map<string, string>();
    const left = agreement(newest.before, newest.from - 1, other.before, other.from - 1, -1, words);
    const right = agreement(newest.before, newest.to, other.before, other.to, 1, words);
    return closeness({ left, right });
  });
  return all.length === 0 ? undefined : Math.max(...all);
}

/** What the stretch has to be without looking around: the items one after the other. */
function tryStretch(example: Example, tokens: CodeTokens, from: number) {
  const { list, source } = tokens;
  const { items } = example;
  const words = new Map<string, string>();
  const groups = new Map<number, string>();
  let at = from;
  for (const [index, item] of items.entries()) {
    if (item.kind === "group") {
      const end = groupEnd(tokens, at, terminator(example, index));
      if (end === undefined || end === at) return undefined;
      const said = source.slice(list[at]!.start, list[end - 1]!.end);
      if (said.includes("\n") !== item.sample.includes("\n")) return undefined;
      groups.set(item.hole, said);
      at = end;
      continue;
    }
    const said = list[at]?.text;
    if (said === undefined) return undefined;
    if (item.kind === "sign") {
      if (said !== item.text) return undefined;
    } else {
      const known = words.get(item.sample);
      if (!isWord(said) || (known !== undefined && known !== said)) return undefined;
      words.set(item.sample, said);
    }
    at++;
  }
  for (const item of items) if (item.kind === "sign" && isWord(item.text)) words.set(item.text, item.text);
  return { to: at, words, groups };
}

/** The sign that a group ends in front of. */
function terminator({ items, before, to }: Example, index: number): string | undefined {
  const next: PatternItem | undefined = items[index + 1];
  if (next !== undefined) return next.kind === "sign" ? next.text : undefined;
  return before.list[to]?.text;
}

function groupEnd({ list, partners }: CodeTokens, from: number, end: string | undefined): number | undefined {
  if (end === undefined) return undefined;
  for (let at = from; at < list.length && at < from + maxGroupTokens; at++) {
    if (list[at]!.text === end) return at;
    if (partners[at]! > at) at = partners[at]!;
    else if (partners[at]! >= 0 || /^[()[\]{}]$/.test(list[at]!.text)) return undefined;
  }
  return undefined;
}

/** Whether lines begin and end here as in the example, and a stretch that no word holds has neighbours like the example's. */
function fitsBesides(example: Example, tokens: CodeTokens, from: number, to: number): boolean {
  const { before, items } = example;
  const isHeld = holdsWord(example);
  const [one, there] = [saidAt(before, example.from - 1), saidAt(tokens, from - 1)];
  const fitsInFront = isHeld ? (one === lineFeed) === (there === lineFeed) : isAlike(one, there);
  if (!fitsInFront && !isClosing(example, tokens, from, to)) return false;
  if (items.length > 0 && isHeld) return true;
  if (!isAlike(saidAt(before, example.to), saidAt(tokens, to))) return false;
  // What is given at the end of a call is given to that function.
  return items.length > 0 || headOf(before, example.to) === headOf(tokens, to);
}

/** A token; beyond the first and the last line others begin. */
function saidAt({ list }: CodeTokens, index: number): string {
  return list[index]?.text ?? lineFeed;
}

/** The word in front of the brackets that a token closes. */
function headOf({ list, partners }: CodeTokens, closing: number): string | undefined {
  if (list[closing]?.text !== ")") return undefined;
  const head = list[partners[closing]! - 1]?.text;
  return head !== undefined && isWord(head) ? head : undefined;
}

/** Whether the stretch has a word that is the same everywhere. */
export function holdsWord({ items }: Pick<Example, "items">): boolean {
  return items.some((item) => item.kind === "sign" && isWord(item.text));
}

/** Whether something is put at the end of a bracket, whatever stands in front of it there. */
function isClosing({ before, items, to }: Example, tokens: CodeTokens, from: number, at: number): boolean {
  const there = tokens.list[at];
  if (items.length > 0 || from !== at || there === undefined || there.text === lineFeed) return false;
  const isEdge = tokens.list[from - 1] === undefined || tokens.list[from - 1]!.text === lineFeed;
  return !isEdge && before.list[to]?.text === there.text && before.partners[to]! >= 0 && tokens.partners[at]! >= 0;
}

/** Whether the new text stands here already. */
function isDone(
  { newTokens }: Example,
  words: ReadonlyMap<string, string>,
  { list }: CodeTokens,
  from: number,
  to: number,
): boolean {
  const count = newTokens.length;
  if (count === 0) return false;
  const fresh = newTokens.map((text) => words.get(text) ?? text);
  for (let start = Math.max(0, to - count); start <= from; start++) {
    let said = 0;
    while (said < count && list[start + said]?.text === fresh[said]) said++;
    if (said === count) return true;
  }
  return false;
}

const maxSteps = 40;
const maxOthers = 8;

/** How far the tokens from `i` and `j` on agree, in one direction. Words that are others here are noted in `words`. */
function agreement(
  example: CodeTokens,
  i: number,
  tokens: CodeTokens,
  j: number,
  step: -1 | 1,
  words: Map<string, string>,
): SideAgreement {
  let [near, nearWords, equal, equalWords, others, lines, lineTokens, lineEqual] = [0, 0, 0, 0, 0, 0, 0, 0];
  const bound = example.list[i]?.text === lineFeed ? 1 : 0;
  let isLineEqual = true;
  let isLineAlike = false;
  for (let steps = 0; steps < maxSteps && others <= maxOthers; steps++) {
    const [one, other] = [example.list[i], tokens.list[j]];
    const isEnd = one === undefined || one.text === lineFeed;
    if (isEnd && (other === undefined || other.text === lineFeed)) {
      if (lines === 0) isLineAlike = true;
      if (one === undefined || other === undefined || ++lines > 2) break;
      // The stretch may begin a line: then the line ending is not worth anything.
      [i, j] = [i + step, j + step];
      continue;
    }
    if (one === undefined || other === undefined) break;
    if (lines === 0) lineTokens++;
    const said = words.get(one.text) ?? one.text;
    if (one.text === other.text || (said === other.text && others > 0)) {
      equal++;
      if (lines === 0) lineEqual++;
      if (isWord(one.text)) equalWords++;
      if (others === 0) near++;
      if (others === 0 && isWord(one.text)) nearWords++;
      // What is called the same near by is not called otherwise farther away.
      if (isWord(one.text) && !words.has(one.text)) words.set(one.text, other.text);
      const [p, q] = [example.partners[i]!, tokens.partners[j]!];
      const isInside = step < 0 ? p >= 0 && p < i && q >= 0 && q < j : p > i && q > j;
      if (isInside && !saysSame(example, i, p, tokens, j, q)) {
        others++;
        if (lines === 0) isLineEqual = false;
        [i, j] = [p, q];
      } else [i, j] = [i + step, j + step];
      continue;
    }
    others++;
    if (lines === 0) isLineEqual = false;
    if (isWord(one.text) && isWord(other.text)) {
      // A word of another line says nothing of this one, unless whole lines come or go next to it.
      if (lines <= bound && !words.has(one.text)) words.set(one.text, other.text);
      [i, j] = [i + step, j + step];
      continue;
    }
    const [p, q] = [outer(example, i, step), outer(tokens, j, step)];
    if (p < 0 || q < 0 || example.list[p]!.text !== tokens.list[q]!.text) break;
    [i, j] = [p, q];
  }
  isLineEqual &&= isLineAlike;
  return { near, nearWords, equal, equalWords, others, lineTokens, lineEqual, isLineEqual, isLineAlike };
}

/** The bracket around a token on one side. */
function outer({ openers, partners }: CodeTokens, at: number, step: -1 | 1): number {
  const opener = openers[at]!;
  return step < 0 || opener < 0 ? opener : partners[opener]!;
}

function saysSame(one: CodeTokens, i: number, p: number, other: CodeTokens, j: number, q: number): boolean {
  if (i - p !== j - q) return false;
  const count = Math.abs(i - p);
  const [from, start] = [Math.min(i, p), Math.min(j, q)];
  for (let k = 1; k < count; k++) if (one.list[from + k]!.text !== other.list[start + k]!.text) return false;
  return true;
}
