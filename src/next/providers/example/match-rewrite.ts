import { type CodeTokens, isWord, lineFeed, operandEnd } from "./example-tokens.ts";
import { type Example, isWrap, type PatternItem, type Rewrite } from "./rewrite.ts";

/** A place where a rewrite applies. */
export interface RewriteMatch {
  readonly rewrite: Rewrite;
  /** The closest example. */
  readonly example: Example;
  /** The tokens of the stretch at the place, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** The words at the place, by the words of the example. */
  readonly words: ReadonlyMap<string, string>;
  /** The texts of the groups at the place, by hole. */
  readonly groups: ReadonlyMap<number, string>;
  readonly left: SideAgreement;
  readonly right: SideAgreement;
}

/**
 * How far the tokens on one side of a stretch agree with the example, read away from the stretch.
 */
export interface SideAgreement {
  /** Equal tokens before the first difference. */
  readonly near: number;
  /** Words among them. */
  readonly nearWords: number;
  /** All equal tokens, and the words among them. */
  readonly equal: number;
  readonly equalWords: number;
  /**
   * The number of differences: substituted words or groups, and brackets that were skipped because
   * their content differs.
   */
  readonly others: number;
  /** The compared tokens of the same line, and the equal ones among them. */
  readonly lineTokens: number;
  readonly lineEqual: number;
  /** Whether the rest of the line is equal. */
  readonly isLineEqual: boolean;
  /** Whether the rest of the line is equal except for words and groups. */
  readonly isLineAlike: boolean;
}

/**
 * Returns the match of a rewrite whose stretch begins at the token `from`, by the closest example;
 * `undefined` where it does not match.
 */
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

/** Returns the match of a rewrite that puts brackets around an operand. */
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
    // Whether other arguments follow is weak evidence.
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

/** Whether two tokens may be of one kind: both are words, or they are equal. */
function isAlike(one: string, other: string): boolean {
  return one === other || (isWord(one) && isWord(other));
}

/** Whether the operand is already wrapped. */
function isWrapped({ result }: Example, { list, source }: CodeTokens, from: number): boolean {
  const [opening] = result;
  if (opening?.kind !== "text") return false;
  const start = list[from]!.start;
  return source.startsWith(opening.text, start) || source.slice(0, start).trimEnd().endsWith(opening.text);
}

/** The most examples, the newest ones, that a place is compared with. */
export const maxExamples = 4;
const maxGroupTokens = 80;
/** How many tokens must agree around a stretch without a fixed word. */
const leastNear = 2;

/** The similarity of a place to its example, as one number: the higher, the more similar. */
export function closeness({ left, right }: Pick<RewriteMatch, "left" | "right">): number {
  return left.equal + right.equal - (left.others + right.others) / 2 + left.near + right.near;
}

/**
 * The similarity of a rewrite's newest example to the closest other one, as in {@link closeness};
 * `undefined` where there is only one example.
 */
export function ownCloseness({ examples: [newest, ...others] }: Rewrite): number | undefined {
  const all = others.slice(0, maxExamples).map((other) => {
    const words = new Map<string, string>();
    const left = agreement(newest.before, newest.from - 1, other.before, other.from - 1, -1, words);
    const right = agreement(newest.before, newest.to, other.before, other.to, 1, words);
    return closeness({ left, right });
  });
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Matches the items of an example one after the other; `undefined` where one does not match. */
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
      const text = source.slice(list[at]!.start, list[end - 1]!.end);
      if (text.includes("\n") !== item.sample.includes("\n")) return undefined;
      groups.set(item.hole, text);
      at = end;
      continue;
    }
    const token = list[at]?.text;
    if (token === undefined) return undefined;
    if (item.kind === "sign") {
      if (token !== item.text) return undefined;
    } else {
      const known = words.get(item.sample);
      if (!isWord(token) || (known !== undefined && known !== token)) return undefined;
      words.set(item.sample, token);
    }
    at++;
  }
  for (const item of items) if (item.kind === "sign" && isWord(item.text)) words.set(item.text, item.text);
  return { to: at, words, groups };
}

/** The sign that ends a group. */
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

/**
 * Whether lines begin and end as in the example and, for a stretch without a fixed word, its
 * neighbours are alike.
 */
function fitsBesides(example: Example, tokens: CodeTokens, from: number, to: number): boolean {
  const { before, items } = example;
  const isHeld = holdsWord(example);
  const [one, there] = [textAt(before, example.from - 1), textAt(tokens, from - 1)];
  const fitsInFront = isHeld ? (one === lineFeed) === (there === lineFeed) : isAlike(one, there);
  if (!fitsInFront && !isClosing(example, tokens, from, to)) return false;
  if (items.length > 0 && isHeld) return true;
  if (!isAlike(textAt(before, example.to), textAt(tokens, to))) return false;
  // An argument that is added at the end of a call is added for that function only.
  return items.length > 0 || headOf(before, example.to) === headOf(tokens, to);
}

/** The text of a token; outside the tokens, a line ending. */
function textAt({ list }: CodeTokens, index: number): string {
  return list[index]?.text ?? lineFeed;
}

/** The word before the brackets that a token closes. */
function headOf({ list, partners }: CodeTokens, closing: number): string | undefined {
  if (list[closing]?.text !== ")") return undefined;
  const head = list[partners[closing]! - 1]?.text;
  return head !== undefined && isWord(head) ? head : undefined;
}

/** Whether the stretch has a fixed word, equal at every site. */
export function holdsWord({ items }: Pick<Example, "items">): boolean {
  return items.some((item) => item.kind === "sign" && isWord(item.text));
}

/** Whether the rewrite inserts at the end of a bracket, whatever is before it. */
function isClosing({ before, items, to }: Example, tokens: CodeTokens, from: number, at: number): boolean {
  const there = tokens.list[at];
  if (items.length > 0 || from !== at || there === undefined || there.text === lineFeed) return false;
  const isEdge = tokens.list[from - 1] === undefined || tokens.list[from - 1]!.text === lineFeed;
  return !isEdge && before.list[to]?.text === there.text && before.partners[to]! >= 0 && tokens.partners[at]! >= 0;
}

/** Whether the new text is already there. */
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
    let matched = 0;
    while (matched < count && list[start + matched]?.text === fresh[matched]) matched++;
    if (matched === count) return true;
  }
  return false;
}

const maxSteps = 40;
const maxOthers = 8;

/**
 * Compares the tokens from `i` and `j` on in one direction. Substituted words are added to `words`.
 */
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
      // The stretch may begin a line; then the line ending does not count.
      [i, j] = [i + step, j + step];
      continue;
    }
    if (one === undefined || other === undefined) break;
    if (lines === 0) lineTokens++;
    const expected = words.get(one.text) ?? one.text;
    if (one.text === other.text || (expected === other.text && others > 0)) {
      equal++;
      if (lines === 0) lineEqual++;
      if (isWord(one.text)) equalWords++;
      if (others === 0) near++;
      if (others === 0 && isWord(one.text)) nearWords++;
      // A word that is equal nearby is not substituted farther away.
      if (isWord(one.text) && !words.has(one.text)) words.set(one.text, other.text);
      const [p, q] = [example.partners[i]!, tokens.partners[j]!];
      const isInside = step < 0 ? p >= 0 && p < i && q >= 0 && q < j : p > i && q > j;
      if (isInside && !isSameText(example, i, p, tokens, j, q)) {
        others++;
        if (lines === 0) isLineEqual = false;
        [i, j] = [p, q];
      } else [i, j] = [i + step, j + step];
      continue;
    }
    others++;
    if (lines === 0) isLineEqual = false;
    if (isWord(one.text) && isWord(other.text)) {
      // A substitution in another line does not hold for this one, unless whole lines are added or
      // removed next to it.
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

/** The index of the bracket around a token on one side; -1 where there is none. */
function outer({ openers, partners }: CodeTokens, at: number, step: -1 | 1): number {
  const opener = openers[at]!;
  return step < 0 || opener < 0 ? opener : partners[opener]!;
}

function isSameText(one: CodeTokens, i: number, p: number, other: CodeTokens, j: number, q: number): boolean {
  if (i - p !== j - q) return false;
  const count = Math.abs(i - p);
  const [from, start] = [Math.min(i, p), Math.min(j, q)];
  for (let k = 1; k < count; k++) if (one.list[from + k]!.text !== other.list[start + k]!.text) return false;
  return true;
}
