import { estimatingCounter, TextCosts } from "../context/index.ts";
import { fenceFor, showFenced } from "../formats/index.ts";
import type { ChatMessage, ContextText } from "../model/index.ts";
import type { TextRange } from "../text/index.ts";
import { printTerminals } from "./print-terminals.ts";
import { withLineFeeds } from "./region-place.ts";

/** A region that a model is to write anew, and what it is shown of the text around it. */
export interface RegionQuestion {
  readonly instruction: string;
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /** The file as it is now. */
  readonly text: string;
  /** The regions in it, in its order. */
  readonly regions: readonly TextRange[];
  /** Which of them is asked for, from 0. */
  readonly index: number;
  /** Whether it is made of whole lines. */
  readonly isLines: boolean;
  /** What a parser says of the text that was written for it before. */
  readonly complaint?: string | undefined;
  /** Texts to be read only. */
  readonly context?: readonly ContextText[] | undefined;
  /** The most tokens of the file that are shown, as they are estimated. */
  readonly maxShownTokens: number;
}

/** What stands at the start and at the end of a region where it is shown. */
export interface RegionMarks {
  readonly start: string;
  readonly end: string;
}

/**
 * Asks a model for the new text of one region.
 *
 * The region is answered whole, in a fence: its place is known, so that no boundary can be mistaken, and nothing outside of
 * it can be touched. Other regions are marked too, since what they become is asked for in the same words.
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
    ...(regions.length === 1 ? [] : [sayOthers(question)]),
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

/** What went wrong with an answer, so that a model is asked once more. */
export type RegionTrouble =
  /** Behind `good`, which stays, stands what cannot follow there. */
  | { readonly kind: "refused"; readonly good: string; readonly refused: string; readonly expected: readonly string[] }
  /** It ends after `good`, where nothing may end. */
  | { readonly kind: "unfinished"; readonly good: string }
  | { readonly kind: "no-fence" }
  | { readonly kind: "several-fences" };

/** What a model is told of its answer, so that it goes on where it went wrong. */
export function regionRetryPrompt(answer: string, trouble: RegionTrouble): readonly ChatMessage[] {
  const said = answer.trim() === "" ? [] : [{ role: "assistant" as const, text: `${answer.trimEnd()}\n` }];
  return [...said, { role: "user", text: `${retryText(trouble)}\n` }];
}

/** The marks of the region that is asked for; they stand nowhere in the text. */
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

/** The file around the region, as far as there is room, with all its regions marked. */
function markedText(question: RegionQuestion): { readonly text: string; readonly isPart: boolean } {
  const { text, regions, index, language, maxShownTokens } = question;
  const own = regions[index]!;
  const costs = new TextCosts(estimatingCounter(language));
  const room = Math.max(0, maxShownTokens - costs.count(text.slice(own.start, own.end)));
  const below = costs.forward(text, own.end, room);
  const above = costs.backward(text, own.start, below.isWhole ? room - below.tokens : Math.ceil(room / 2));
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

function sayOthers(question: RegionQuestion): string {
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
      return `Your answer ends before the text is whole.${goOn(trouble.good)}`;
    case "refused": {
      const { good, refused, expected } = trouble;
      const could = expected.length === 0 ? "" : ` What can stand there: ${printTerminals(expected)}.`;
      return `With your answer the file would not parse: \`${firstLine(refused)}\` cannot stand ${good.trim() === "" ? "at the start of the region" : "where it does"}.${could}${goOn(good)}`;
    }
  }
}

/** Says from where on the text is wanted: lines are written again whole, since nobody goes on well in the middle of one. */
function goOn(good: string): string {
  const kept = good.slice(0, good.lastIndexOf("\n") + 1);
  const partial = good.slice(kept.length);
  if (kept.trim() === "") return " Write the new text of the whole region once more, in one fence, and nothing else.";
  const last = kept.trimEnd().split("\n").slice(-maxTold).join("\n");
  const anew = partial.trim() === "" ? "" : `, beginning with the whole line that starts with \`${partial.trim()}\``;
  return ` Your text is kept up to these lines:\n\n${fenced(last)}\n\nWrite what comes below them${anew}, in one fence, and nothing else.`;
}

/** How many lines are told of a text that is to be gone on with. */
const maxTold = 6;

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
