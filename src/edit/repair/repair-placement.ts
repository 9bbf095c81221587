import {
  type LineAnchor,
  type LineRangeEdit,
  type LineSplice,
  type Placement,
  type Refusal,
  resolveOperations,
} from "../../formats/index.ts";
import { EditedSyntaxErrors, type Syntax } from "../../syntax/index.ts";
import { Edit, type FileChange, type FileTexts, workspaceEdit } from "../../text/index.ts";
import type {
  AnchoredSplice,
  BoundaryAnswer,
  BoundaryEvidence,
  BoundaryRepair,
} from "../boundaries/boundary-repair.ts";
import { repairBoundaries } from "../boundaries/repair-boundaries.ts";
import { newErrorCounter } from "../boundaries/splice-checker.ts";
import { idOf, type KnownLanguages } from "../changed-files.ts";

/** A placement with repaired boundaries. */
export interface RepairedPlacement extends Pick<Placement, "edit" | "placed" | "refusals"> {
  readonly repairs: readonly BoundaryRepair[];
  /** Warnings about boundaries that may be mistaken and were left as they are. */
  readonly warnings: readonly string[];
}

/** What {@link repairPlacement} needs. */
export interface RepairOptions {
  readonly syntax: Syntax;
  readonly known: KnownLanguages;
}

/**
 * Repairs mistaken boundaries, see {@link repairBoundaries}, in files that are edited by line
 * numbers alone.
 *
 * Operations that were refused because the lines they quote are not at their numbers are applied if
 * they can be repaired with certainty; otherwise they stay refused. Operations that quote all of
 * their text are located by it, so their boundaries are not doubted.
 */
export async function repairPlacement(
  placement: Placement,
  texts: FileTexts,
  options: RepairOptions,
): Promise<RepairedPlacement> {
  // A created file may have the path of a file that moves away, so its change is kept apart.
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
    const operations = kind === "edit" ? tryLinesAsks(placement, path) : undefined;
    const text = texts.get(path);
    if (operations === undefined || text === undefined || text.length * operations.length > maxCharacters) continue;
    const repaired = await repairFile(path, text, operations, options);
    if (repaired.change !== undefined) {
      changes.set(path, repaired.change);
      repairs.push(...repaired.answer.repairs);
      for (const [at, { operation, refusal }] of repaired.operations.entries()) {
        if (refusal === undefined) continue;
        saved.add(refusal);
        placed.push({ operation, path, splices: [repaired.answer.splices[at]!] });
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

/** Whether an operation was refused because of its location, which may be nearby. */
function mayBeMoved({ kind, path }: Refusal): boolean {
  return kind === "anchor-mismatch" && path !== undefined;
}

function printDoubt(path: string, { start, end }: LineSplice, evidence: readonly BoundaryEvidence[]): string {
  const place = end > start + 1 ? `lines ${start + 1} to ${end}` : `line ${start + 1}`;
  return `Look at the edges of the edit of ${path} at ${place}: ${evidence.map((one) => doubts[one]).join(", and ")}.`;
}

const doubts: Readonly<Record<BoundaryEvidence, string>> = {
  "parse-failure": "the file does not parse with it",
  "echoed-edge": "it repeats lines that stand beside it",
  "anchor-mismatch": "the words that it quotes stand elsewhere",
  "bracket-balance": "it opens or closes other brackets than what it replaces",
};

/**
 * Bounds the text that is parsed, since each edit of a broken file is checked on its own. About a
 * second of work.
 */
const maxCharacters = 20_000_000;

/** An operation that addresses lines by number. */
interface DoubtedLines {
  readonly operation: LineRangeEdit;
  /** The resolved lines, or the lines as numbered in the answer if the operation was refused. */
  readonly splice: LineSplice;
  readonly refusal: Refusal | undefined;
}

/**
 * The operations on a file; `undefined` unless all resolved ones are by line numbers and no two
 * insert at the same place.
 */
function tryLinesAsks({ placed, refused }: Placement, path: string): readonly DoubtedLines[] | undefined {
  const operations: DoubtedLines[] = [];
  for (const { operation, path: of, splices } of placed) {
    if (of !== path) continue;
    const [splice] = splices;
    if (operation.kind !== "lines" || splice === undefined || splices.length > 1) return undefined;
    operations.push({ operation, splice, refusal: undefined });
  }
  const insertions = operations.filter(({ splice }) => splice.start === splice.end).map(({ splice }) => splice.start);
  if (new Set(insertions).size < insertions.length) return undefined;
  for (const { operation, refusal } of refused) {
    if (operation.kind !== "lines" || refusal.path !== path || !mayBeMoved(refusal)) continue;
    const splice = { start: operation.start, end: operation.end, lines: operation.lines };
    if (!operations.some((other) => collide(other.splice, splice))) operations.push({ operation, splice, refusal });
  }
  return operations;
}

/** Whether two changes overlap, or insert at the same place. */
function collide(a: LineSplice, b: LineSplice): boolean {
  return (a.start < b.end && b.start < a.end) || (a.start === b.start && a.end === b.end);
}

/** The result of repairing one file. */
interface RepairedFile {
  /** The operations that are applied now, in the order of the splices of `answer`. */
  readonly operations: readonly DoubtedLines[];
  readonly answer: BoundaryAnswer;
  /** The new change of the file; `undefined` where the old one is kept. */
  readonly change: FileChange | undefined;
}

async function repairFile(
  path: string,
  text: string,
  all: readonly DoubtedLines[],
  { syntax, known }: RepairOptions,
): Promise<RepairedFile> {
  const language = idOf(path, text, known);
  using errors = await EditedSyntaxErrors.open(syntax, { uri: path, language, text });
  for (let operations = all; ; ) {
    const splices = operations.map(withAnchors);
    const answer = await repairBoundaries({ path, language, text, splices }, newErrorCounter(text, errors));
    const change = answer.repairs.length === 0 ? undefined : tryPlace(path, text, operations, answer);
    // Judge the others without the refused operations that were not repaired, since those are not
    // applied.
    const isLeft = ({ refusal }: DoubtedLines, at: number) =>
      refusal !== undefined && (change === undefined || answer.splices[at] === splices[at]);
    if (!operations.some(isLeft)) return { operations, answer, change };
    operations = operations.filter((operation, at) => !isLeft(operation, at));
  }
}

/** The change with its quoted lines, whose numbers move along with a resolved location. */
function withAnchors({ operation, splice, refusal }: DoubtedLines): AnchoredSplice {
  const shift = splice.start - operation.start;
  const anchors = refusal === undefined ? operation.anchors : bothEnds(operation);
  return { ...splice, anchors: anchors.map((anchor) => ({ ...anchor, line: anchor.line + shift })) };
}

/**
 * The quoted lines of a refused operation. A quote of two parts at a single number was meant as two
 * ends.
 */
function bothEnds({ start, end, anchors }: LineRangeEdit): readonly LineAnchor[] {
  const [only] = anchors;
  const bar = only?.opening.indexOf(" | ") ?? -1;
  if (only === undefined || bar < 0 || end - start !== 1 || anchors.length > 1) return anchors;
  const [first, last] = [only.opening.slice(0, bar), only.opening.slice(bar + " | ".length)];
  return [
    { ...only, opening: first },
    { ...only, opening: last },
  ];
}

/** The change of the file with repaired boundaries; `undefined` if it cannot be applied. */
function tryPlace(
  path: string,
  text: string,
  operations: readonly DoubtedLines[],
  { splices }: BoundaryAnswer,
): FileChange | undefined {
  const moved = operations.map(({ operation }, i) => ({ ...operation, ...splices[i]!, path, anchors: [] }));
  const { edit, refusals } = resolveOperations(moved, new Map([[path, text]]));
  // An operation that has no effect after its repair is refused as `no-change`, which is
  // acceptable.
  return refusals.every(({ kind }) => kind === "no-change")
    ? (edit.changes[0] ?? { kind: "edit", uri: path, edit: Edit.empty })
    : undefined;
}
