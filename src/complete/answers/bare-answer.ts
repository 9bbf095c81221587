import {
  BeginningFilter,
  InvisibleFilter,
  OpeningFilter,
  pipeline,
  type Removal,
  readsAsTalk,
  repeatedPrefixFilter,
} from "../../answers/index.ts";
import { languageById, nearContext, placeKind, plaintext, Structure } from "../../syntax/index.ts";
import { countFromBlock, documentUnit } from "../fit/fit-indentation.ts";
import { lineAbove, opensBlock } from "../fit/line-indentation.ts";
import type { SuggestionChange } from "../outcome.ts";
import type { Place } from "../place.ts";

/** A model's text without what it has put around it, and what was taken off. */
export interface BareAnswer {
  readonly text: string;
  readonly changes: readonly SuggestionChange[];
}

/**
 * Strips a model's answer of what is no text for its place: reasoning, sentences about the text,
 * the number or mark in front of it, a Markdown fence, invisible characters, and text before the
 * cursor that it repeats at its start. An answer that counts its indentation from zero gets that of
 * the block it goes into.
 *
 * `text` is the answer received so far, with `\n` only; `isWhole` means that the answer is
 * complete. The result is empty until the start of the text itself is known, where the answer only
 * talks about the text, and where it does not continue the half-typed word. Sentences and fences
 * may belong to comments, strings and prose, and stay there.
 */
export function bareAnswer(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
  isWhole: boolean,
): BareAnswer {
  const prefix = place.prefix.slice(-maxAbove).replace(/\r\n?/g, "\n");
  const filter = pipeline([
    new OpeningFilter(place),
    holeMarkFilter(place),
    new InvisibleFilter(),
    repeatedPrefixFilter(prefix, { wholeLines: true }),
  ]);
  const visible = filter.push(text) + (isWhole ? filter.end() : "");
  const { removed } = filter;
  const isTalk = !removed.has("fence") && isOnlyTalk(visible, place);
  const changes = changesOf(isTalk ? new Set([...removed, "talk"]) : removed);
  if (isTalk) return { text: "", changes };
  if (removed.has("repetition")) return { text: countFromBlock(withoutDoubledSpace(visible, place), place), changes };
  const spaced = withoutDoubledSpace(visible, place);
  const half = readHalfTypedWord(spaced, place, isWhole);
  if (half.kind === "too-short") return { text: "", changes };
  if (half.kind === "other-word") return { text: "", changes: [...changes, "cut-other-word"] };
  const own = half.kind === "restates" ? spaced.slice(half.length) : withoutEcho(spaced, place.lineBefore);
  if (own !== visible) changes.push("cut-echo");
  const indented = countFromBlock(own, place);
  if (indented !== own) changes.push("indentation-fitted");
  return { text: indented, changes };
}

/**
 * Whether an answer without a fence begins with a sentence for a person, where it should be code:
 * what comes below is as likely more talk. Text between the elements of a page may well be such a
 * sentence, and the keys of YAML look alike.
 */
function isOnlyTalk(text: string, place: Pick<Place, "prefix" | "language">): boolean {
  const line = /^\s*([^\n]*)/.exec(text)![1]!;
  const language = languageById(place.language);
  if (language === undefined || !readsAsTalk(line) || !isInCode(place)) return false;
  if (language.quirks.markup === true || endsTag.test(place.prefix.slice(-maxNear))) return refuses.test(line);
  return !(language.quirks.emptyValues === true && line.trimEnd().endsWith(":"));
}

/** How the filters of an answer name what they removed. */
function changesOf(removed: ReadonlySet<Removal>): SuggestionChange[] {
  return changeNames.flatMap(([reason, change]) => (removed.has(reason) ? [change] : []));
}

const changeNames: readonly (readonly [Removal, SuggestionChange])[] = [
  ["talk", "cut-talk"],
  ["fence", "cut-fence"],
  ["invisible", "cut-invisible"],
  ["repetition", "cut-echo"],
];

/** Removes the mark of the hole that it was to fill, or the number of an item, in front of code. */
function holeMarkFilter(place: Pick<Place, "prefix" | "language">): BeginningFilter {
  return new BeginningFilter("talk", (text, isWhole) => {
    if (!isWhole && holeMarkBegun.test(text)) return undefined;
    const mark = holeMark.exec(text)?.[0];
    return mark === undefined || place.prefix.includes("HOLE") || !isInCode(place) ? 0 : mark.length;
  });
}

const holeMark = /^\s*(?:[[<]HOLE(?:_\d+)?\/?[\]>] ?|1\. (?=\p{L}))/u;
const holeMarkBegun = /^\s*(?:[[<](?:H(?:O(?:L(?:E(?:_\d*)?\/?[\]>]?)?)?)?)?|1(?:\. ?)?)?$/;

/** The end of a tag, with text behind it that is not code. */
const endsTag = /[^=]>[^<>{}();]*$/;
const maxNear = 200;

/** Phrases with which a model refuses to answer. */
const refuses = /^(?:I['’]m sorry|I am sorry|Sorry|As an AI)\b.*\b(?:can['’]t|cannot|unable|not able)\b/;

/** Whether a place is neither in a comment or a string nor in prose. */
function isInCode(place: Pick<Place, "prefix" | "language">): boolean {
  const kind = placeKind(place);
  return kind === "code" || kind === "markup";
}

/**
 * A text that does not begin with the text before the cursor on its line: all of it, or the keyword
 * it ends with. What is short, has no sign or no word, only lists values or ends an element may
 * well stand there twice; the name that is assigned to may not, nor a closer with a word behind it.
 */
function withoutEcho(text: string, lineBefore: string): string {
  const unindented = text.replace(/^[ \t]+/, "");
  const echo = [lineBefore.trim(), lastWord.exec(lineBefore.slice(-maxWord))?.[0].trim() ?? ""].find(
    (line) => line !== "" && unindented.startsWith(line) && isEcho(line, unindented.slice(line.length)),
  );
  if (echo === undefined) return text;
  const rest = unindented.slice(echo.length);
  return /[ \t]$/.test(lineBefore.slice(-1)) ? rest.replace(/^[ \t]+/, "") : rest;
}

function isEcho(line: string, rest: string): boolean {
  if (singleWord.test(line)) return !/^[\w$]/.test(rest);
  if (/^[\])}]+[;,]?$/.test(line)) return /^[ \t]*\p{L}/u.test(rest);
  if (/^[\p{L}_$][\w$.]*\s*[-+*/|&:]?=$/u.test(line)) return !/^=/.test(rest);
  const isList = line.endsWith(",") && !/[([{=]/.test(line);
  return line.length >= 4 && /[^\w\s]/.test(line) && /\p{L}{2}/u.test(line) && !isList && !line.endsWith(">");
}

/** How much of the text before the cursor an answer may say again, in UTF-16 units. */
const maxAbove = 20_000;

/** Keywords that no language writes twice side by side. */
const singleWord =
  /^(?:return|if|else|elif|elsif|for|foreach|while|switch|match|case|const|let|var|val|import|from|export|function|func|fn|def|class|struct|enum|interface|trait|impl|throw|raise|try|catch|except|finally|package|namespace|using|private|protected|public)$/;

/** The last word of a line, if blanks follow it. */
const lastWord = /(?<![A-Za-z])[A-Za-z]+[ \t]+$/;

/** The most UTF-16 units in which such a word is looked for, with its blanks. */
const maxWord = 40;

/**
 * `text` without the blank it starts with, where there is a blank before the cursor already; else
 * as it is.
 *
 * Many tokenizers put a blank in front of every word, so a model repeats the one that was typed.
 * Several blanks behind a word, or in front of a sign, align columns, and stay. Blanks behind
 * nothing but indentation are indentation and stay too, with one exception: one blank at the start
 * of a line of code or prose, which indents nothing. Inside a string or a comment it may be part of
 * the text, as in front of the `*` of a block comment's lines.
 */
function withoutDoubledSpace(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
): string {
  const { lineBefore } = place;
  if (lineBefore.trim() !== "") {
    const before = /([^ \t])[ \t]$/.exec(lineBefore)?.[1];
    if (before === undefined) return text;
    const single = text.replace(/^ (?![ \t])/, "");
    return isWord.test(before) ? single : single.replace(/^[ \t]+(?=[\p{L}\p{N}_$"'`([{<])/u, "");
  }
  const isLoneBlank = lineBefore === "" && /^ (?=\S)/.test(text);
  return isLoneBlank && !mayIndent(place) && !isInLiteral(place) ? text.slice(1) : text;
}

const isWord = /[\p{L}\p{N}_$]/u;

/**
 * Whether one blank may be the indentation of a block, which nothing else in the document shows.
 */
function mayIndent(place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">): boolean {
  const { prefix, lineBefore, language } = place;
  if (!opensBlock(lineAbove(prefix, lineBefore), language)) return false;
  return languageById(language)?.quirks.emptyValues === true || documentUnit(place) === undefined;
}

/** Whether the place lies inside a string or a comment. */
function isInLiteral(place: Pick<Place, "prefix" | "language">): boolean {
  const context = nearContext(place);
  const region = Structure.of(context, languageById(place.language) ?? plaintext).regionAt(context.length);
  return region !== undefined && region.kind !== "text";
}

/** What becomes of an answer at a word that is half typed. */
type HalfTypedAnswer =
  | { readonly kind: "goes-on" }
  /** So many UTF-16 units of the answer say the word, or the line up to it, again. */
  | { readonly kind: "restates"; readonly length: number }
  /** It begins with a keyword that cannot be glued to the word. */
  | { readonly kind: "other-word" }
  /** Unknown until more of the answer arrives. */
  | { readonly kind: "too-short" };

/**
 * How an answer continues the word in front of the cursor.
 *
 * It repeats the typed text where it begins with the line up to the cursor, or with a word that
 * begins as the half one does, unless the document has a name that is both glued together.
 */
function readHalfTypedWord(
  answer: string,
  { prefix, suffix, lineBefore }: Pick<Place, "prefix" | "suffix" | "lineBefore">,
  isWhole: boolean,
): HalfTypedAnswer {
  const word = halfWord.exec(lineBefore.slice(-maxHalfWord))?.[0];
  const first = firstWord.exec(answer)?.[0];
  if (word === undefined || first === undefined) return { kind: "goes-on" };
  const line = lineBefore.trim();
  if (!isWhole && (first === answer || line.startsWith(answer))) return { kind: "too-short" };
  if (line.length > word.length && answer.startsWith(line)) return { kind: "restates", length: line.length };
  const near = `${prefix.slice(-maxNameReach)} ${suffix.slice(0, maxNameReach)}`;
  if (hasName(near, word + first)) return { kind: "goes-on" };
  if (word.length >= minWord && first.startsWith(word)) return { kind: "restates", length: word.length };
  return statement.test(answer) ? { kind: "other-word" } : { kind: "goes-on" };
}

const halfWord = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*$/u;
const firstWord = /^[\p{L}_$][\p{L}\p{N}_$]*/u;

/** A keyword with a word behind it, as no end of a name looks. */
const statement = /^(?:return|const|let|var|import|export|function|func|def|class|throw|while|switch)[ \t]+[\p{L}_$]/u;

/** A shorter word is no evidence. */
const minWord = 2;

/**
 * The most UTF-16 units of a word, and of the text on either side in which names are looked for.
 */
const maxHalfWord = 100;
const maxNameReach = 20_000;

function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? " ") + (text[at + name.length] ?? " ");
    if (!/[\p{L}\p{N}_$]/u.test(around)) return true;
  }
  return false;
}
