import {
  chatThatSaid,
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
} from "../edit/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Lines, type TextRange } from "../text/index.ts";
import { type Asked, askModel } from "./edit-by-model.ts";
import type { AskedEdit, EditOptions } from "./edit-options.ts";
import { editOutside } from "./edit-outside.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { parseHole } from "./hole-range.ts";
import { offsetOfPlace } from "./place.ts";
import { reviewEdit } from "./review-edit.ts";
import { printable, type Terminal } from "./terminal.ts";

/**
 * The regions that are named by `--at`, in the one file of the request, in its order: `10-14` or `10` for whole lines,
 * `LINE:COL-LINE:COL` for a stretch, `LINE:COL` for a place. Throws a {@link CommandFailure} that says what to do.
 */
export function regionsOf(at: readonly string[], { files, newPaths = [] }: EditRequest): readonly TextRange[] {
  const [file] = files;
  if (file === undefined || files.length > 1 || newPaths.length > 0) {
    throw usage(
      "--at names regions of one file that is there. Name that file alone; --read shows others to the model.",
    );
  }
  const lines = Lines.of(file.text);
  const regions = at.map((text) => ({ text, range: rangeOf(text, lines, file.path) }));
  regions.sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  for (const [index, { text, range }] of regions.entries()) {
    const before = regions[index - 1];
    if (before !== undefined && range.start <= before.range.end) {
      throw usage(`The regions ${before.text} and ${text} overlap or touch. Give them as one.`);
    }
  }
  return regions.map(({ range }) => range);
}

function rangeOf(text: string, lines: Lines, file: string): TextRange {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  const range = first === undefined ? stretchOf(text, lines, file) : linesOf(Number(first), Number(last), lines, file);
  if (range.end < range.start) throw usage(`The region ${text} ends before it starts.`);
  return range;
}

function stretchOf(text: string, lines: Lines, file: string): TextRange {
  if (!/^\s*\d+:\d+(?:-\d+:\d+)?\s*$/.test(text)) {
    throw usage(`"${text}" names no region. Write 10-14 for lines, 12:5-14:1 for a stretch, or 12:5 for a place.`);
  }
  const { start, end } = parseHole(text);
  return { start: offsetOfPlace(lines, { file, ...start }), end: offsetOfPlace(lines, { file, ...end }) };
}

function linesOf(first: number, last: number, lines: Lines, file: string): TextRange {
  if (first === 0 || last === 0) throw usage("Lines count from 1.");
  if (last < first) throw usage(`The region ${first}-${last} ends before it starts.`);
  const start = offsetOfPlace(lines, { file, line: first, column: 1 });
  offsetOfPlace(lines, { file, line: last, column: 1 });
  return { start, end: lines.endWithBreak(last - 1) };
}

/** What is asked of the engine. */
export function toRewrite(
  { files, instruction, context, maxRetries = 3 }: EditRequest,
  ranges: readonly TextRange[],
  { guide }: Pick<EditOptions, "guide">,
): RewriteRequest {
  const file = files[0]!;
  return { file, ranges, instruction, guidance: guide, maxRequests: 1 + maxRetries, ...(context && { context }) };
}

/** Has regions rewritten by a model, or by an answer that is there, and reviews what came of it. */
export async function editRegions(
  ranges: readonly TextRange[],
  answer: string | undefined,
  asked: AskedEdit,
  terminal: Terminal,
): Promise<ExitCode> {
  const { request, root, options } = asked;
  const rewrite = toRewrite(request, ranges, options);
  const guides = new RegionGuides({ load: grammarFor });
  const run = (parts: RewriteParts, maxRequests = rewrite.maxRequests!) =>
    rewriteRegions({ ...rewrite, maxRequests }, { ...parts, guides }, { signal: terminal.signal });
  const { outcome, notes, model } =
    answer === undefined
      ? await askModel(asked, terminal, (parts) => run(parts))
      : await takeText(answer, asked, terminal, (parts) => run(parts, 1));
  if (outcome.kind !== "judged") throw notRewritten(outcome, rewrite, options, terminal);
  const told = explainRegions(outcome, { ...rewrite.file, explain: options.explain });
  return reviewEdit(
    outcome.outcome,
    {
      ...{ root, instruction: request.instruction, notes: [...notes, ...told], options, regions: outcome.regions },
      ...(answer === undefined && { model }),
    },
    terminal,
  );
}

/** What a person's chat said, taken as if a model of ours had said it. */
async function takeText(
  text: string,
  asked: AskedEdit,
  terminal: Terminal,
  carryOut: (parts: RewriteParts) => ReturnType<typeof rewriteRegions>,
): Promise<Asked<RewriteOutcome>> {
  const model = chatThatSaid(text);
  const syntax = openSyntax();
  try {
    const outside = await editOutside(asked, terminal);
    const events = carryOut({ model, syntax, ...outside.parts });
    let step = await events.next();
    while (step.done !== true) step = await events.next();
    return { outcome: step.value, notes: [...asked.notes, ...outside.notes], model: model.name };
  } finally {
    syntax[Symbol.dispose]();
  }
}

function notRewritten(
  outcome: Exclude<RewriteOutcome, { kind: "judged" }>,
  { file }: RewriteRequest,
  { json, explain }: EditOptions,
  terminal: Terminal,
): CommandFailure {
  if (outcome.kind === "bad-region") return usage(outcome.problem.message);
  const where = `${printRegionLines(Lines.of(file.text), outcome.range)} of ${file.path}`;
  if (outcome.kind === "not-held") {
    const why = printNoGuide(outcome.reason, file.language);
    const message = `New text for ${where} cannot be held to a grammar, since ${why}. --guide auto does without.`;
    return new CommandFailure("not-held", message, { exitCode: exitCodes.refused });
  }
  const { reason, requests, refusals } = outcome;
  if (explain && !json) for (const refusal of refusals) terminal.err(`${printable(printRegionRefusal(refusal))}\n`);
  const asked = `${requests} ${requests === 1 ? "request" : "requests"}, ${refusals.length} refused`;
  const hint = explain || refusals.length === 0 ? "" : " --explain says what was refused.";
  const message = `There is no new text for ${where}. ${printNoText(reason)} (${asked}.)${hint}`;
  return new CommandFailure(reason, message, { exitCode: exitCodes.failed });
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
