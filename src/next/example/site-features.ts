import { isWord, lineFeed } from "./code-tokens.ts";
import type { Site } from "./find-sites.ts";
import { closeness } from "./match-rewrite.ts";
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
  /** How much the examples are like each other; `undefined` for one alone. */
  readonly ownCloseness: number | undefined;
}

/** What a place is judged by. */
export type SiteFeature =
  | "age"
  | "asAlike"
  | "equalWords"
  | "fixedLength"
  | "fixedLetters"
  | "fixedWords"
  | "insertionEqual"
  | "insertionLines"
  | "isAbove"
  | "isDeletion"
  | "isLeft"
  | "isNumber"
  | "isOther"
  | "isSameAgain"
  | "isSameEnding"
  | "isSameName"
  | "isWhole"
  | "isWordRight"
  | "lineOthers"
  | "lineShare"
  | "lines"
  | "near"
  | "nearLeast"
  | "nearLeft"
  | "nearWords"
  | "newLength"
  | "others"
  | "sites"
  | "sitesSupported"
  | "skippedFixed"
  | "streak"
  | "support";

/** A place in numbers, each about 0 to 1, by name. */
export function siteFeatures(
  site: Site,
  rewrite: Rewrite,
  around: SiteSurroundings,
): Readonly<Record<SiteFeature, number>> {
  const { match } = site;
  const { example, left, right } = match;
  const signs = example.items.filter((item) => item.kind === "sign");
  const fixedWords = signs.filter((item) => isWord(item.text));
  const fixedLength = fixedWords.reduce((sum, { text }) => sum + text.length, 0);
  const isInsertion = example.items.length === 0;
  const isDeletion = example.newTokens.length === 0;
  const cap = (value: number, most: number) => Math.min(value, most) / most;
  const log = (value: number, most: number) => Math.min(1, Math.log2(1 + value) / Math.log2(1 + most));
  const support = rewrite.examples.length;
  const own = around.ownCloseness;
  const alike = own === undefined ? undefined : Math.max(0, Math.min(1, closeness(match) / Math.max(1, own)));
  const isSame = alike !== undefined && alike >= 1 && around.streak >= 2 / 5 && example.isWhole;
  return {
    support: log(support - 1, 7),
    age: log(around.age, 15),
    isWhole: example.isWhole ? 1 : 0,
    fixedWords: cap(fixedWords.length, 4),
    fixedLength: log(fixedLength, 30),
    newLength: log(example.newTokens.length, 30),
    isDeletion: isDeletion ? 1 : 0,
    near: cap(left.near + right.near, 10),
    nearLeft: cap(left.near, 5),
    nearLeast: cap(Math.min(left.near, right.near), 4),
    nearWords: cap(left.nearWords + right.nearWords, 4),
    equalWords: cap(left.equalWords + right.equalWords, 8),
    others: cap(left.others + right.others, 8),
    sites: log(around.sites, 30),
    isSameAgain: isSame && around.lines !== undefined && !around.isAbove ? 1 : 0,
    isOther: around.lines === undefined ? 1 : 0,
    isLeft: around.isLeft ? 1 : 0,
    isSameEnding: endingOf(example.edit.path) === endingOf(around.path) ? 1 : 0,
    isSameName: example.edit.path !== around.path && nameOf(example.edit.path) === nameOf(around.path) ? 1 : 0,
    streak: around.streak,
    isWordRight: right.near > 0 && isWord(example.before.list[example.to]?.text ?? "") ? 1 : 0,
    lineOthers: cap(left.lineTokens + right.lineTokens - left.lineEqual - right.lineEqual, 6),
    lineShare: (left.lineEqual + right.lineEqual) / Math.max(1, left.lineTokens + right.lineTokens),
    asAlike: alike === undefined ? 0 : alike,
    sitesSupported: support > 1 ? log(around.sites, 30) : 0,
    skippedFixed: fixedWords.length > 0 ? around.skipped / (around.skipped + support) : 0,
    fixedLetters: log(
      fixedWords.reduce((sum, { text }) => sum + text.replace(/[\d_]/g, "").length, 0),
      30,
    ),
    isNumber: fixedWords.length > 0 && fixedWords.every(({ text }) => /^\d+$/.test(text)) ? 1 : 0,
    insertionEqual: isInsertion ? cap(left.equal + right.equal, 24) : 0,
    insertionLines: isInsertion && example.newTokens.includes(lineFeed) ? 1 : 0,
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
