import {
  formatNamed,
  type Normalization,
  type Refusal,
  readAnswer,
  resolveOperations,
} from "../../src/formats/index.ts";
import { applyWorkspaceEdit, type FileTexts } from "../../src/text/index.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";

/** What became of a recorded answer. */
export interface Replay {
  /**
   * `matched`: the files are as they should be, or the answer was refused as it should be.
   * `refused`: it was not taken. `differing`: it was taken, and the files are others. `accepted`:
   * it was taken and should have been refused. `reported`: nothing is known to compare with.
   */
  readonly verdict: "matched" | "refused" | "differing" | "accepted" | "reported";
  readonly files: FileTexts;
  readonly normalizations: readonly Normalization[];
  readonly refusals: readonly Refusal[];
}

/**
 * Reads and places a recorded answer, and compares. Answers of several files count as far as they
 * speak of the one.
 */
export function replay(recorded: RecordedAnswer): Replay {
  const { files, normalizations, refusals, hasPlaced } = applyRecorded(recorded);
  // A part that would change nothing does not stop the others; where it is all there is, the answer
  // is refused.
  const isTaken = refusals.every(({ kind }) => kind === "no-change" && hasPlaced);
  return { verdict: verdictOf(recorded, isTaken, files), files, normalizations, refusals };
}

/** What an answer makes of the files of a recorded one. */
export interface AppliedAnswer {
  readonly files: FileTexts;
  /** Those of reading the answer, and those of placing its edits. */
  readonly readingNormalizations: readonly Normalization[];
  readonly normalizations: readonly Normalization[];
  /** Those that are about the file at hand. */
  readonly refusals: readonly Refusal[];
  readonly hasPlaced: boolean;
}

/** Reads and places a recorded answer: its own text in its own files, or those that are given. */
export function applyRecorded(
  recorded: RecordedAnswer,
  {
    answer = recorded.answer,
    files = recorded.files,
  }: { readonly answer?: string; readonly files?: RecordedAnswer["files"] } = {},
): AppliedAnswer {
  const content = readAnswer(formatNamed(recorded.format).read({ paths: [...files.keys()] }), answer);
  const ahead = recorded.firstLine - 1;
  const asks = content.operations.map((ask) =>
    ask.kind === "lines" ? { ...ask, start: ask.start - ahead, end: ask.end - ahead } : ask,
  );
  // The recorded answers of aider were given under its rule that the first match counts.
  const placement = resolveOperations(asks, files, { takesFirst: recorded.format === "search-replace" });
  const outcome = applyWorkspaceEdit(files, placement.edit);
  const { path } = recorded;
  const all = [...content.refusals, ...placement.refusals];
  return {
    files: outcome.kind === "applied" ? outcome.files : files,
    readingNormalizations: content.normalizations,
    normalizations: placement.normalizations,
    refusals: path === undefined ? all : all.filter((refusal) => concernsPath(refusal, path)),
    hasPlaced: placement.placed.length > 0,
  };
}

/**
 * Whether a refusal is about the file at hand, and not about another one that the same answer
 * speaks of.
 */
function concernsPath(refusal: Refusal, path: string): boolean {
  return refusal.kind !== "unknown-file" || refusal.path === undefined || refusal.path === path;
}

function verdictOf(recorded: RecordedAnswer, isTaken: boolean, after: FileTexts): Replay["verdict"] {
  if (recorded.isRefused) return isTaken ? "accepted" : "matched";
  const expected = recorded.filesAfter;
  if (expected === undefined) return isTaken ? "reported" : "refused";
  const isSame =
    recorded.path === undefined
      ? expected.size === after.size && [...expected].every(([path, text]) => after.get(path) === text)
      : expected.get(recorded.path) === after.get(recorded.path);
  if (isSame && isTaken) return "matched";
  return isTaken ? "differing" : "refused";
}
