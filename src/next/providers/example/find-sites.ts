import { Edit, getOrInsert } from "../../../text/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import { outgrowsLine } from "../../layout/code-style.ts";
import { type CodeTokens, isWord, lineFeed } from "./example-tokens.ts";
import { indentAt, linesAround } from "./learn-rewrites.ts";
import { closeness, holdsWord, maxExamples, type RewriteMatch, tryMatch } from "./match-rewrite.ts";
import { type Example, isWrap, lineFeedsIn, type PatternItem, type Rewrite } from "./rewrite.ts";
import { type Rewritten, rewritten } from "./rewritten-text.ts";
import type { TextLines } from "./text-lines.ts";

/** A place of a text where a rewrite applies, with its edit. */
export interface Site extends Rewritten {
  readonly match: RewriteMatch;
  /** The lines of the text that it touches, `[first, end)`; empty where lines are only inserted. */
  readonly first: number;
  readonly end: number;
  /**
   * Whether these equal those of the example: the word before the surrounding bracket, the first
   * token of the line, and the indentation.
   */
  readonly isSameHead: boolean;
  readonly isSameOpening: boolean;
  readonly isSameDepth: boolean;
  /** Whether its line becomes longer than the usual width of the text. */
  readonly outgrows: boolean;
}

/** A word that a site must contain, with its line relative to the start of the stretch. */
interface Anchor {
  readonly word: string;
  readonly lineDelta: number;
  /** Whether the word is next to the stretch and not in it. */
  readonly isBeside: boolean;
}

/** The most lines that are searched for a word of the stretch, and for a word next to it. */
const maxLinesContaining = 250;
const maxLinesBeside = 80;
/** A rewrite with more sites in a file is too general and is left out. */
const maxSites = 250;
/** Longer lines are not written by people. */
const maxLineLength = 600;

/**
 * Returns the sites of a rewrite in a text, in its order; an empty list where there are more than
 * 250. Lines start at 0, and offsets count UTF-16 code units.
 */
export function findSites(rewrite: Rewrite, text: TextLines): readonly Site[] {
  const { lines } = text;
  const [first] = rewrite.examples;
  const span = lineFeedsIn(first.items);
  const starts = new Set<number>();
  for (const { word, lineDelta, isBeside } of anchorsOf(rewrite)) {
    for (const line of text.linesContaining(word, isBeside ? maxLinesBeside : maxLinesContaining))
      starts.add(line - lineDelta);
  }
  const hasNeededTokens = neededSigns(rewrite);
  const sites: Site[] = [];
  let lastEnd = -1;
  for (const line of [...starts].sort((one, other) => one - other)) {
    if (line < 0 || line >= lines.count || lines.end(line) - lines.start(line) > maxLineLength) continue;
    if (!hasNeededTokens(text, line)) continue;
    const tokens = text.tokens(line - linesAround, line + span + 1 + linesAround);
    const [from, to] = [lines.start(line), lines.endWithBreak(line)];
    // A loop by index, because most of the time of a search is spent here.
    for (let index = 0; index < tokens.list.length; index++) {
      const token = tokens.list[index]!;
      if (token.start < from) continue;
      if (token.start >= to) break;
      if (token.start < lastEnd) continue;
      const match = tryMatch(rewrite, tokens, index);
      if (match === undefined) continue;
      const made = rewritten(match, tokens, text);
      const { edit } = made;
      if (edit.text === text.text.slice(edit.start, edit.end)) continue;
      const outgrows = outgrowsLine(text.text, Edit.of([edit]), () => text.width);
      const last = sites.at(-1);
      const opener = tokens.list[tokens.openers[match.from] ?? -1];
      if (isWrap(first) && last !== undefined && opener !== undefined && opener.start < last.edit.start) {
        // The wrap applies to one of several arguments: the closest one is kept.
        if (closeness(last.match) >= closeness(match)) continue;
        sites.pop();
      }
      sites.push({ ...made, match, outgrows, ...touchedLines(match, tokens, text, line), ...likeness(match, tokens) });
      if (sites.length > maxSites) return [];
      lastEnd = Math.max(edit.end, token.start + 1);
    }
  }
  return sites;
}

/**
 * Returns the lines that a match touches, the first of which is `line`. Inserted whole lines touch
 * none.
 */
function touchedLines(
  { example, from, to }: RewriteMatch,
  { list }: CodeTokens,
  { lines }: TextLines,
  line: number,
): Pick<Site, "first" | "end"> {
  const beginsLine = from === 0 || list[from - 1]!.text === lineFeed;
  if (beginsLine && from === to && example.newTokens.at(-1) === lineFeed) return { first: line, end: line };
  const last = to > from ? list[to - 1] : undefined;
  return { first: line, end: (last === undefined ? line : lines.lineAt(last.start)) + 1 };
}

/** Compares the surroundings of a match with those of the example. */
function likeness({ example, from }: RewriteMatch, tokens: CodeTokens) {
  return {
    isSameHead: headAround(example.before, example.from) === headAround(tokens, from),
    isSameOpening: openingOf(example.before, example.from) === openingOf(tokens, from),
    isSameDepth: example.indent === indentAt(tokens, from),
  };
}

/** The word before the innermost bracket that is open at a token, or that bracket itself. */
function headAround({ list, openers }: CodeTokens, at: number): string | undefined {
  const opener = openers[at] ?? -1;
  return opener < 0 ? undefined : (list[opener - 1]?.text ?? list[opener]!.text);
}

/** The first token of the line of a token. */
function openingOf({ list }: CodeTokens, index: number): string | undefined {
  let at = Math.min(index, list.length);
  while (at > 0 && list[at - 1]!.text !== lineFeed) at--;
  return list[at]?.text;
}

/**
 * Returns the words by which the sites of a rewrite are searched: words that it removes, else the
 * longest that it keeps and words next to the stretch.
 */
function anchorsOf({ examples }: Rewrite): readonly Anchor[] {
  const fixed: Anchor[] = [];
  const kept: Anchor[] = [];
  let lineDelta = 0;
  for (const item of examples[0].items) {
    if (item.kind === "sign" && isWord(item.text)) fixed.push({ word: item.text, lineDelta, isBeside: false });
    if (item.kind === "word") kept.push({ word: item.sample, lineDelta, isBeside: false });
    if (item.kind === "sign" && item.text === lineFeed) lineDelta++;
    if (item.kind === "group" && item.sample.includes("\n")) break;
  }
  const longest = (anchors: readonly Anchor[]) => [...anchors].sort((a, b) => b.word.length - a.word.length);
  if (fixed.length > 0) return longest(fixed).slice(0, 1);
  const around = examples
    .slice(0, 2)
    .flatMap((example) => [...wordsBeside(example, -1).slice(0, 2), ...wordsBeside(example, 1).slice(0, 2)]);
  const all = [...longest(kept).slice(0, 2), ...around];
  return all.filter(({ word, lineDelta: delta }, i) => {
    return all.findIndex((other) => other.word === word && other.lineDelta === delta) === i;
  });
}

/**
 * Returns sets of words, one of which a file with sites contains: the words of the example's line,
 * because people repeat lines, and the words that are removed or next to the stretch.
 */
function wordSetsOf(rewrite: Rewrite): readonly (readonly string[])[] {
  const [example] = rewrite.examples;
  const { list } = example.before;
  let [from, to] = [example.from, example.to];
  while (from > 0 && list[from - 1]!.text !== lineFeed) from--;
  while (to < list.length && list[to]!.text !== lineFeed) to++;
  const wordsIn = (start: number, end: number) => {
    const words = list.slice(start, end).flatMap(({ text }) => (isWord(text) ? [text] : []));
    return [...new Set(words)].sort((one, other) => other.length - one.length);
  };
  const line = wordsIn(from, to);
  const beside = [...wordsBeside(example, -1), ...wordsBeside(example, 1)].map(({ word }) => word);
  const near = beside.sort((one, other) => other.length - one.length)[0];
  const fixed = anchorsOf(rewrite)
    .slice(0, 1)
    .map(({ word }) => word);
  const isFixed = example.items.some((item) => item.kind === "sign" && isWord(item.text));
  const sets = [line.slice(0, 6), isFixed ? fixed : [], isFixed || near === undefined ? [] : [near]];
  return sets.filter((words) => words.length > 0);
}

/**
 * Returns the nearest words on one side of an example, among them the word before the brackets
 * around it.
 */
function wordsBeside({ before, from, to }: Example, step: -1 | 1): Anchor[] {
  const found: Anchor[] = [];
  let lineDelta = 0;
  let at = step < 0 ? from - 1 : to;
  for (let steps = 0; steps < 12 && found.length < 3; steps++) {
    const token = before.list[at]?.text;
    if (token === undefined || lineDelta < -1 || lineDelta > 1) break;
    if (token === lineFeed) lineDelta += step;
    else if (isWord(token) && token.length > 1) found.push({ word: token, lineDelta, isBeside: true });
    at += step;
  }
  // A closing bracket is not inside its own pair.
  const partner = before.partners[from] ?? -1;
  const inner = partner >= 0 && partner < from ? partner : (before.openers[from] ?? -1);
  const opener = step < 0 ? inner : -1;
  const head = before.list[opener - 1]?.text;
  const isSameLine = opener > 0 && before.list.slice(opener, from).every(({ text }) => text !== lineFeed);
  if (isSameLine && head !== undefined && isWord(head)) found.unshift({ word: head, lineDelta: 0, isBeside: true });
  return found;
}

/**
 * Returns a cheap test of whether a rewrite may apply at a line of a text, by the tokens that its
 * lines contain. It rejects no line with a site.
 */
export function neededSigns(rewrite: Rewrite): (text: TextLines, line: number) => boolean {
  const [first] = rewrite.examples;
  const own = ownSigns(first);
  // A stretch without a fixed word needs two neighbouring tokens of an example. The number of lines
  // of a group is unknown at other places.
  const isHeld = first.items.some(isLong) || isWrap(first) || holdsWord(first);
  const pairs = isHeld ? [] : rewrite.examples.slice(0, maxExamples).flatMap(pairsBeside);
  return (text, line) => {
    const isPresent = ({ token, lineDelta }: NeededSign) => text.lineContains(line + lineDelta, token);
    return own.every(isPresent) && (isHeld || pairs.some((pair) => pair.every(isPresent)));
  };
}

/** A token, with its line relative to the start of a stretch. */
interface NeededSign {
  readonly token: string;
  readonly lineDelta: number;
}

/** The tokens of the first line of a stretch, which every site contains. */
function ownSigns({ items }: Example): readonly NeededSign[] {
  const needed = new Set<string>();
  for (const item of items) {
    if (isLong(item)) break;
    if (item.kind !== "sign") continue;
    if (item.text === lineFeed) break;
    needed.add(item.text);
  }
  return [...needed].map((token) => ({ token, lineDelta: 0 }));
}

function isLong(item: PatternItem): boolean {
  return item.kind === "group" && item.sample.includes("\n");
}

/**
 * Returns pairs of tokens, one of which is next to every place that agrees with an example in two
 * tokens: both on one side, both on the other, or one on each.
 */
function pairsBeside(example: Example): readonly (readonly NeededSign[])[] {
  const [left, right] = [signsBeside(example, -1), signsBeside(example, 1)];
  const nearest = [...left.slice(0, 1), ...right.slice(0, 1)];
  return [left, nearest, right].filter((pair) => pair.length === 2);
}

/** The two tokens next to a stretch on one side, without line endings. */
function signsBeside({ before: { list }, items, from, to }: Example, step: -1 | 1): readonly NeededSign[] {
  const found: NeededSign[] = [];
  let lineDelta = step < 0 ? 0 : lineFeedsIn(items);
  for (let at = step < 0 ? from - 1 : to; list[at] !== undefined && found.length < 2; at += step) {
    const token = list[at]!.text;
    if (token === lineFeed) lineDelta += step;
    else found.push({ token, lineDelta });
  }
  return found;
}

/** The most files of the workspace that are searched for all rewrites together, and for one. */
export interface SearchedFiles {
  readonly inAll: number;
  readonly each: number;
}

/**
 * Returns the files of the workspace that may have sites of rewrites, each with these rewrites, the
 * nearest to `path` first. The file at `path` may be among them.
 */
export function filesContaining(
  rewrites: readonly Rewrite[],
  path: string,
  files: WorkspaceTexts,
  most: SearchedFiles,
): readonly (readonly [path: string, rewrites: readonly Rewrite[]])[] {
  const found = new Map<string, Set<Rewrite>>();
  for (const rewrite of rewrites) {
    for (const other of filesOf(rewrite, path, files, most.each))
      getOrInsert(found, other, () => new Set()).add(rewrite);
  }
  return nearest(path, [...found.keys()], most.inAll).map((other) => [other, [...found.get(other)!]]);
}

/**
 * Returns the files that contain all words of an example's line or the words that the rewrite
 * needs; the nearest where there are many.
 */
function filesOf(rewrite: Rewrite, path: string, files: WorkspaceTexts, most: number): ReadonlySet<string> {
  return new Set(wordSetsOf(rewrite).flatMap((words) => nearest(path, files.containing(words), most)));
}

function nearest(path: string, paths: readonly string[], count: number): readonly string[] {
  return paths
    .map((other) => ({ other, nearness: nearnessOf(path, other) }))
    .sort((one, other) => other.nearness - one.nearness || (one.other < other.other ? -1 : 1))
    .slice(0, count)
    .map(({ other }) => other);
}

/**
 * The length of the common prefix of two paths, and a half more where the second sorts after the
 * first.
 */
function nearnessOf(path: string, other: string): number {
  let at = 0;
  while (at < path.length && path[at] === other[at]) at++;
  return at + (other > path ? 0.5 : 0);
}
