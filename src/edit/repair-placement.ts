import {
  type LineSplice,
  type LinesAsk,
  type Placement,
  placeAsks,
  type Refusal,
  type Witness,
} from "../formats/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { Edit, type FileChange, type FileTexts, workspaceEdit } from "../text/index.ts";
import type { BoundaryAnswer, BoundaryEvidence, BoundaryRepair, WitnessedSplice } from "./boundary-repair.ts";
import { idOf, type KnownLanguages } from "./changed-files.ts";
import { repairBoundaries } from "./repair-boundaries.ts";
import { openSpliceErrors } from "./splice-errors.ts";

/** A placement whose mistaken boundaries were moved. */
export interface RepairedPlacement extends Pick<Placement, "edit" | "placed" | "refusals"> {
  readonly repairs: readonly BoundaryRepair[];
  /** What may be mistaken, and was left alone. */
  readonly warnings: readonly string[];
}

/** What telling mistakes needs. */
export interface RepairOptions {
  readonly syntax: Syntax;
  readonly known: KnownLanguages;
}

/**
 * Moves boundaries of edits that are mistaken, see {@link repairBoundaries}, in files that are edited by line numbers alone.
 *
 * Edits that were refused since the lines that they quote are not at their numbers are placed if they are surely repaired;
 * otherwise they stay refused. Text that an answer quotes wholly is found where it is, so its boundaries are not doubted.
 */
export async function repairPlacement(
  placement: Placement,
  texts: FileTexts,
  options: RepairOptions,
): Promise<RepairedPlacement> {
  // A new file may stand where one was that moves away.
  const created = placement.edit.changes.filter(({ kind }) => kind === "create");
  const others = placement.edit.changes.filter(({ kind }) => kind !== "create");
  const changes = new Map(others.map((change) => [change.uri, change]));
  const placed = [...placement.placed];
  const saved = new Set<Refusal>();
  const repairs: BoundaryRepair[] = [];
  const warnings: string[] = [];
  const doubted = placement.refused.flatMap(({ refusal }) => (mayBeMoved(refusal) ? [refusal.path!] : []));
  for (const path of new Set([...changes.keys(), ...doubted])) {
    const kind = changes.get(path)?.kind ?? "edit";
    const asks = kind === "edit" ? tryLinesAsks(placement, path) : undefined;
    const text = texts.get(path);
    if (asks === undefined || text === undefined || text.length * asks.length > maxCharacters) continue;
    const repaired = await repairFile(path, text, asks, options);
    if (repaired.change !== undefined) {
      changes.set(path, repaired.change);
      repairs.push(...repaired.answer.repairs);
      for (const [at, { ask, refusal }] of repaired.asks.entries()) {
        if (refusal === undefined) continue;
        saved.add(refusal);
        placed.push({ ask, path, splices: [repaired.answer.splices[at]!] });
      }
    }
    for (const { splice, evidence } of repaired.answer.doubts) {
      if (evidence.includes("parse-failure")) continue;
      warnings.push(printDoubt(path, splice, evidence));
    }
  }
  const refusals = placement.refusals.filter((refusal) => !saved.has(refusal));
  return { edit: workspaceEdit([...created, ...changes.values()]), placed, refusals, repairs, warnings };
}

/** Whether an ask was refused for its place, which may be near. */
function mayBeMoved({ kind, path }: Refusal): boolean {
  return kind === "witness-disagrees" && path !== undefined;
}

function printDoubt(path: string, { start, end }: LineSplice, evidence: readonly BoundaryEvidence[]): string {
  const place = end > start + 1 ? `lines ${start + 1} to ${end}` : `line ${start + 1}`;
  return `Look at the edges of the edit of ${path} at ${place}: ${evidence.map((one) => doubts[one]).join(", and ")}.`;
}

const doubts: Readonly<Record<BoundaryEvidence, string>> = {
  "parse-failure": "the file does not parse with it",
  "echoed-edge": "it repeats lines that stand beside it",
  "witness-disagrees": "the words that it quotes stand elsewhere",
  "bracket-balance": "it opens or closes other brackets than what it replaces",
};

/** How much text may have to be parsed: in a broken file each edit is tried by itself. About a second's worth. */
const maxCharacters = 20_000_000;

/** An ask that says its lines by their numbers. */
interface DoubtedLines {
  readonly ask: LinesAsk;
  /** Where it was placed; where it says, if it was refused. */
  readonly splice: LineSplice;
  readonly refusal: Refusal | undefined;
}

/** The asks about a file, if all that were placed are by line numbers and no two of them insert at one place. */
function tryLinesAsks({ placed, refused }: Placement, path: string): readonly DoubtedLines[] | undefined {
  const asks: DoubtedLines[] = [];
  for (const { ask, path: of, splices } of placed) {
    if (of !== path) continue;
    const [splice] = splices;
    if (ask.kind !== "lines" || splice === undefined || splices.length > 1) return undefined;
    asks.push({ ask, splice, refusal: undefined });
  }
  const insertions = asks.filter(({ splice }) => splice.start === splice.end).map(({ splice }) => splice.start);
  if (new Set(insertions).size < insertions.length) return undefined;
  for (const { ask, refusal } of refused) {
    if (ask.kind !== "lines" || refusal.path !== path || !mayBeMoved(refusal)) continue;
    const splice = { start: ask.start, end: ask.end, lines: ask.lines };
    if (!asks.some((other) => collide(other.splice, splice))) asks.push({ ask, splice, refusal });
  }
  return asks;
}

/** Whether two changes want the same lines, or insert at one place. */
function collide(a: LineSplice, b: LineSplice): boolean {
  return (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end === b.end);
}

/** What became of the asks about a file. */
interface RepairedFile {
  /** Those that are placed now, in the order of the splices of `answer`. */
  readonly asks: readonly DoubtedLines[];
  readonly answer: BoundaryAnswer;
  /** The new change of the file; `undefined` where the old one stands. */
  readonly change: FileChange | undefined;
}

async function repairFile(
  path: string,
  text: string,
  all: readonly DoubtedLines[],
  { syntax, known }: RepairOptions,
): Promise<RepairedFile> {
  const language = idOf(path, text, known);
  const errors = await openSpliceErrors(syntax, { path, language, text });
  try {
    for (let asks = all; ; ) {
      const splices = asks.map(witnessed);
      const answer = await repairBoundaries({ path, language, text, splices }, errors);
      const change = answer.repairs.length === 0 ? undefined : tryPlace(path, text, asks, answer);
      // What was refused and is not repaired is not in the file, where the others are to be judged.
      const isLeft = ({ refusal }: DoubtedLines, at: number) =>
        refusal !== undefined && (change === undefined || answer.splices[at] === splices[at]);
      if (!asks.some(isLeft)) return { asks, answer, change };
      asks = asks.filter((ask, at) => !isLeft(ask, at));
    }
  } finally {
    errors[Symbol.dispose]();
  }
}

/** The change with its witnesses; a place that was found beside its number takes them along. */
function witnessed({ ask, splice, refusal }: DoubtedLines): WitnessedSplice {
  const shift = splice.start - ask.start;
  const witnesses = refusal === undefined ? ask.witnesses : bothEnds(ask);
  return { ...splice, witnesses: witnesses.map((witness) => ({ ...witness, line: witness.line + shift })) };
}

/** The witnesses of an ask that disagree with its numbers. Where one number has two openings, it was to be two numbers. */
function bothEnds({ start, end, witnesses }: LinesAsk): readonly Witness[] {
  const [only] = witnesses;
  const bar = only?.opening.indexOf(" | ") ?? -1;
  if (only === undefined || bar < 0 || end - start !== 1 || witnesses.length > 1) return witnesses;
  const [first, last] = [only.opening.slice(0, bar), only.opening.slice(bar + " | ".length)];
  return [
    { ...only, opening: first },
    { ...only, opening: last },
  ];
}

/** The change of the file with repaired boundaries. */
function tryPlace(
  path: string,
  text: string,
  asks: readonly DoubtedLines[],
  { splices }: BoundaryAnswer,
): FileChange | undefined {
  const moved = asks.map(({ ask }, i) => ({ ...ask, ...splices[i]!, path, witnesses: [] }));
  const { edit, refusals } = placeAsks(moved, new Map([[path, text]]));
  // An edit that its repair leaves without effect is refused as no change, which is no loss.
  return refusals.every(({ kind }) => kind === "no-change")
    ? (edit.changes[0] ?? { kind: "edit", uri: path, edit: Edit.empty })
    : undefined;
}
