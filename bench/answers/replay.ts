import { formatNamed, type Lenience, placeAsks, type Refusal, readAnswer } from "../../src/formats/index.ts";
import { applyWorkspaceEdit, type FileTexts } from "../../src/text/index.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";

/** What became of a recorded answer. */
export interface Replay {
  /**
   * `matched`: the files are as they should be, or the answer was refused as it should be. `refused`: it was not taken.
   * `differing`: it was taken, and the files are others. `accepted`: it was taken and should have been refused. `told`:
   * nothing is known to compare with.
   */
  readonly verdict: "matched" | "refused" | "differing" | "accepted" | "told";
  readonly files: FileTexts;
  readonly leniences: readonly Lenience[];
  readonly refusals: readonly Refusal[];
}

/** Reads and places a recorded answer, and compares. Answers of several files count as far as they speak of the one. */
export function replay(recorded: RecordedAnswer): Replay {
  const { files, path } = recorded;
  const content = readAnswer(formatNamed(recorded.format).read({ paths: [...files.keys()] }), recorded.answer);
  const ahead = recorded.firstLine - 1;
  const asks = content.asks.map((ask) =>
    ask.kind === "lines" ? { ...ask, start: ask.start - ahead, end: ask.end - ahead } : ask,
  );
  // The recorded answers of aider were given under its rule that the first match counts.
  const placement = placeAsks(asks, files, { takesFirst: recorded.format === "search-replace" });
  const outcome = applyWorkspaceEdit(files, placement.edit);
  const after = outcome.kind === "applied" ? outcome.files : files;
  const all = [...content.refusals, ...placement.refusals];
  const refusals = path === undefined ? all : all.filter((refusal) => speaksOf(refusal, path));
  // A part that would change nothing does not stop the others; where it is all there is, the answer is refused.
  const isTaken = refusals.every(({ kind }) => kind === "no-change" && placement.placed.length > 0);
  return { verdict: verdictOf(recorded, isTaken, after), files: after, leniences: placement.leniences, refusals };
}

/** Whether a refusal is about the file at hand, and not about another one that the same answer speaks of. */
function speaksOf(refusal: Refusal, path: string): boolean {
  return refusal.kind !== "unknown-file" || refusal.path === undefined || refusal.path === path;
}

function verdictOf(recorded: RecordedAnswer, isTaken: boolean, after: FileTexts): Replay["verdict"] {
  if (recorded.isRefused) return isTaken ? "accepted" : "matched";
  const expected = recorded.filesAfter;
  if (expected === undefined) return isTaken ? "told" : "refused";
  const isSame =
    recorded.path === undefined
      ? expected.size === after.size && [...expected].every(([path, text]) => after.get(path) === text)
      : expected.get(recorded.path) === after.get(recorded.path);
  if (isSame && isTaken) return "matched";
  return isTaken ? "differing" : "refused";
}
