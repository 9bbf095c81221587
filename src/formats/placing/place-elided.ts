import type { ElidedEdit } from "../edit-operation.ts";
import { elidedRow, isElision } from "../reading/is-elision.ts";
import { type IndentChange, indentOf, tryIndentChange } from "./indent-change.ts";
import { type IndentUnit, indentUnits } from "./indent-units.ts";
import { hasWords } from "./line-keys.ts";
import { deepest, type LostLines, mergeElided, type Stretch, spineOf } from "./merge-elided.ts";
import { nearestLines } from "./nearest-lines.ts";
import {
  nameLines,
  normalizationMessages,
  type OperationNormalization,
  type OperationOutcome,
  placed,
  refused,
} from "./operation-outcome.ts";
import { placeWhole, replaceStretch } from "./place-whole.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Applies the new text of a file or of a part of it, in which elision rows represent unchanged
 * lines.
 *
 * Its place is the only level of the file, such as the body of a class, that contains the first
 * lines of the answer's units. `mergeElided` restores left-out lines; ambiguous cases are refused.
 */
export function placeElided(operation: ElidedEdit, text: WorkingText, path: string): OperationOutcome {
  const file = text.texts;
  if (file.every((line) => line.trim() === "")) return placeWhole({ ...operation, kind: "whole" }, text, path);
  const answer = operation.lines;
  const whole = { start: 0, end: answer.length };
  const level = findLevel(answer, file, path);
  if (level === undefined) {
    const message =
      "The lines are not in the file, or in several places of it, so that it is not sure where they belong.";
    return refused(
      "not-found",
      message,
      nearestLines(
        answer.filter((line) => !isElision(line, path)),
        file,
      ),
    );
  }
  const merged = mergeElided(
    { answer, file, path, indent: level.indent },
    { answer: whole, file: level, isOpen: true },
  );
  if (merged.kind === "unsure") {
    const row = answer[merged.row]!.trim();
    return refused(
      "elided-code",
      `It is not sure where ${JSON.stringify(row)} belongs; show what is in front of it and behind it.`,
    );
  }
  const left = elidedRow(merged.lines, { known: [file], path });
  if (left !== undefined) {
    return refused("elided-code", `It is not sure what ${JSON.stringify(merged.lines[left]!.trim())} stands for.`);
  }
  const lost = joined(merged.lost, file);
  const unsure = lost.filter(({ isMeant }) => !isMeant);
  if (unsure.length > 0) {
    const [{ start, end }] = unsure as [LostLines];
    const message = `${nameLines(start, end)} would go, since the answer has nothing for them between what is in front of them and behind them. Where they stay, a remark such as "... existing code ..." stands for them; where they are to go, both are shown as they are.`;
    return refused(
      "elided-code",
      message,
      unsure
        .slice(0, 3)
        .map((one) => ({ start: one.start, lines: file.slice(one.start, Math.min(one.end, one.start + mostShown)) })),
    );
  }
  const splices = replaceStretch(text, { start: level.start, end: level.end, lines: merged.lines });
  if (splices === undefined) return refused("no-change", "The file would stay as it is.");
  const isPart = answer.some((line) => isElision(line, path));
  return placed(splices, [
    ...normalizationMessages([
      ...(isPart ? (["elision"] as const) : []),
      ...(level.isMoved ? (["indentation"] as const) : []),
    ]),
    ...lost.map((one) => leavesOut(one, file)),
  ]);
}

/** The most lines shown of those that would be deleted. */
const mostShown = 40;

/** Joins adjacent stretches, ignoring blank lines between them. */
function joined(lost: readonly LostLines[], file: readonly string[]): readonly LostLines[] {
  const found: LostLines[] = [];
  for (const one of lost) {
    const last = found.at(-1);
    const isNext = last?.isMeant === one.isMeant && file.slice(last.end, one.start).every((line) => line.trim() === "");
    if (last !== undefined && isNext) found[found.length - 1] = { ...last, end: one.end };
    else found.push(one);
  }
  return found;
}

function leavesOut({ start, end }: LostLines, file: readonly string[]): OperationNormalization {
  const more = end - start - 1;
  const rest = more === 0 ? "" : more === 1 ? ", and 1 line more" : `, and ${more} lines more`;
  const [go, them] = more === 0 ? ["goes", "it"] : ["go", "them"];
  const message = `${nameLines(start, end)} ${go}, since the answer leaves ${them} out without a remark: ${JSON.stringify(file[start]!.trim())}${rest}.`;
  return { kind: "left-out", message };
}

/** Lines of a file with equal indentation, and everything inside of them. */
interface Level extends Stretch {
  readonly indent: IndentChange;
  /** Whether the file is indented differently from the answer. */
  readonly isMoved: boolean;
}

/** The level of the file that an answer belongs to; `undefined` where none or several fit. */
function findLevel(answer: readonly string[], file: readonly string[], path: string): Level | undefined {
  const items = indentUnits(answer, { start: 0, end: answer.length, path });
  const heads = new Map<string, string>();
  for (const item of items) {
    const line = item.kind === "unit" ? answer[item.start]! : "";
    if (hasWords(line)) heads.set(line.trim(), indentOf(line));
  }
  let found: { readonly level: Stretch; readonly indents: ReadonlyMap<string, string> } | undefined;
  let isTied = false;
  for (const level of levelsOf(file, { start: 0, end: file.length })) {
    const indents = new Map<string, string>();
    for (const { start } of level.units) {
      const head = file[start]!.trim();
      if (heads.has(head)) indents.set(head, indentOf(file[start]!));
    }
    if (indents.size === 0 || indents.size < (found?.indents.size ?? 0)) continue;
    isTied = indents.size === found?.indents.size;
    if (!isTied) found = { level, indents };
  }
  if (isTied) return undefined;
  if (found === undefined) {
    // New lines beside elision rows belong to the top level if they are written without
    // indentation.
    const isTop =
      items.some(({ kind }) => kind === "left-out") &&
      items.every((item) => item.kind === "left-out" || indentOf(answer[item.start]!) === "");
    return isTop ? { start: 0, end: file.length, indent: (old) => old, isMoved: false } : undefined;
  }
  const { level, indents } = found;
  const pairs = Array.from(indents, ([head, indent]) => [heads.get(head)!, indent] as const);
  const indent = tryIndentChange(pairs);
  const isMoved = pairs.some(([one, other]) => one !== other);
  return indent && { start: level.start, end: level.end, indent, isMoved };
}

/** Each level of some lines with its units, outer levels first. */
function* levelsOf(
  lines: readonly string[],
  level: Stretch,
  depth = 0,
): Generator<Stretch & { readonly units: readonly IndentUnit[] }> {
  const units = indentUnits(lines, level).filter((item) => item.kind === "unit");
  yield { ...level, units };
  if (depth > deepest) return;
  for (const unit of units) {
    const spine = spineOf(lines, unit);
    for (const [i, line] of spine.entries()) {
      const inside = { start: line + 1, end: spine[i + 1] ?? unit.end };
      if (inside.start < inside.end) yield* levelsOf(lines, inside, depth + 1);
    }
  }
}
