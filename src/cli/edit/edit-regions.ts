import {
  cannedChatModel,
  type EditRequest,
  explainRegions,
  printNoGuide,
  printNoText,
  printRegionLines,
  printRegionRefusal,
  RegionGuides,
  type RewriteOutcome,
  type RewriteParts,
  type RewriteRequest,
  rewriteRegions,
} from "../../edit/index.ts";
import { grammarFor, threadSlices } from "../../grammar/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Lines, type TextRange } from "../../text/index.ts";
import { parseHole } from "../grammar/text-with-hole.ts";
import { offsetOfPlace } from "../parse-place.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type ModelOutcome, requestModel } from "./edit-by-model.ts";
import { type EditOptions, type EditTask, editOutside } from "./edit-task.ts";
import { reviewEdit } from "./review-edit.ts";

/**
 * Parses the regions of `--at` in the one file of the request to ranges in UTF-16 code units,
 * sorted by position: `10-14` or `10` for whole lines, `LINE:COL-LINE:COL` for a range, `LINE:COL`
 * for an insertion point. Throws a {@link CommandFailure} where a region is malformed, outside of
 * the file, or touches another one, and where the request is not about one existing file.
 */
export function regionsOf(at: readonly string[], { files, newPaths = [] }: EditRequest): readonly TextRange[] {
  const [file] = files;
  if (file === undefined || files.length > 1 || newPaths.length > 0) {
    throw badUsage(
      "--at names regions of a single existing file. Name only that file; --read adds others to the prompt.",
    );
  }
  const lines = Lines.of(file.text);
  const regions = at.map((text) => ({ text, range: rangeOf(text, lines, file.path) }));
  regions.sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  for (const [index, { text, range }] of regions.entries()) {
    const before = regions[index - 1];
    if (before !== undefined && range.start <= before.range.end) {
      throw badUsage(`The regions ${before.text} and ${text} overlap or touch. Give them as one.`);
    }
  }
  return regions.map(({ range }) => range);
}

function rangeOf(text: string, lines: Lines, file: string): TextRange {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  const range = first === undefined ? stretchOf(text, lines, file) : linesOf(Number(first), Number(last), lines, file);
  if (range.end < range.start) throw badUsage(`The region ${text} ends before it starts.`);
  return range;
}

function stretchOf(text: string, lines: Lines, file: string): TextRange {
  if (!/^\s*\d+:\d+(?:-\d+:\d+)?\s*$/.test(text)) {
    throw badUsage(
      `"${text}" is not a region. Write 10-14 for lines, 12:5-14:1 for a range, or 12:5 for an insertion point.`,
    );
  }
  const { start, end } = parseHole(text);
  return { start: offsetOfPlace(lines, { file, ...start }), end: offsetOfPlace(lines, { file, ...end }) };
}

function linesOf(first: number, last: number, lines: Lines, file: string): TextRange {
  if (first === 0 || last === 0) throw badUsage("Lines count from 1.");
  if (last < first) throw badUsage(`The region ${first}-${last} ends before it starts.`);
  const start = offsetOfPlace(lines, { file, line: first, column: 1 });
  offsetOfPlace(lines, { file, line: last, column: 1 });
  return { start, end: lines.endWithBreak(last - 1) };
}

/**
 * The engine's request to rewrite regions. The ranges are in the first file of the request, which
 * must have one; see {@link regionsOf}.
 */
export function toRewrite(
  { files, instruction, context, maxRetries = 3 }: EditRequest,
  ranges: readonly TextRange[],
  { guide }: Pick<EditOptions, "guide">,
): RewriteRequest {
  const file = files[0]!;
  return { file, ranges, instruction, guidance: guide, maxRequests: 1 + maxRetries, ...(context && { context }) };
}

/**
 * Rewrites regions with a model, or with the text `answer`, and reviews the outcome. `answer` is
 * `undefined` to request a model. Offsets of `ranges` are in UTF-16 code units.
 *
 * Throws a {@link CommandFailure} where a region is invalid, `--guide` requires a grammar that
 * cannot be used, there is no usable new text, or no model can be opened. Rejects with the signal's
 * reason on abort.
 */
export async function editRegions(
  ranges: readonly TextRange[],
  answer: string | undefined,
  task: EditTask,
  terminal: Terminal,
): Promise<ExitCode> {
  const { request, root, options } = task;
  const rewrite = toRewrite(request, ranges, options);
  const guides = new RegionGuides({ load: grammarFor, slices: threadSlices });
  const run = (parts: RewriteParts, maxRequests = rewrite.maxRequests!) =>
    rewriteRegions({ ...rewrite, maxRequests }, { ...parts, guides }, { signal: terminal.signal });
  const { outcome, notes, model } =
    answer === undefined
      ? await requestModel(task, terminal, (parts) => run(parts))
      : await takeText(answer, task, terminal, (parts) => run(parts, 1));
  if (outcome.kind !== "judged") throw notRewritten(outcome, rewrite, options, terminal);
  const regionNotes = explainRegions(outcome, { ...rewrite.file, explain: options.explain });
  return reviewEdit(
    outcome.outcome,
    {
      ...{
        root,
        instruction: request.instruction,
        notes: [...notes, ...regionNotes],
        options,
        regions: outcome.regions,
      },
      ...(answer === undefined && { model }),
    },
    terminal,
  );
}

/** Rewrites regions with a pasted answer, as if a model had returned it. */
async function takeText(
  text: string,
  task: EditTask,
  terminal: Terminal,
  carryOut: (parts: RewriteParts) => ReturnType<typeof rewriteRegions>,
): Promise<ModelOutcome<RewriteOutcome>> {
  const model = cannedChatModel(text);
  using syntax = openSyntax();
  const outside = await editOutside(task, terminal);
  const events = carryOut({ model, syntax, ...outside.parts });
  let step = await events.next();
  while (step.done !== true) step = await events.next();
  return { outcome: step.value, notes: [...task.notes, ...outside.notes], model: model.name };
}

function notRewritten(
  outcome: Exclude<RewriteOutcome, { kind: "judged" }>,
  { file }: RewriteRequest,
  { json, explain }: EditOptions,
  terminal: Terminal,
): CommandFailure {
  if (outcome.kind === "bad-region") return badUsage(outcome.problem.message);
  const where = `${printRegionLines(Lines.of(file.text), outcome.range)} of ${file.path}`;
  if (outcome.kind === "no-grammar") {
    const why = printNoGuide(outcome.reason, file.language);
    const message = `New text for ${where} cannot be constrained by a grammar, because ${why}. Use --guide auto to rewrite it without a grammar.`;
    return new CommandFailure("no-grammar", message, { exitCode: exitCodes.refused });
  }
  const { reason, requests, refusals } = outcome;
  if (explain && !json) for (const refusal of refusals) terminal.err(`${printable(printRegionRefusal(refusal))}\n`);
  const requestCounts = `${requests} ${requests === 1 ? "request" : "requests"}, ${refusals.length} refused`;
  const hint = explain || refusals.length === 0 ? "" : " --explain prints what was refused.";
  const message = `There is no new text for ${where}. ${printNoText(reason)} (${requestCounts}.)${hint}`;
  return new CommandFailure(reason, message, { exitCode: exitCodes.failed });
}
