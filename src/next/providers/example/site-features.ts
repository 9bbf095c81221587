import { getOrInsert } from "../../../text/index.ts";
import { folderDistance, folderOf, nameOf } from "../../../workspace/index.ts";
import { isScript } from "../../layout/code-style.ts";
import { chanceOf } from "../boosted-trees.ts";
import { isWord, lineFeed } from "./example-tokens.ts";
import type { Site } from "./find-sites.ts";
import { closeness } from "./match-rewrite.ts";
import { type Example, isWrap, itemText, type Rewrite } from "./rewrite.ts";
import { siteTrees } from "./site-trees.ts";

/** The facts about a rewrite that do not depend on a site. */
export interface RewriteFacts {
  /** The number of edits since the newest example, and since the oldest. */
  readonly age: number;
  readonly oldestAge: number;
  /** How many of the last five edits, and of the last twelve, are examples. */
  readonly streak: number;
  readonly recent: number;
  /** Examples that are part of the newest one's edit. */
  readonly inNewest: number;
  /** Edits that are examples, and the number of their files. */
  readonly edits: number;
  readonly files: number;
  /** The number of edits in the history. */
  readonly history: number;
  /** The number of sites that the person passed. */
  readonly skipped: number;
  /** The similarity of the examples to each other; `undefined` for a single example. */
  readonly ownCloseness: number | undefined;
  /** How it continues a repeated series of edits. */
  readonly sequel: Sequel;
}

/** The facts about a file, for one of the rewrites. */
export interface FileFacts {
  readonly path: string;
  /**
   * Whether it is not the current file, whether it is open, and whether the person edited it and
   * then went to another.
   */
  readonly isOther: boolean;
  readonly isOpen: boolean;
  readonly isLeft: boolean;
  /** The number of sites in the file. */
  readonly sites: number;
  /** Examples in it, and edits of any kind. */
  readonly examples: number;
  readonly edits: number;
  /** The number of edits since the newest one in it; -1 where there is none. */
  readonly age: number;
  /** How many rewrites have sites in it. */
  readonly rewrites: number;
  /**
   * The share of the rewrite's new words that the file contains, in [0, 1]; -1 where it has no new
   * words.
   */
  readonly newWordShare: number;
}

/** The position of a site among others. */
export interface SitePosition {
  /**
   * Lines from the cursor, and from the nearest edit of the file; -1 in another file, and where
   * there is none.
   */
  readonly lines: number;
  readonly linesToEdit: number;
  readonly isAbove: boolean;
  /** Whether the nearest edit is one of the examples. */
  readonly isNextToExample: boolean;
  /** How many sites of the rewrite are between it and the cursor; in another file, before it. */
  readonly before: number;
  readonly neighbours: Neighbours;
}

/**
 * The number of overlapping sites: with another new text, with the same, and with a larger change.
 */
export interface Neighbours {
  readonly rivals: number;
  readonly allies: number;
  readonly larger: number;
}

/**
 * The features of a rewrite, and of a site of it. They are inputs of decision trees, so their scale
 * does not matter.
 */
export type RewriteFeatures = ReturnType<typeof rewriteFeatures>;
type PlaceFeatures = ReturnType<typeof placeFeatures>;

/** The features of a site and of its rewrite. */
export interface SiteFeatures {
  readonly rewrite: RewriteFeatures;
  readonly place: PlaceFeatures;
}

/**
 * Computes the features of a rewrite for a site, all of them numbers. `example` is the example of
 * the rewrite that the site is closest to; nothing else of the site counts.
 */
export function rewriteFeatures({ examples }: Rewrite, example: Example, facts: RewriteFacts) {
  const { newTokens, edit } = example;
  // For the trees, a wrap is an insertion before its operand.
  const items = isWrap(example) ? [] : example.items;
  const fixedWords = items.flatMap((item) => (item.kind === "sign" && isWord(item.text) ? [item.text] : []));
  const oldTokens = items.map(itemText);
  const freshWords = freshWordsOf(example);
  const opener = example.before.openers[example.from] ?? -1;
  const opening = openingOf(example);
  return {
    support: examples.length,
    age: facts.age,
    oldestAge: facts.oldestAge,
    streak: facts.streak,
    recent: facts.recent,
    inNewest: facts.inNewest,
    supportEdits: facts.edits,
    supportFiles: facts.files,
    history: facts.history,
    skipped: facts.skipped,
    skippedShare: facts.skipped / (facts.skipped + examples.length),
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

/** Returns the words of an example's new text that are not in its old text. */
export function freshWordsOf({ items, newTokens }: Example): readonly string[] {
  const old = items.map(itemText);
  return newTokens.filter((text) => isWord(text) && !old.includes(text));
}

/**
 * Computes the features of a site, all of them numbers, from the facts about its rewrite, its file
 * and its position there; -1 where one is unknown.
 */
export function placeFeatures(
  site: Site,
  facts: Pick<RewriteFacts, "ownCloseness" | "sequel">,
  file: FileFacts,
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
    asAlike: facts.ownCloseness === undefined ? -1 : close / Math.max(1, facts.ownCloseness),
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
    sequelGap: facts.sequel.gap,
    sequelLength: facts.sequel.gap === 0 ? -1 : facts.sequel.length,
    // A line that grows too long is reformatted where a formatter is known.
    isLaidOut: Number(site.outgrows && isScript(file.path)),
    isTooLong: Number(site.outgrows && !isScript(file.path)),
    fileAge: file.age,
    rewritesHere: file.rewrites,
    newWordShare: file.newWordShare,
    folders: folderDistance(folderOf(own), folderOf(file.path)),
    /**
     * How many sites form one step with it, and the highest likelihood of a neighbour that is left
     * out; 0 for none.
     */
    together: 1,
    leftOut: 0,
  };
}

/** Words that are keywords in most programming languages: another keyword means other code. */
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

/** The kind of a file: 0 for code, 1 for tests, 2 for anything else. */
function kindOf(path: string): number {
  if (/\.(?:md|mdx|json|jsonc|ya?ml|toml|html?|css|scss|less|xml|txt)$/.test(path)) return 2;
  return /(?:^|[./_-])(?:tests?|specs?|__tests__|e2e|fixtures?|bench(?:mark)?s?)(?:[./_-]|$)/.test(path) ? 1 : 0;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** How an edit continues a repeated series of edits. */
interface Sequel {
  /**
   * How many edits after a repetition of the last edit it followed the last time: 1 for directly; 0
   * for not at all.
   */
  readonly gap: number;
  /** How many edits before that one and before the last edit also agree, one by one. */
  readonly length: number;
}

/** The greatest gap between two edits, and the longest run that is counted. */
const maxGap = 3;
const maxLength = 4;

const none: Sequel = { gap: 0, length: 0 };

/**
 * The order of the recent edits: a person who repeats in one file what was done in another
 * continues in the same order.
 */
export class Series {
  readonly #keys: readonly ReadonlySet<string>[];

  /** `keys` are the rewrites of each edit, the newest edit first. */
  constructor(keys: readonly ReadonlySet<string>[]) {
    this.#keys = keys;
  }

  /**
   * Returns how edits of these ages, 0 for the newest, continue the last edit; the smallest gap
   * counts. A gap of 0 means that none does.
   */
  sequelOf(ages: Iterable<number>): Sequel {
    let best = none;
    for (const age of ages) {
      for (let gap = 1; gap <= maxGap; gap++) {
        if (age < gap || !this.#isSame(0, age + gap)) continue;
        let length = 0;
        while (length < maxLength && age > length + 1 && this.#isSame(length + 1, age + gap + length + 1)) length++;
        if (best.gap === 0 || gap < best.gap || (gap === best.gap && length > best.length)) best = { gap, length };
        break;
      }
    }
    return best;
  }

  /** Whether edits of two ages have a rewrite in common. */
  #isSame(one: number, other: number): boolean {
    const [keys, others] = [this.#keys[one], this.#keys[other]];
    if (keys === undefined || others === undefined) return false;
    for (const key of keys) if (others.has(key)) return true;
    return false;
  }
}

/**
 * Returns the likelihood that exactly this edit is made at a site, in [0, 1].
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits, replayed in the order
 * of their diffs.
 */
export function siteLikelihood(features: SiteFeatures): number {
  return chanceOf(siteTrees, siteNumbers(features));
}

/**
 * Returns the features of a site in the order of the trees, without the features of earlier
 * feedback, which follow them.
 */
export function siteNumbers({ rewrite, place }: SiteFeatures): readonly number[] {
  return numbersOf(rewrite).concat(Object.values(place));
}

/** Returns the names of {@link siteNumbers}. */
export function siteNames({ rewrite, place }: SiteFeatures): readonly string[] {
  return [...Object.keys(rewrite), ...Object.keys(place)];
}

/** Cached, because a rewrite has many sites. */
const numbers = new WeakMap<RewriteFeatures, readonly number[]>();

function numbersOf(rewrite: RewriteFeatures): readonly number[] {
  return getOrInsert(numbers, rewrite, () => Object.values(rewrite));
}
