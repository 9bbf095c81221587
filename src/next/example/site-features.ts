import { folderDistance, folderOf, nameOf } from "../../codebase/index.ts";
import { isScript } from "../layout/code-style.ts";
import { isWord, lineFeed } from "./code-tokens.ts";
import type { Site } from "./find-sites.ts";
import { closeness } from "./match-rewrite.ts";
import { type Example, isWrap, type Rewrite, saidBy } from "./rewrite.ts";
import type { Sequel } from "./series.ts";

/** What is known of a rewrite at a moment, wherever its places are. */
export interface RewriteStanding {
  /** How many edits were made since the newest example, and since the oldest. */
  readonly age: number;
  readonly oldestAge: number;
  /** Of the last five edits, and the last twelve, how many did the same. */
  readonly streak: number;
  readonly recent: number;
  /** Examples that are part of the newest one's edit. */
  readonly inNewest: number;
  /** Edits that did the same, and files they were in. */
  readonly edits: number;
  readonly files: number;
  /** Edits that are remembered. */
  readonly history: number;
  /** Places that the person went past. */
  readonly skipped: number;
  /** How much the examples are like each other; `undefined` for one alone. */
  readonly ownCloseness: number | undefined;
  /** How it stands in what is done over again. */
  readonly sequel: Sequel;
}

/** What is known of a file, for one of the rewrites. */
export interface FileStanding {
  readonly path: string;
  /** Whether the person is in another file, whether that one is open, and whether the person has edited it since, and gone on to another. */
  readonly isOther: boolean;
  readonly isOpen: boolean;
  readonly isLeft: boolean;
  /** How many places the file has. */
  readonly sites: number;
  /** Examples in it, and edits of any kind. */
  readonly examples: number;
  readonly edits: number;
  /** How many edits were made since the newest one in it; -1 where there is none. */
  readonly age: number;
  /** How many rewrites have places in it. */
  readonly rewrites: number;
  /** The share of the words that the rewrite brings which the file says somewhere, from 0 to 1; -1 where it brings none. */
  readonly saidFresh: number;
}

/** Where a place is among others. */
export interface SitePosition {
  /** Lines from the cursor, and from the nearest edit of the file; -1 in another file, and where there is none. */
  readonly lines: number;
  readonly linesToEdit: number;
  readonly isAbove: boolean;
  /** Whether the nearest edit is one of the examples. */
  readonly isNextToExample: boolean;
  /** How many places of the rewrite are between it and the cursor; from the file's begin, in another file. */
  readonly before: number;
  readonly neighbours: Neighbours;
}

/** Places that touch a place: those that come to another text, to the same, and such that change more. */
export interface Neighbours {
  readonly rivals: number;
  readonly allies: number;
  readonly larger: number;
}

/** What a rewrite itself is judged by, and what a place of it is. Trees are asked about them, so that no scale matters. */
export type RewriteFeatures = ReturnType<typeof rewriteFeatures>;
export type PlaceFeatures = ReturnType<typeof placeFeatures>;

/** What a place is judged by, with its rewrite. */
export interface SiteFeatures {
  readonly rewrite: RewriteFeatures;
  readonly place: PlaceFeatures;
}

/** A rewrite in numbers, by the example that a place is like. */
export function rewriteFeatures({ examples }: Rewrite, example: Example, standing: RewriteStanding) {
  const { newTokens, edit } = example;
  // What is put around something is put in front of it, as the trees have it.
  const items = isWrap(example) ? [] : example.items;
  const fixedWords = items.flatMap((item) => (item.kind === "sign" && isWord(item.text) ? [item.text] : []));
  const oldTokens = items.map(saidBy);
  const freshWords = freshWordsOf(example);
  const opener = example.before.openers[example.from] ?? -1;
  const opening = openingOf(example);
  return {
    support: examples.length,
    age: standing.age,
    oldestAge: standing.oldestAge,
    streak: standing.streak,
    recent: standing.recent,
    inNewest: standing.inNewest,
    supportEdits: standing.edits,
    supportFiles: standing.files,
    history: standing.history,
    skipped: standing.skipped,
    skippedShare: standing.skipped / (standing.skipped + examples.length),
    isWhole: Number(example.isWhole),
    share: example.share,
    runs: example.runs,
    editLines: edit.before.length + edit.after.length,
    items: items.length,
    fixedWords: fixedWords.length,
    fixedLength: lettersOf(fixedWords),
    fixedLongest: Math.max(0, ...fixedWords.map((word) => word.length)),
    heldSigns: items.filter((item) => item.kind === "sign" && !isWord(item.text)).length,
    keptWords: items.filter((item) => item.kind === "word").length,
    groups: items.filter((item) => item.kind === "group").length,
    newLength: newTokens.length,
    freshWords: freshWords.length,
    freshLength: lettersOf(freshWords),
    isNumber: Number(fixedWords.length > 0 && fixedWords.every((word) => /^\d+$/.test(word))),
    isWordForWord: Number(items.length === 1 && newTokens.length === 1 && fixedWords.length === 1),
    isLines: Number(newTokens.includes(lineFeed) || oldTokens.includes(lineFeed)),
    isQuoted: Number(opener >= 0 && /["'`]/.test(example.before.list[opener]!.text)),
    isImport: Number(/^(?:import|export|from|require|use|using|include)$/.test(opening)),
    isComment: Number(/^(?:\/|\*|#)$/.test(opening)),
    isWordRight: Number(isWord(example.before.list[example.to]?.text ?? "")),
  };
}

/** The words that an example brings, which were not in its stretch before. */
export function freshWordsOf({ items, newTokens }: Example): readonly string[] {
  const old = items.map(saidBy);
  return newTokens.filter((text) => isWord(text) && !old.includes(text));
}

/** A place in numbers. */
export function placeFeatures(
  site: Site,
  standing: Pick<RewriteStanding, "ownCloseness" | "sequel">,
  file: FileStanding,
  position: SitePosition,
) {
  const { example, left, right } = site.match;
  const own = example.edit.path;
  const isInsertion = example.items.length === 0 || isWrap(example);
  const close = closeness(site.match);
  const kept = example.items.flatMap((item) => (item.kind === "word" ? [item.sample] : []));
  const others = [...new Set(kept)].filter((word) => site.match.words.get(word) !== word);
  return {
    near: left.near + right.near,
    nearLeft: left.near,
    nearRight: right.near,
    nearLeast: Math.min(left.near, right.near),
    nearWords: left.nearWords + right.nearWords,
    equal: left.equal + right.equal,
    equalWords: left.equalWords + right.equalWords,
    others: left.others + right.others,
    lineTokens: left.lineTokens + right.lineTokens,
    lineOthers: left.lineTokens + right.lineTokens - left.lineEqual - right.lineEqual,
    lineShare: (left.lineEqual + right.lineEqual) / Math.max(1, left.lineTokens + right.lineTokens),
    isLineEqual: Number(left.isLineEqual) + Number(right.isLineEqual),
    isLineAlike: Number(left.isLineAlike) + Number(right.isLineAlike),
    insertionEqual: isInsertion ? left.equal + right.equal : -1,
    close,
    asAlike: standing.ownCloseness === undefined ? -1 : close / Math.max(1, standing.ownCloseness),
    isSameHead: Number(site.isSameHead),
    isSameOpening: Number(site.isSameOpening),
    isSameDepth: Number(site.isSameDepth),
    isOther: Number(file.isOther),
    isOpen: Number(file.isOpen),
    isLeft: Number(file.isLeft),
    isExampleHere: file.examples,
    editsHere: file.edits,
    sites: file.sites,
    isSameEnding: Number(endingOf(own) === endingOf(file.path)),
    isSameName: Number(own !== file.path && nameOf(own) === nameOf(file.path)),
    isSameFolder: Number(folderOf(own) === folderOf(file.path)),
    isSameKind: Number(kindOf(own) === kindOf(file.path)),
    kind: kindOf(file.path),
    lines: position.lines,
    linesToEdit: position.linesToEdit,
    isAbove: Number(position.isAbove),
    isNextToExample: Number(position.isNextToExample),
    before: position.before,
    rivals: position.neighbours.rivals,
    allies: position.neighbours.allies,
    larger: position.neighbours.larger,
    derivedWords: site.derived,
    unknownWords: site.unknown,
    otherWords: others.length,
    otherKeywords: others.filter((word) => keywords.has(word) || keywords.has(site.match.words.get(word) ?? "")).length,
    sequelGap: standing.sequel.gap,
    sequelLength: standing.sequel.gap === 0 ? -1 : standing.sequel.length,
    // What grows too long is laid out, where a formatter is known.
    isLaidOut: Number(site.outgrows && isScript(file.path)),
    isTooLong: Number(site.outgrows && !isScript(file.path)),
    fileAge: file.age,
    rewritesHere: file.rewrites,
    saidFresh: file.saidFresh,
    folders: folderDistance(folderOf(own), folderOf(file.path)),
    /** How many places are one step with it, and how likely the likeliest next to them is that is left out; 0 for none. */
    together: 1,
    leftOut: 0,
  };
}

/** Words that most languages of programs have of their own: another one there is another thing. */
const keywords = new Set(
  `abstract as async await break case catch class const continue def default delete do else enum export extends extern false
  final finally fn for from func function if implements import in instanceof interface is let match mut new nil None null of
  override package private protected pub public raise readonly return self static struct super switch this throw trait true
  False True try type typeof undefined use using var void where while with yield`.split(/\s+/),
);

function lettersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.replace(/[\d_]/g, "").length, 0);
}

/** The first token of the line that an example begins on. */
function openingOf({ before: { list }, from }: Example): string {
  let at = Math.min(from, list.length);
  while (at > 0 && list[at - 1]!.text !== lineFeed) at--;
  return list[at]?.text ?? "";
}

/** Whether a file is code, tests of it, or no code: 0, 1, 2. */
function kindOf(path: string): number {
  if (/\.(?:md|mdx|json|jsonc|ya?ml|toml|html?|css|scss|less|xml|txt)$/.test(path)) return 2;
  return /(?:^|[./_-])(?:tests?|specs?|__tests__|e2e|fixtures?|bench(?:mark)?s?)(?:[./_-]|$)/.test(path) ? 1 : 0;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
