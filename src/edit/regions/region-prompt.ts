import { estimatingCounter, TextCosts } from "../../context/index.ts";
import { fenceFor, showFenced } from "../../formats/index.ts";
import type { ChatMessage, ContextText, RedactedText, TokenCounter } from "../../model/index.ts";
import { type TextRange, withLineFeeds } from "../../text/index.ts";

/** The prompt input for rewriting one region: the region, and the text around it. */
export interface RegionQuestion {
  readonly instruction: string;
  readonly path: string;
  /** The id of the language in the registry. */
  readonly language: string;
  /** The current text of the file. */
  readonly text: string;
  /** All regions to rewrite, in text order. */
  readonly regions: readonly TextRange[];
  /** The index of the region to write, from 0. */
  readonly index: number;
  /** Whether the region consists of whole lines. */
  readonly isLines: boolean;
  /** The parser's error in the text that was written for the region before. */
  readonly complaint?: RedactedText | undefined;
  /** Texts that the model may read and not change. */
  readonly context?: readonly ContextText[] | undefined;
  /** The most tokens of the file that are shown, by estimate. */
  readonly maxShownTokens: number;
  /** Counts tokens as the model does; estimated by the language unless set. */
  readonly counter?: TokenCounter | undefined;
}

/** The marks that are shown at the start and at the end of a region. */
export interface RegionMarks {
  readonly start: string;
  readonly end: string;
}

/**
 * Builds the messages that ask a model for the new text of one region.
 *
 * The answer is the whole region, in a fence: its place is known, so no boundary can be mistaken
 * and nothing outside of it can change. The other regions are marked, too, because the instruction
 * is about all of them.
 */
export function regionPrompt(question: RegionQuestion): readonly ChatMessage[] {
  const { instruction, path, regions, index, isLines, complaint, context = [] } = question;
  const marks = regionMarks(question);
  const { text: shown, isPart } = markedText(question);
  const old = withLineFeeds(question.text.slice(regions[index]!.start, regions[index]!.end));
  const name = `the region between ${marks.start} and ${marks.end}`;
  const sections = [
    ...(context.length === 0 ? [] : ["Texts to read, which stay as they are:"]),
    ...context.map((piece) => showFenced(piece.path, piece.text).trimEnd()),
    `${isPart ? "A part of the file" : "The file"}, with ${name} in it:`,
    showFenced(path, shown).trimEnd(),
    ...(regions.length === 1 ? [] : [describeOtherRegions(question)]),
    old.trim() === "" ? `There is nothing in ${name} yet.` : `What stands in ${name} now:\n\n${fenced(old)}`,
    ...(isLines ? [] : ["It is a part of its lines: what stands on them before and behind the marks stays there."]),
    `The instruction:\n\n${instruction.trimEnd()}`,
    ...(complaint === undefined
      ? []
      : [`What stands there now was written for this instruction, and breaks the file: ${complaint}`]),
    `Write what shall stand in ${name}, in one fence, and nothing else.`,
  ];
  return [
    { role: "system", text: `${rules}\n` },
    { role: "user", text: `${sections.join("\n\n")}\n` },
  ];
}

/** The problem of an answer, which the retry prompt describes. */
export type RegionTrouble =
  /** After `good`, which is kept, comes text that cannot follow. */
  | { readonly kind: "refused"; readonly good: string; readonly refused: string; readonly expected: readonly string[] }
  /** The answer ends after `good`, where the text cannot end. */
  | { readonly kind: "unfinished"; readonly good: string }
  | { readonly kind: "no-fence" }
  | { readonly kind: "several-fences" };

/**
 * Builds the messages that ask a model to continue its answer from where it went wrong: the answer,
 * unless it is blank, and the problem.
 */
export function regionRetryPrompt(answer: string, trouble: RegionTrouble): readonly ChatMessage[] {
  const answerMessages = answer.trim() === "" ? [] : [{ role: "assistant" as const, text: `${answer.trimEnd()}\n` }];
  return [...answerMessages, { role: "user", text: `${retryText(trouble)}\n` }];
}

/** The marks of the requested region, chosen so that they do not occur in the text. */
export function regionMarks({ text, regions, index }: Pick<RegionQuestion, "text" | "regions" | "index">): RegionMarks {
  const word = wordFor(text);
  const name = regions.length === 1 ? word : `${word}_${index + 1}`;
  return { start: `<${name}>`, end: `</${name}>` };
}

function wordFor(text: string): string {
  for (let number = 1; ; number++) {
    const word = number === 1 ? "REGION" : `REGION_${"X".repeat(number - 1)}`;
    if (!text.includes(`${word}_`) && !text.includes(`${word}>`)) return word;
  }
}

/**
 * The text of the file around the region, within the token limit, with all regions in it marked.
 */
function markedText(question: RegionQuestion): { readonly text: string; readonly isPart: boolean } {
  const { text, regions, index, language, maxShownTokens, counter = estimatingCounter(language) } = question;
  const region = regions[index]!;
  const costs = new TextCosts(counter);
  const room = Math.max(0, maxShownTokens - costs.count(text.slice(region.start, region.end)));
  const below = costs.forward(text, region.end, room);
  const above = costs.backward(text, region.start, below.isWhole ? room - below.tokens : Math.ceil(room / 2));
  const end = below.within(room - above.tokens).offset;
  let shown = "";
  let at = above.offset;
  for (const [number, { start, end: regionEnd }] of regions.entries()) {
    if (start < above.offset || regionEnd > end) continue;
    const marks = regionMarks({ ...question, index: number });
    const old = text.slice(start, regionEnd);
    shown += text.slice(at, start);
    const isOnLines =
      (shown === "" || /[\r\n]$/.test(shown)) && (old === "" || regionEnd === text.length || /[\r\n]$/.test(old));
    const gap = isOnLines && old !== "" && !/[\r\n]$/.test(old) ? "\n" : "";
    shown += isOnLines ? `${marks.start}\n${old}${gap}${marks.end}\n` : `${marks.start}${old}${marks.end}`;
    at = regionEnd;
  }
  shown += text.slice(at, end);
  return { text: withLineFeeds(shown), isPart: above.offset > 0 || end < text.length };
}

function describeOtherRegions(question: RegionQuestion): string {
  const { regions, index } = question;
  const named = (numbers: readonly number[]) =>
    numbers.map((number) => regionMarks({ ...question, index: number }).start).join(", ");
  const before = named([...regions.keys()].slice(0, index));
  const after = named([...regions.keys()].slice(index + 1));
  return [
    "The instruction is about all marked regions. They are written one after the other.",
    ...(before === "" ? [] : [`Written already: ${before}.`]),
    ...(after === "" ? [] : [`Asked for later: ${after}.`]),
  ].join(" ");
}

function retryText(trouble: RegionTrouble): string {
  switch (trouble.kind) {
    case "no-fence":
      return "Your answer holds no fence with the new text. Write the new text of the region in one fence, and nothing else.";
    case "several-fences":
      return "Your answer holds several fences, so that nobody can tell which one is meant. Write the new text of the whole region in one fence, and nothing else.";
    case "unfinished":
      return `Your answer ends before the text is whole.${continueText(trouble.good)}`;
    case "refused": {
      const { good, refused, expected } = trouble;
      const could = expected.length === 0 ? "" : ` What can stand there: ${printTerminals(expected)}.`;
      return `With your answer the file would not parse: \`${firstLine(refused)}\` cannot stand ${good.trim() === "" ? "at the start of the region" : "where it does"}.${could}${continueText(good)}`;
    }
  }
}

/**
 * Lists the terminals that are possible at a place, for people: named tokens first, then literals;
 * at most 12 and a count.
 */
export function printTerminals(names: readonly string[]): string {
  const isLiteral = (name: string) => name.startsWith('"');
  const sorted = [...names.filter((name) => !isLiteral(name)), ...names.filter(isLiteral)];
  const rest = sorted.length - maxTerminals;
  return `${sorted.slice(0, maxTerminals).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** The number of terminals that are listed. */
const maxTerminals = 12;

/**
 * Says from where to continue. The last incomplete line is requested again as a whole, since models
 * rarely continue well within a line.
 */
function continueText(good: string): string {
  const kept = good.slice(0, good.lastIndexOf("\n") + 1);
  const partial = good.slice(kept.length);
  if (kept.trim() === "") return " Write the new text of the whole region once more, in one fence, and nothing else.";
  const last = kept.trimEnd().split("\n").slice(-maxQuotedLines).join("\n");
  const fromLine =
    partial.trim() === "" ? "" : `, beginning with the whole line that starts with \`${partial.trim()}\``;
  return ` Your text is kept up to these lines:\n\n${fenced(last)}\n\nWrite what comes below them${fromLine}, in one fence, and nothing else.`;
}

/** The most lines quoted of a text that is to be continued. */
const maxQuotedLines = 6;

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function fenced(code: string): string {
  const fence = fenceFor(code);
  return `${fence}\n${code.replace(/\n$/, "")}\n${fence}`;
}

const rules = `You write a region of a file anew, as an instruction says. Your answer is read by a program, which puts it in the place of the region.

- Answer with all that shall stand in the region, in one fence, without its marks and without an explanation.
- What stands around the region stays as it is: write nothing of it once more. Brackets that are closed behind the region stay open at its end.
- With your text the file must parse.
- Write each line with the indentation that it shall have in the file, in the manner of the code around it.
- Change what the instruction asks for and nothing else. Never put dots or a remark in the place of code.
- If nothing is to be changed, answer with the region as it is. If nothing shall be left in it, answer with an empty fence.
- The instruction may be in any language. The way to answer stays the same.`;
