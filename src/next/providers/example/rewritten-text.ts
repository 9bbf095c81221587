import { sameEnds, type TextEdit } from "../../../text/index.ts";
import { tryChangePart, tryPartChange } from "../part-change.ts";
import { type CodeTokens, lineFeed } from "./example-tokens.ts";
import { gapAt, indentAt } from "./learn-rewrites.ts";
import type { RewriteMatch } from "./match-rewrite.ts";
import type { TextLines } from "./text-lines.ts";

/** The edit that a match makes at its place. */
export interface Rewritten {
  /**
   * The replacement in the text of the tokens. It reaches to the neighbouring tokens, so that
   * blanks are right too.
   */
  readonly edit: TextEdit;
  /**
   * How many words of the new text are derived from correspondences of names, and how many have no
   * correspondence.
   */
  readonly derived: number;
  readonly unknown: number;
}

/**
 * Computes the edit that applies a rewrite at a match, and how many words of the new text were
 * derived from others or have no correspondence at the place. `text` shows which words the file
 * contains.
 */
export function rewritten(match: RewriteMatch, tokens: CodeTokens, text: Pick<TextLines, "contains">): Rewritten {
  const { text: newText, derived, unknown } = newTextOf(match, text);
  return { edit: editFor(newText, match, tokens), derived, unknown };
}

function editFor(newText: string, match: RewriteMatch, tokens: CodeTokens): TextEdit {
  const { example, from, to } = match;
  const { gaps } = example;
  const { list, source } = tokens;
  const [lead, tail] = [gapAt(tokens, from), gapAt(tokens, to)];
  const start = from === 0 ? (list[0]?.start ?? 0) - lead.length : list[from - 1]!.end;
  const end = list[to]?.start ?? tokens.end;
  const beginsLine = from === 0 || list[from - 1]!.text === lineFeed;
  const ending = endingAt(source, start);
  const isLeadKept = gaps.leadAfter === gaps.leadBefore;
  const endsLine = to > from && list[to - 1]!.text === lineFeed;
  // An empty line after the example kept its lines apart; code at this place stays on a line of its
  // own.
  const isCutOff = isAtLineEnd(example.before, example.to) && !isAtLineEnd(tokens, to);
  const staysApart = endsLine && !beginsLine && !newText.endsWith("\n") && isCutOff;
  if (newText === "") {
    if (staysApart) return { start, end, text: ending + tail };
    if (endsLine) return { start, end, text: beginsLine ? tail : gaps.leadAfter };
    return { start, end, text: isLeadKept ? lead : gaps.leadAfter };
  }
  const relative = relativeIndent(example.indent, indentAt(tokens, from));
  const isKept = isLeadKept && !(beginsLine && to === from);
  const newLead = isKept ? lead : beginsLine ? relative(gaps.leadAfter) : gaps.leadAfter;
  const isTailKept = gaps.tailAfter === gaps.tailBefore || (beginsLine && newText.endsWith("\n"));
  // Code after the stretch on its line gets a line of its own.
  const isTailOwn = newText.endsWith("\n") && !endsLine && !beginsLine;
  const ownTail = isTailOwn ? relative(gaps.tailAfter) : isTailKept ? tail : gaps.tailAfter;
  const newTail = staysApart ? ending + tail : ownTail;
  const lines = newText.split("\n").map((line, i) => (i === 0 || line === "" ? line : withIndent(line, relative)));
  return { start, end, text: newLead + lines.join(ending) + newTail };
}

/** The line ending of the line at an offset; for the last line, that of the line before. */
function endingAt(source: string, offset: number): string {
  const next = source.indexOf("\n", offset);
  const at = next < 0 ? source.lastIndexOf("\n") : next;
  return source[at - 1] === "\r" ? "\r\n" : "\n";
}

function isAtLineEnd({ list }: CodeTokens, index: number): boolean {
  return (list[index]?.text ?? lineFeed) === lineFeed;
}

/**
 * Returns the new text with the indentation of the example. A word that neither the match nor the
 * text has is derived from the names at the place.
 */
function newTextOf({ example, words, groups }: RewriteMatch, text: Pick<TextLines, "contains">) {
  let derived = 0;
  let unknown = 0;
  const wordFor = (sample: string) => {
    const known = words.get(sample);
    if (known !== undefined || text.contains(sample)) return known ?? sample;
    const word = derivedWord(sample, words);
    if (word === sample) unknown++;
    else derived++;
    return word;
  };
  const parts = example.result.map((part) => {
    if (part.kind === "text") return part.text;
    return part.kind === "word" ? wordFor(part.sample) : (groups.get(part.hole) ?? "");
  });
  return { text: parts.join(""), derived, unknown };
}

/**
 * Returns a function that converts the indentation of a line next to one indented by `base` to that
 * next to one indented by `indent`.
 */
function relativeIndent(base: string, indent: string): (blanks: string) => string {
  return (blanks) => {
    if (blanks.startsWith(base)) return indent + blanks.slice(base.length);
    const less = base.startsWith(blanks) ? base.slice(blanks.length) : undefined;
    return less !== undefined && indent.endsWith(less) ? indent.slice(0, indent.length - less.length) : blanks;
  };
}

function withIndent(line: string, relative: (blanks: string) => string): string {
  const blanks = /^[^\S\n]*/.exec(line)![0];
  return relative(blanks) + line.slice(blanks.length);
}

/**
 * Returns the word that corresponds, at another place, to a word of an example. If the example's
 * `MySqlColumn` corresponds to `SQLiteColumn`, then `MySqlTable` corresponds to `SQLiteTable`.
 *
 * `words` maps words of the example to those at the place. Returns `word` itself where none of them
 * gives a correspondence.
 */
export function derivedWord(word: string, words: ReadonlyMap<string, string>): string {
  for (const [sample, there] of words) {
    const change = mayContainPart(sample, there, word) ? tryPartChange(sample, there) : undefined;
    const changed = change && change.written.from.length >= leastLength ? tryChangePart(word, change) : undefined;
    if (changed !== undefined) return changed;
  }
  return word;
}

/**
 * Whether a word contains the letters that differ between two names. A cheap test before the exact
 * one.
 */
function mayContainPart(sample: string, there: string, word: string): boolean {
  if (sample === there) return false;
  const { front, back } = sameEnds(sample, there);
  const lettersOf = (text: string) => text.replaceAll("_", "").toLowerCase();
  return lettersOf(word).includes(lettersOf(sample.slice(front, sample.length - back)));
}

/** Shorter parts occur in names by chance. */
const leastLength = 3;
