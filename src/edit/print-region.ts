import { Lines, type TextRange } from "../text/index.ts";
import { printTerminals } from "./print-terminals.ts";
import type { NoGuideReason } from "./region-guides.ts";
import type { RegionChange } from "./region-reader.ts";
import type { NoTextReason, RegionRefusal } from "./region-text.ts";
import type { RegionReport, RewriteOutcome } from "./rewrite-outcome.ts";

/** What was done to the text of the region that begins in a line, counted from 0, in a sentence. */
export function printRegionChange(change: RegionChange, line: number): string {
  const at = `line ${line + 1}`;
  const messages: Readonly<Record<RegionChange, string>> = {
    "bare-answer": `The new text for ${at} was written without a fence.`,
    "cut-marks": `The new text for ${at} was written with the marks of its region; they were taken off.`,
    "cut-echo": `The new text for ${at} repeated lines around its region, which were left out.`,
    "cut-closers": `The new text for ${at} closed more brackets than are open there; the last ones were left out.`,
    indented: `The new text for ${at} was written without its indentation; it got it back.`,
  };
  return messages[change];
}

/** How a text was ended that the model did not end itself; `undefined` where it did. */
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
      return `The new text for ${at} was cut back to where it can end: what came behind could not stand there.`;
  }
}

/** Why new text is held to no grammar, in words that go on a sentence. */
export function printNoGuide(reason: NoGuideReason, language: string): string {
  const reasons: Readonly<Record<NoGuideReason, string>> = {
    off: "it was not wanted",
    "no-grammar": `there is no grammar for ${language}`,
    "too-large": "the file is too large to be read with a grammar",
    "broken-before": `what stands before it begins no text in ${language}`,
    "broken-behind": `what stands behind it ends no text in ${language}`,
    "no-filling": "nothing makes one text of what stands before and behind it",
  };
  return reasons[reason];
}

/** Why a model gave no text for a region, in a sentence. */
export function printNoText(reason: NoTextReason): string {
  const reasons: Readonly<Record<NoTextReason, string>> = {
    declined: "The model, or whoever runs it, would not answer.",
    "no-text": "The answer holds no new text.",
    "several-texts": "The answer holds several texts, and nobody can tell which one is meant.",
    "cut-off": "The answer was cut off before its end.",
    "nothing-fits": "Nothing of the answer can stand there.",
  };
  return reasons[reason];
}

/** How many refusals are told of each region. */
const maxTold = 20;

/**
 * How the regions of a file were rewritten, a row each, counted from 1; with `explain` also what was refused on the way and
 * what could have stood there.
 */
export function explainRegions(
  { regions }: Extract<RewriteOutcome, { kind: "judged" }>,
  { text, language, explain }: { readonly text: string; readonly language: string; readonly explain: boolean },
): readonly string[] {
  const lines = Lines.of(text);
  return regions.flatMap((region) => {
    const { held, requests, refusals } = region;
    const how =
      held.kind === "grammar"
        ? "held to the grammar"
        : `held to no grammar, since ${printNoGuide(held.reason, language)}`;
    const asked = `${requests} ${requests === 1 ? "request" : "requests"}`;
    const refused = refusals.length === 0 ? "" : `, ${refusals.length} refused`;
    const head = `${printRegionLines(lines, region.range)}: ${how}; ${asked}${refused}.`;
    return explain ? [head, ...refusals.slice(0, maxTold).map(printRegionRefusal)] : [head];
  });
}

/** What was refused and why, in a row. */
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

/** The lines of a range, counted from 1, as a person is told them. */
export function printRegionLines(lines: Lines, { start, end }: TextRange): string {
  const first = lines.lineAt(start);
  const last = Math.max(first, lines.lineAt(end > start && end === lines.start(lines.lineAt(end)) ? end - 1 : end));
  return first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
}

function quoted(text: string): string {
  const line = text.replace(/\n/g, "⏎");
  return `«${line.length > 40 ? `${line.slice(0, 39)}…` : line}»`;
}
