import { Lines, type TextRange } from "../../text/index.ts";
import type { NoGuideReason } from "./region-guides.ts";
import { printTerminals } from "./region-prompt.ts";
import type { RegionChange } from "./region-reader.ts";
import type { NoTextReason, RegionRefusal, RegionReport, RewriteOutcome } from "./region-text.ts";

/**
 * Describes, in one sentence, a normalization of the new text for the region that begins in `line`,
 * counted from 0.
 */
export function printRegionChange(change: RegionChange, line: number): string {
  const at = `line ${line + 1}`;
  const messages: Readonly<Record<RegionChange, string>> = {
    "bare-answer": `The new text for ${at} was written without a fence.`,
    "cut-marks": `The new text for ${at} was written with the marks of its region; they were removed.`,
    "cut-echo": `The new text for ${at} repeated lines around its region, which were left out.`,
    "cut-closers": `The new text for ${at} closed more brackets than are open there; the last ones were left out.`,
    indented: `The new text for ${at} was written without its indentation; it was restored.`,
  };
  return messages[change];
}

/**
 * Describes how a text without an end of the model's own was ended, for the region that begins in
 * `line`, counted from 0; `undefined` for one that is `whole`.
 */
export function printRegionEnd(
  { kind, ending }: Pick<RegionReport, "kind" | "ending">,
  line: number,
): string | undefined {
  const at = `line ${line + 1}`;
  switch (kind) {
    case "whole":
      return undefined;
    case "closed":
      return `The new text for ${at} was ended with ${quoted(ending ?? "")}, since the model did not end it.`;
    case "cut-back":
      return `The new text for ${at} was cut back to where it can end: the text after that did not fit.`;
  }
}

/** Explains why no grammar constrains the new text, as a clause that continues a sentence. */
export function printNoGuide(reason: NoGuideReason, language: string): string {
  const reasons: Readonly<Record<NoGuideReason, string>> = {
    off: "guidance is switched off",
    "no-grammar": `there is no grammar for ${language}`,
    "too-large": "the file is too large to be read with a grammar",
    "broken-before": `the text before it begins no text in ${language}`,
    "broken-behind": `the text after it ends no text in ${language}`,
    "no-filling": "no text joins what is before and after it",
    "too-slow": "reading the file with a grammar takes too long",
  };
  return reasons[reason];
}

/** Explains in one sentence why there is no text for a region. */
export function printNoText(reason: NoTextReason): string {
  const reasons: Readonly<Record<NoTextReason, string>> = {
    declined: "The model refused to answer.",
    "no-text": "The answer holds no new text.",
    "several-texts": "The answer contains several texts, and it is unclear which one is meant.",
    "cut-off": "The answer was cut off before its end.",
    "nothing-fits": "Nothing of the answer can stand there.",
  };
  return reasons[reason];
}

/** The most refusals that are printed for each region. */
const maxPrintedRefusals = 20;

/**
 * Prints how the regions of a file were rewritten, one row each, with lines counted from 1. With
 * `explain`, also what the grammar refused and which terminals were possible there.
 */
export function explainRegions(
  { regions }: Extract<RewriteOutcome, { kind: "judged" }>,
  { text, language, explain }: { readonly text: string; readonly language: string; readonly explain: boolean },
): readonly string[] {
  const lines = Lines.of(text);
  return regions.flatMap((region) => {
    const { constraint, requests, refusals } = region;
    const how =
      constraint.kind === "grammar"
        ? "constrained by the grammar"
        : `not constrained by a grammar, since ${printNoGuide(constraint.reason, language)}`;
    const requestText = `${requests} ${requests === 1 ? "request" : "requests"}`;
    const refused = refusals.length === 0 ? "" : `, ${refusals.length} refused`;
    const head = `${printRegionLines(lines, region.range)}: ${how}; ${requestText}${refused}.`;
    return explain ? [head, ...refusals.slice(0, maxPrintedRefusals).map(printRegionRefusal)] : [head];
  });
}

/** Prints one refusal of a region's text and its reason, in a row. */
export function printRegionRefusal({ request, behind, text, cause, expected }: RegionRefusal): string {
  const place =
    behind.trim() === "" ? "at its start" : `behind ${quoted(behind.trim().split("\n").at(-1)!.slice(-40))}`;
  const could = expected.length === 0 ? "" : `; it could be ${printTerminals(expected)}`;
  const reasons: Readonly<Record<typeof cause, string>> = {
    grammar: `nothing whole goes on so${could}`,
    budget: "too little room is left to end it",
    members: "types have no such member",
  };
  return `  request ${request} ${place}: ${quoted(text.trimEnd())}: ${reasons[cause]}`;
}

/**
 * Prints the lines of a range, which is in UTF-16 offsets, counted from 1: `line 3` or
 * `lines 3 to 5`. Throws `EmendError` with code "out-of-bounds" where the range is not within the
 * text.
 */
export function printRegionLines(lines: Lines, { start, end }: TextRange): string {
  const first = lines.lineAt(start);
  const last = Math.max(first, lines.lineAt(end > start && end === lines.start(lines.lineAt(end)) ? end - 1 : end));
  return first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
}

function quoted(text: string): string {
  const line = text.replace(/\n/g, "⏎");
  return `«${line.length > 40 ? `${line.slice(0, 39)}…` : line}»`;
}
