import { languageById, plaintext, Structure, type SyntaxDiagnostic } from "../../syntax/index.ts";
import { closersFor } from "./bracket-balance.ts";
import { ClosingTags } from "./fit-closing-tag.ts";
import { indentOf, lastLineOf } from "./line-indentation.ts";
import { joinsWords, spaceBehind } from "./space-behind.ts";

/**
 * A text with a place in it, and how to find what is wrong with such a text.
 */
export interface CheckedPlace {
  /** The id of the language. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
  /** The syntax errors of the text with this inserted at the place, in the order of the text. */
  readonly errorsWith: (inserted: string) => Promise<readonly SyntaxDiagnostic[]>;
}

/**
 * A text that may be inserted, and the tokens it is made of, each with the white space before it.
 */
export interface CheckedText<Token extends CheckedToken = CheckedToken> {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** They add up to the text; where they do not, the text passes whole or not at all. */
  readonly tokens: readonly Token[];
}

/** One token of a {@link CheckedText}. */
export interface CheckedToken {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
}

/** A completion that keeps the syntax, or none. */
export type CheckAnswer<Token extends CheckedToken = CheckedToken> =
  | {
      readonly kind: "passed";
      readonly completion: CheckedText<Token>;
      /**
       * `whole`: as the model offered it. `shortened`: without its end. `alternative`: not the
       * model's first.
       */
      readonly how: "whole" | "shortened" | "alternative";
    }
  | {
      readonly kind: "breaks-syntax";
      /**
       * The first error that the first completion would bring; absent where there was no
       * completion.
       */
      readonly issue?: SyntaxDiagnostic;
    };

/**
 * The first of the model's completions, likeliest first, that does not break the syntax of its
 * text, or the longest beginning of one that does not. Of each completion up to 12 tokens are left
 * out before the next one is tried. `breaks-syntax` where none is found. Rejects where `errorsWith`
 * does.
 *
 * Code that is being typed is seldom whole, so a completion need not make it whole. It breaks the
 * syntax when the text with it has a `return` or the like that may not stand there, or more errors
 * than the text without it, and still has more once what the completion itself leaves open is
 * closed: its brackets, a block, an operand. In a text that was broken behind the place already, an
 * error that the completion is a part of breaks it too, since a parser that stops there no longer
 * sees the other one.
 *
 * Languages without a parser let everything pass.
 */
export async function checkCompletions<Token extends CheckedToken>(
  completions: readonly CheckedText<Token>[],
  checked: CheckedPlace,
): Promise<CheckAnswer<Token>> {
  const place: PlaceWithTags = { ...checked, tags: new ClosingTags(checked) };
  const before = await place.errorsWith("");
  for (const [index, completion] of completions.entries()) {
    const misplaced = await misplacedAt(completion.text, before, place);
    if (misplaced === undefined && (await keepsSyntax(completion.text, before, place))) {
      return { kind: "passed", completion, how: index === 0 ? "whole" : "alternative" };
    }
    for (const beginning of beginnings(completion, place)) {
      if (beginning.text.length > (misplaced ?? Number.POSITIVE_INFINITY)) continue;
      if (await isValidAlone(beginning.text, before, place)) {
        return { kind: "passed", completion: beginning, how: "shortened" };
      }
    }
  }
  const first = completions[0];
  const after = first === undefined ? [] : await place.errorsWith(first.text);
  const known = new Set(before.map(({ code, message }) => `${code} ${message}`));
  const issue = after.find(({ code, message }) => !known.has(`${code} ${message}`)) ?? after[0];
  return { kind: "breaks-syntax", ...(issue && { issue }) };
}

interface PlaceWithTags extends CheckedPlace {
  readonly tags: ClosingTags;
}

/** How many tokens may be taken off the end of a completion. */
const maxCut = 12;

/**
 * The beginnings of a completion, longest first, that end with a token and say something. The space
 * that the completion has behind one stays in front of a word; one without a space there, whose
 * last word would become part of that word, is left out.
 */
function* beginnings<Token extends CheckedToken>(
  { text, probability, tokens }: CheckedText<Token>,
  place: CheckedPlace,
): Generator<CheckedText<Token>> {
  let end = text.length;
  for (let count = tokens.length - 1; count > 0 && tokens.length - count <= maxCut; count -= 1) {
    const cut = tokens[count]!.text;
    // Tokens that do not add up to the text come from a model with another tokeniser.
    if (!text.slice(0, end).endsWith(cut)) return;
    end -= cut.length;
    const beginning = text.slice(0, end).trimEnd();
    if (beginning.trim() === "") return;
    const spaced = beginning + spaceBehind(beginning, /^\s*/.exec(cut)![0], place);
    if (joinsWords(spaced, place.suffix)) continue;
    const kept = tokens.slice(0, count);
    const product = kept.reduce((all, token) => all * token.probability, 1);
    yield { text: spaced, probability: Math.max(probability, product), tokens: kept };
  }
}

async function keepsSyntax(text: string, before: readonly SyntaxDiagnostic[], place: PlaceWithTags): Promise<boolean> {
  if (leavesTrailingComma(text, place) || place.tags.closeOther(text)) return false;
  const after = await place.errorsWith(text);
  if (isNoWorse(text, { before, after, place })) return true;
  if (isHopeless(text, after, place)) return false;
  for (const ending of endingsOf(text, place)) {
    if (isNoWorse(text, { before, after: await place.errorsWith(text + ending), place })) return true;
  }
  return false;
}

/**
 * Whether a beginning of a completion is valid as it is, or with its brackets closed; called more
 * often than for the whole.
 */
async function isValidAlone(text: string, before: readonly SyntaxDiagnostic[], place: PlaceWithTags): Promise<boolean> {
  // The beginning of a tag that was cut off since it fits nowhere.
  if (languageById(place.language)?.hasElements === true && /<\/?$/.test(text)) return false;
  if (leavesTrailingComma(text, place) || place.tags.closeOther(text)) return false;
  if (isNoWorse(text, { before, after: await place.errorsWith(text), place })) return true;
  const closers = closersOf(text, place);
  return closers !== "" && isNoWorse(text, { before, after: await place.errorsWith(text + closers), place });
}

/**
 * Whether a completion puts a comma in front of a closing bracket of strict JSON, which no parser
 * reads, or of the same line, where no item is meant to follow. The text with it is not taken for
 * unfinished, as a text that is being typed would be: it looks finished.
 *
 * A tuple of one item, `(a,)`, is left alone.
 */
function leavesTrailingComma(text: string, { language, prefix, suffix }: CheckedPlace): boolean {
  const isStrict = languageById(language)?.json === "strict";
  if (isStrict && /,\s*$/.test(text) && /^\s*[}\]]/.test(suffix)) return true;
  if (/^[ \t]*,[ \t]*[)\]}]/.test(text)) return !endsSingleItem(prefix);
  const last = /,[ \t]*$/.exec(text);
  return last !== null && /^[ \t]*[)\]}]/.test(suffix) && !endsSingleItem(prefix + text.slice(0, last.index));
}

/** Whether a text ends with the first item of a tuple in parentheses, on its line. */
function endsSingleItem(text: string): boolean {
  return /(?:^|[^\w)\]])\([^()[\]{},]*$/.test(text.slice(text.lastIndexOf("\n") + 1));
}

interface Comparison {
  readonly before: readonly SyntaxDiagnostic[];
  readonly after: readonly SyntaxDiagnostic[];
  readonly place: CheckedPlace;
}

function isNoWorse(text: string, { before, after, place: { prefix } }: Comparison): boolean {
  if (after.length === 0) return true;
  if (after.length > before.length) return false;
  const brokenBehind = before.every(({ start }) => start >= prefix.length);
  const end = prefix.length + text.length;
  // An error that begins before the completion, and was not there without it, is about it, too.
  const touches = after.some((one) => one.start < end && (one.end > prefix.length || one.start >= prefix.length));
  return !(brokenBehind && touches);
}

/**
 * Where a completion writes, or ends, a `return`, `break` or the like that may not stand there: its
 * offset in the completion, at least 0; `undefined` where there is none.
 */
async function misplacedAt(
  text: string,
  before: readonly SyntaxDiagnostic[],
  place: CheckedPlace,
): Promise<number | undefined> {
  const known = new Set(before.flatMap(({ code, start }) => (code === "misplaced" ? [start] : [])));
  const [from, end] = [place.prefix.length, place.prefix.length + text.length];
  // What stands behind an open bracket is seen only where that is closed.
  for (const ending of new Set(["", closersOf(text, place)])) {
    const issue = (await place.errorsWith(text + ending)).find(
      (one) => one.code === "misplaced" && one.start < end && one.end > from && !known.has(one.start),
    );
    if (issue !== undefined) return Math.max(0, issue.start - from);
  }
  return undefined;
}

/**
 * Whether a script's parser, which reads from left to right, stops before the completion's end: no
 * ending helps then.
 */
function isHopeless(text: string, after: readonly SyntaxDiagnostic[], { language, prefix }: CheckedPlace): boolean {
  if (languageById(language)?.script === undefined) return false;
  const end = prefix.length + text.trimEnd().length;
  return after.some((one) => one.code === "unexpected" && one.start >= prefix.length && one.end < end);
}

/**
 * What might follow a completion that is not whole, most modest first: nothing but its brackets
 * closed; an operand, or the end of the block it opens, and its brackets closed.
 */
function endingsOf(text: string, { language, prefix, suffix }: CheckedPlace): string[] {
  const closers = closersOf(text, { language, prefix });
  const found = closers === "" ? [] : [closers];
  const line = `\n${indentOf(lastLineOf(prefix + text))}`;
  // What follows on the same line is the completion's own business; an ending that breaks the line
  // would tear it off.
  const atLineEnd = /^[ \t]*(?:[\r\n]|$)/.test(suffix);
  for (const ending of languageById(language)?.endings ?? [" x"]) {
    if (!ending.includes("\n") || atLineEnd) found.push(ending.replaceAll("\n", line) + closers);
  }
  return found;
}

/**
 * The brackets and elements that the completion opens and does not close, closed, the innermost
 * first.
 */
function closersOf(
  text: string,
  { language: id, prefix }: { readonly language: string; readonly prefix: string },
): string {
  const language = languageById(id) ?? plaintext;
  // The line is enough to tell strings from code, but for those that span lines; and far quicker
  // than all of the text.
  const island = language.quirks?.island;
  const line = `${island === undefined ? "" : `${island[0]} `}${lastLineOf(prefix).slice(-maxLine)}`;
  const whole = line + text;
  const open = Structure.of(whole, language)
    .openersBefore(whole.length)
    .filter(({ offset }) => offset >= line.length);
  return closersFor(open) + (languageById(id)?.hasElements === true ? closingTags(text) : "");
}

/** How much of the line distinguishes strings from code, in UTF-16 units. */
const maxLine = 2000;

/** The elements that have no end tag of their own. Source: HTML Living Standard, void elements. */
const emptyElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** The end tags of the elements that a text leaves open, the innermost first. */
function closingTags(text: string): string {
  const open: string[] = [];
  for (const [, slash, name, isWhole] of text.matchAll(/<(\/?)([A-Za-z][\w.:-]*)(?![\w.:-])[^<>]*(?:(?<=(\/))|)>/g)) {
    if (isWhole !== undefined || emptyElements.test(name!)) continue;
    if (slash === "") open.push(name!);
    else if (open.includes(name!)) open.length = open.lastIndexOf(name!);
  }
  return open
    .reverse()
    .map((name) => `</${name}>`)
    .join("");
}
