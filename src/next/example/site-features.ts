import { isWord, lineFeed } from "./code-tokens.ts";
import type { Site } from "./find-sites.ts";
import type { Rewrite } from "./rewrite.ts";

/** What is known of a rewrite's places, besides the place itself. */
export interface SiteSurroundings {
  readonly path: string;
  /** How many edits were made since the example. */
  readonly age: number;
  /** How many places the file has. */
  readonly sites: number;
  /** Places that the person went past. */
  readonly skipped: number;
  /** Of the last five edits, how many did the same. */
  readonly streak: number;
  /** Lines from the cursor; `undefined` in another file. */
  readonly lines: number | undefined;
  readonly isAbove: boolean;
  /** Whether the person has edited the file since, and gone on to another. */
  readonly isLeft: boolean;
  readonly isOpen: boolean;
}

/** A place in numbers, each about 0 to 1, by name. */
export function siteFeatures(site: Site, rewrite: Rewrite, around: SiteSurroundings): Readonly<Record<string, number>> {
  const { match, renamed } = site;
  const { example, agreement } = match;
  const { left, right, otherHoles } = agreement;
  const signs = example.items.filter((item) => item.kind === "sign");
  const fixedWords = signs.filter((item) => isWord(item.text));
  const fixedLength = fixedWords.reduce((sum, { text }) => sum + text.length, 0);
  const isInsertion = example.items.length === 0;
  const isDeletion = example.newTokens.length === 0;
  const isOneWord = example.items.length === 1 && example.newTokens.length === 1 && fixedWords.length === 1;
  const cap = (value: number, most: number) => Math.min(value, most) / most;
  const log = (value: number, most: number) => Math.min(1, Math.log2(1 + value) / Math.log2(1 + most));
  const support = rewrite.examples.length;
  const isLineEqual = left.isLineEqual && right.isLineEqual;
  const isLineAlike = left.isLineAlike && right.isLineAlike;
  return {
    support: log(support - 1, 7),
    supported: support > 1 ? 1 : 0,
    age: log(around.age, 15),
    isWhole: example.isWhole ? 1 : 0,
    fixedWords: cap(fixedWords.length, 4),
    fixedLength: log(fixedLength, 30),
    newLength: log(example.newTokens.length, 30),
    hasLines: example.newTokens.includes(lineFeed) || signs.some(({ text }) => text === lineFeed) ? 1 : 0,
    isInsertion: isInsertion ? 1 : 0,
    isDeletion: isDeletion ? 1 : 0,
    isOneWord: isOneWord ? 1 : 0,
    otherHoles: cap(otherHoles, 3),
    renamed: cap(renamed, 3),
    near: cap(left.near + right.near, 10),
    nearLeft: cap(left.near, 5),
    nearRight: cap(right.near, 5),
    nearLeast: cap(Math.min(left.near, right.near), 4),
    nearWords: cap(left.nearWords + right.nearWords, 4),
    equal: cap(left.equal + right.equal, 24),
    equalWords: cap(left.equalWords + right.equalWords, 8),
    others: cap(left.others + right.others, 8),
    hops: cap(left.hops + right.hops, 3),
    isLineEqual: isLineEqual ? 1 : 0,
    isLineAlike: isLineAlike ? 1 : 0,
    sites: log(around.sites, 30),
    skipped: log(around.skipped, 15),
    skippedShare: around.skipped / (around.skipped + support),
    isOther: around.lines === undefined ? 1 : 0,
    isClosed: around.lines === undefined && !around.isOpen ? 1 : 0,
    isLeft: around.isLeft ? 1 : 0,
    isExampleFile: example.edit.path === around.path ? 1 : 0,
    isSameEnding: endingOf(example.edit.path) === endingOf(around.path) ? 1 : 0,
    isSameName: example.edit.path !== around.path && nameOf(example.edit.path) === nameOf(around.path) ? 1 : 0,
    streak: around.streak,
    fixedLetters: log(fixedWords.reduce((sum, { text }) => sum + text.replace(/[\d_]/g, "").length, 0), 30),
    isNumber: fixedWords.length > 0 && fixedWords.every(({ text }) => /^\d+$/.test(text)) ? 1 : 0,
    otherHolesAlone: otherHoles > 0 && support === 1 ? 1 : 0,
    insertionNear: isInsertion ? cap(left.nearWords + right.nearWords, 4) : 0,
    insertionEqual: isInsertion ? cap(left.equal + right.equal, 24) : 0,
    insertionLines: isInsertion && example.newTokens.includes(lineFeed) ? 1 : 0,
    lineEqualLone: isLineEqual && support === 1 ? 1 : 0,
    supportSkipped: support > 1 && around.skipped > 0 ? 1 : 0,
    sitesLone: support === 1 ? log(around.sites, 30) : 0,
    lines: around.lines === undefined ? 0 : log(around.lines, 500),
    isAbove: around.isAbove ? 1 : 0,
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
