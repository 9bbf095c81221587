import { type LineSplice, type LinesAsk, type PlacedAsk, type Placement, placeAsks } from "../formats/index.ts";
import type { Syntax } from "../syntax/index.ts";
import {
  Edit,
  type FileChange,
  type FileTexts,
  minimalEdit,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import type { BoundaryAnswer, BoundaryEvidence, BoundaryRepair } from "./boundary-repair.ts";
import { idOf, type KnownLanguages } from "./changed-files.ts";
import { newErrors } from "./new-errors.ts";
import { repairBoundaries } from "./repair-boundaries.ts";

/** A placement whose mistaken boundaries were moved. */
export interface RepairedPlacement {
  readonly edit: WorkspaceEdit;
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
 * Text that an answer quotes wholly is found where it is, so its boundaries are not doubted.
 */
export async function repairPlacement(
  placement: Placement,
  texts: FileTexts,
  options: RepairOptions,
): Promise<RepairedPlacement> {
  const changes: FileChange[] = [];
  const repairs: BoundaryRepair[] = [];
  const warnings: string[] = [];
  for (const change of placement.edit.changes) {
    const asks = change.kind === "edit" ? tryLinesAsks(placement.placed, change.uri) : undefined;
    const text = texts.get(change.uri);
    if (asks === undefined || text === undefined || text.length * asks.length > maxCharacters) {
      changes.push(change);
      continue;
    }
    const answer = await repairOne(change.uri, text, asks, options);
    const repaired = answer.repairs.length === 0 ? undefined : tryPlace(change.uri, text, asks, answer);
    changes.push(repaired ?? change);
    if (repaired !== undefined) repairs.push(...answer.repairs);
    for (const { splice, evidence } of answer.doubts) {
      if (evidence.includes("parse-failure")) continue;
      warnings.push(printDoubt(change.uri, splice, evidence));
    }
  }
  return { edit: workspaceEdit(changes), repairs, warnings };
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

/** A placed ask that says its lines by their numbers. */
interface PlacedLines {
  readonly ask: LinesAsk;
  readonly splice: PlacedAsk["splices"][number];
}

/** The asks about a file, if all are by line numbers and no two of them insert at one place. */
function tryLinesAsks(placed: readonly PlacedAsk[], path: string): readonly PlacedLines[] | undefined {
  const asks: PlacedLines[] = [];
  for (const { ask, path: of, splices } of placed) {
    if (of !== path) continue;
    const [splice] = splices;
    if (ask.kind !== "lines" || splice === undefined || splices.length > 1) return undefined;
    asks.push({ ask, splice });
  }
  const insertions = asks.filter(({ splice }) => splice.start === splice.end).map(({ splice }) => splice.start);
  return new Set(insertions).size === insertions.length ? asks : undefined;
}

async function repairOne(
  path: string,
  text: string,
  asks: readonly PlacedLines[],
  { syntax, known }: RepairOptions,
): Promise<BoundaryAnswer> {
  const language = idOf(path, text, known);
  const before = await syntax.syntaxErrors({ uri: path, language, text });
  const countNewErrors = async (changed: string) => {
    const after = await syntax.syntaxErrors({ uri: path, language, text: changed });
    return after.length === 0
      ? 0
      : newErrors({ before, edit: minimalEdit(text, changed, { unit: "line" }), after }).length;
  };
  const splices = asks.map(({ ask, splice }) => {
    // A place that was found beside its number takes its witnesses along.
    const shift = splice.start - ask.start;
    return { ...splice, witnesses: ask.witnesses.map((witness) => ({ ...witness, line: witness.line + shift })) };
  });
  return repairBoundaries({ path, language, text, splices }, countNewErrors);
}

/** The change of the file with repaired boundaries. */
function tryPlace(
  path: string,
  text: string,
  asks: readonly PlacedLines[],
  { splices }: BoundaryAnswer,
): FileChange | undefined {
  const moved = asks.map(({ ask }, i) => ({ ...ask, ...splices[i]!, path, witnesses: [] }));
  const { edit, refusals } = placeAsks(moved, new Map([[path, text]]));
  // An edit that its repair leaves without effect is refused as no change, which is no loss.
  return refusals.every(({ kind }) => kind === "no-change")
    ? (edit.changes[0] ?? { kind: "edit", uri: path, edit: Edit.empty })
    : undefined;
}
