import { raceAbort } from "../async/index.ts";
import {
  type AnswerContent,
  type EditOperation,
  type FormatName,
  type LineSplice,
  type Normalization,
  type Placement,
  type Refusal,
  type RefusalKind,
  type ResolvedOperation,
  resolveOperations,
} from "../formats/index.ts";
import {
  carryOver,
  composeWorkspaceEdits,
  EmendError,
  emptyWorkspaceEdit,
  type FileChange,
  type FileTexts,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import type { Attempt } from "./attempt.ts";
import type { BoundaryRepair } from "./boundaries/boundary-repair.ts";
import { type KnownLanguages, textsAfter } from "./changed-files.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import type { EditFile } from "./edit-request.ts";
import { formatEdited } from "./format-edited.ts";
import type { LineRange } from "./line-range.ts";
import { type AddedIssue, addedIssues } from "./repair/added-issues.ts";
import { repairPlacement } from "./repair/repair-placement.ts";
import { resolveRepaired } from "./repair/repaired-block.ts";

/** What a model was shown for one answer, and what the answer builds on. */
export interface Round {
  readonly format: FormatName;
  /** The texts of the request, or the current texts where they changed since. */
  readonly files: FileTexts;
  /** The change already applied to the files that the model was shown; empty in the first round. */
  readonly base: WorkspaceEdit;
  /** The result of the earlier answers that this answer corrects. */
  readonly earlier?: Attempt | undefined;
  /** The attempt that is kept if the model has nothing to add; `undefined` in the first round. */
  readonly fallback?: Attempt | undefined;
}

/**
 * Checks answers: resolves their operations, repairs mistaken boundaries, finds new syntax errors,
 * then formats and verifies.
 */
export class EditChecker {
  readonly #parts: EditEngineParts;
  readonly #known: KnownLanguages;
  readonly #signal: AbortSignal | undefined;

  constructor(parts: EditEngineParts, files: readonly EditFile[], signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#known = new Map(files.map(({ path, language }) => [path, language]));
    this.#signal = signal;
  }

  /**
   * Resolves an answer to a round and finds the syntax errors that it adds. Formatting and
   * verification are left to {@link finish}. Operations that cannot be resolved are refusals of the
   * attempt.
   *
   * Rejects with the signal's reason on abort. Throws an `InvariantError` where the edit
   * `round.base` does not fit `round.files`.
   */
  async checkAnswer(content: AnswerContent, round: Round): Promise<Attempt> {
    const { earlier, fallback } = round;
    if (content.declaresNoChange && content.operations.length === 0 && content.refusals.length === 0) {
      return withdrawn(content, round);
    }
    const texts = textsAfter(round.files, round.base);
    const placement = resolveBeside(earlier?.placed ?? [], content, texts);
    const { syntax, textNow } = this.#parts;
    const repaired = await this.#wait(repairPlacement(placement, texts, { syntax, known: this.#known }));
    const { repairs, warnings, ...given } = await this.#wait(refuseNotGiven(repaired, texts, textNow));
    const { edit: made, placed, refusals: refusedOperations } = given;
    const edit = leastEdit(round.files, composeWorkspaceEdits(round.base, made));
    const isEmpty = edit.changes.length === 0;
    const all = [...content.refusals, ...refusedOperations];
    // A no-op edit beside other edits is only a warning; an answer with nothing else is refused
    // with it.
    const refusals = isEmpty ? all : all.filter(({ kind }) => kind !== "no-change");
    // Repairs, normalizations and warnings of the change that this round builds on.
    const base = round.base.changes.length > 0 ? fallback : undefined;
    const attempt = {
      format: round.format,
      files: round.files,
      edit,
      placed,
      refusals: isEmpty && all.length === 0 ? [leavesAll(repairs)] : refusals,
      repairs: [...(base?.repairs ?? []), ...repairs],
      normalizations: distinct([
        ...(base?.normalizations ?? []),
        ...(earlier?.normalizations ?? []),
        ...content.normalizations,
        ...placement.normalizations,
      ]),
      warnings: [
        ...(base?.warnings ?? []),
        ...all.filter((refusal) => !refusals.includes(refusal)).map(({ message }) => message),
        ...(content.declaresNoChange
          ? ["The model says that there is nothing to change, but its answer has edits."]
          : []),
        ...warnings,
        ...notWrittenAgain(earlier, content),
        ...shrinking(placed, texts, made),
      ],
    };
    return { ...attempt, issues: await this.#issuesOf(round.files, edit) };
  }

  /**
   * Checks an edit of `files` whose ranges were given in advance, for syntax errors only; see
   * {@link finish}.
   *
   * An edit that changes nothing gets one refusal of kind `no-change`. Rejects with the signal's
   * reason on abort.
   */
  async checkEdit(
    edit: WorkspaceEdit,
    { files, ...notes }: Pick<Attempt, "files" | "normalizations" | "warnings">,
  ): Promise<Attempt> {
    const least = leastEdit(files, edit);
    const refusals = least.changes.length === 0 ? [leavesRegions] : [];
    const issues = await this.#issuesOf(files, least);
    return { format: "regions", files, edit: least, placed: [], repairs: [], refusals, issues, ...notes };
  }

  /**
   * Replaces a block of a broken file by `lines` and checks the syntax again. `block` is in lines
   * of the file after the edit, which count from 0.
   *
   * Returns the new attempt, or a `Refusal` where the lines cannot be used. Rejects with the
   * signal's reason on abort.
   */
  async repairBlock(
    attempt: Attempt,
    issue: AddedIssue,
    block: LineRange,
    lines: readonly string[],
  ): Promise<Attempt | Refusal> {
    const repaired = resolveRepaired({ issue, block, lines, files: textsAfter(attempt.files, attempt.edit) });
    if ("kind" in repaired) return repaired;
    const edit = leastEdit(attempt.files, composeWorkspaceEdits(attempt.edit, repaired.edit));
    const issues = await this.#issuesOf(attempt.files, edit);
    return { ...attempt, edit, issues, warnings: [...attempt.warnings, ...repaired.warnings] };
  }

  /**
   * Carries an attempt over to the current texts, formats it and runs the verification command.
   *
   * Returns `attempt` unchanged if it has refusals or syntax errors, or is final. A verification
   * command that cannot be run makes the attempt final, with the reason as its report. Rejects with
   * the signal's reason on abort.
   */
  async finish(attempt: Attempt): Promise<Attempt> {
    if (attempt.refusals.length > 0 || attempt.issues.length > 0 || attempt.isFinal) return attempt;
    const { verify, formatter, syntax } = this.#parts;
    let ready = await this.#carry(attempt);
    if (ready.stalePaths !== undefined) return ready;
    if (formatter !== undefined) {
      const options = { formatter, syntax, known: this.#known, signal: this.#signal };
      const formatted = await formatEdited(ready.files, ready.edit, options);
      const edit = leastEdit(ready.files, formatted.edit);
      // The formatter may undo a change of white space alone; the unformatted change is kept then.
      const isLost = edit.changes.length === 0;
      ready = { ...ready, ...(!isLost && { edit }), warnings: [...ready.warnings, ...formatted.warnings] };
    }
    if (verify === undefined) return ready;
    try {
      // The verification handles the signal itself and is awaited after an abort, because it may
      // have to restore files.
      const answer = await verify(ready.edit, { files: ready.files, signal: this.#signal });
      this.#signal?.throwIfAborted();
      return answer.kind === "failed" ? { ...ready, report: answer.report } : this.#carry(ready);
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!(error instanceof EmendError)) throw error;
      return { ...ready, report: error.message, isFinal: true };
    }
  }

  /**
   * Rebases an attempt onto the current texts; one that conflicts, or no longer parses there,
   * becomes stale and final.
   */
  async #carry(attempt: Attempt): Promise<Attempt> {
    const { textNow } = this.#parts;
    if (textNow === undefined) return attempt;
    const carried = await this.#wait(carryOver(attempt.files, attempt.edit, textNow));
    if (carried.kind === "stale") return { ...attempt, stalePaths: carried.paths, isFinal: true };
    const { files, edit } = carried;
    // The edit of these texts adds no error, or there would be nothing to carry over.
    if (edit === attempt.edit) return attempt;
    const issues = await this.#issuesOf(files, edit);
    if (issues.length === 0) return { ...attempt, files, edit };
    return { ...attempt, stalePaths: [...new Set(issues.map(({ file }) => file.path))], isFinal: true };
  }

  #issuesOf(files: FileTexts, edit: WorkspaceEdit): Promise<readonly AddedIssue[]> {
    return this.#wait(addedIssues(files, edit, { syntax: this.#parts.syntax, known: this.#known }));
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    return raceAbort(work, this.#signal);
  }
}

/**
 * Resolves an answer's operations in `texts`, together with the operations of earlier answers that
 * it does not replace; see {@link keepOperations}. Refusals that concern an earlier operation have
 * no row.
 */
export function resolveBeside(
  earlier: readonly ResolvedOperation[],
  content: Pick<AnswerContent, "operations">,
  texts: FileTexts,
): Placement {
  const fresh = resolveOperations(content.operations, texts);
  const kept = keepOperations(earlier, fresh.placed);
  if (kept.length === 0) return fresh;
  // Row -1 marks operations of earlier answers, whose rows do not exist in this answer.
  const { refused, normalizations, ...placement } = resolveOperations(
    [...kept.map((operation) => ({ ...operation, row: -1 })), ...content.operations],
    texts,
  );
  const withRow = <T extends { readonly row: number | undefined }>(item: T): T =>
    item.row === -1 ? { ...item, row: undefined } : item;
  const ofThisAnswer = refused.map(({ operation, refusal }) => ({ operation, refusal: withRow(refusal) }));
  const refusals = ofThisAnswer.map(({ refusal }) => refusal);
  return { ...placement, refusals, refused: ofThisAnswer, normalizations: normalizations.map(withRow) };
}

/** The result where a model answers that there is nothing to change (or to add). */
function withdrawn(content: AnswerContent, { earlier, fallback, format, files }: Round): Attempt {
  if (earlier === undefined && fallback !== undefined) return { ...fallback, isFinal: true };
  // A model may withdraw an operation that has no effect. One that was refused for another reason
  // is still missing.
  const refusals = earlier?.refusals.filter(({ kind }) => !harmless.has(kind)) ?? [];
  if (earlier === undefined || (earlier.edit.changes.length === 0 && refusals.length === 0)) {
    const empty = { placed: [], repairs: [], warnings: [], issues: [], refusals: [], edit: emptyWorkspaceEdit };
    return { ...empty, format, files, normalizations: content.normalizations, declaresNoChange: true, isFinal: true };
  }
  const taken = earlier.refusals.filter((refusal) => !refusals.includes(refusal)).map(({ message }) => message);
  return { ...earlier, refusals, warnings: [...earlier.warnings, ...taken], isFinal: refusals.length > 0 };
}

/** Kinds of refusals of operations that would have had no effect. */
const harmless: ReadonlySet<RefusalKind> = new Set(["no-edits", "no-change", "already-applied"]);

const leavesRegions: Refusal = {
  kind: "no-change",
  message: "The model leaves the regions as they are.",
  row: undefined,
  path: undefined,
};

function leavesAll(repairs: readonly BoundaryRepair[]): Refusal {
  const messages = ["The edits leave all files as they are.", ...repairs.map(({ message }) => message)];
  return { kind: "no-change", message: messages.join(" "), row: undefined, path: undefined };
}

function notWrittenAgain(earlier: Attempt | undefined, { operations, refusals }: AnswerContent): readonly string[] {
  const wanted = earlier?.refusals.filter(({ row }) => row !== undefined).length ?? 0;
  const written = operations.length + refusals.length;
  if (written >= wanted) return [];
  return [`Of ${wanted} edits that were refused, the model wrote ${written} again.`];
}

/**
 * Warns of files that lose more than half of their lines to an answer that contains the complete
 * file.
 */
function shrinking(placed: readonly ResolvedOperation[], files: FileTexts, edit: WorkspaceEdit): readonly string[] {
  const after = textsAfter(files, edit);
  const whole = placed
    .filter(({ operation }) => operation.kind === "whole" || operation.kind === "elided")
    .map(({ path }) => path);
  return [...new Set(whole)].flatMap((path) => {
    const had = countLines(files.get(path));
    const has = countLines(after.get(path));
    return 2 * has < had ? [`${path} shrinks from ${had} lines to ${has}.`] : [];
  });
}

/** The number of lines that are not blank. */
function countLines(text = ""): number {
  return text.match(/^[^\S\r\n\u2028\u2029]*\S.*/gm)?.length ?? 0;
}

function distinct(normalizations: readonly Normalization[]): readonly Normalization[] {
  const seen = new Set<string>();
  return normalizations.filter(({ kind, message, path }) => {
    const key = JSON.stringify([kind, message, path]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The edit without replacements of text by the same text. */
function leastEdit(files: FileTexts, edit: WorkspaceEdit): WorkspaceEdit {
  return workspaceEdit(
    edit.changes.map((change): FileChange => {
      if (change.kind === "create" || change.kind === "delete") return change;
      return { ...change, edit: change.edit.normalize(files.get(change.uri) ?? "") };
    }),
  );
}

/** The part of a placement that is checked here. */
type Placed = Pick<Placement, "edit" | "placed" | "refusals">;

/**
 * Refuses operations on files that exist and are not among `texts`, which alone may be changed:
 * creating or moving a file onto an existing one, and editing one. An edit of such a file was
 * refused earlier as an unknown file and only gets a clearer message.
 */
async function refuseNotGiven<P extends Placed>(
  placement: P,
  texts: FileTexts,
  textNow: EditEngineParts["textNow"],
): Promise<P> {
  if (textNow === undefined) return placement;
  const isForeign = async (path: string) => {
    const plain = path.replace(/^(?:\.\/)+/, "");
    return !texts.has(plain) && (await textNow(plain)) !== undefined;
  };
  const refusals: Refusal[] = [];
  for (const refusal of placement.refusals) {
    const { kind, path } = refusal;
    const isOther = kind === "unknown-file" && path !== undefined && (await isForeign(path));
    refusals.push(
      isOther ? { ...refusal, message: `${path} was not given: it has to be named to be changed.` } : refusal,
    );
  }
  const changes: FileChange[] = [];
  /** The files whose move is refused, with their edits, which stay. */
  const stays = new Map<string, FileChange>();
  let { placed } = placement;
  for (const change of placement.edit.changes) {
    const target = targetOf(change);
    if (target === undefined || !(await isForeign(target))) {
      changes.push(change);
      continue;
    }
    // The edits of a new file are dropped with it; the edits of a file whose move is refused are
    // kept.
    const isRefused = ({ operation, path }: Placed["placed"][number]) =>
      path === change.uri && (change.kind === "create" || operation.kind === "move");
    const message = `${target} is there already and was not given: it has to be named to be changed.`;
    refusals.push({ kind: "already-exists", message, row: placed.find(isRefused)?.operation.row, path: target });
    placed = placed.filter((one) => !isRefused(one));
    if (change.kind === "rename") stays.set(change.uri, { kind: "edit", uri: change.uri, edit: change.edit });
  }
  // A target path is not free where the file that was to move away stays.
  const possible = changes.filter((change) => !stays.has(targetOf(change) ?? ""));
  return { ...placement, edit: workspaceEdit([...possible, ...stays.values()]), placed, refusals };
}

/** The path at which a change puts a file; `undefined` for edits and deletions. */
function targetOf(change: FileChange): string | undefined {
  return change.kind === "create" ? change.uri : change.kind === "rename" ? change.uriAfter : undefined;
}

/**
 * Returns the operations of earlier answers that still hold beside those of a new answer.
 *
 * An answer that corrects another one contains only the corrections. An earlier operation is
 * dropped where the new answer repeats it or covers all of its lines. A different insertion at the
 * same line does not replace the earlier one.
 */
export function keepOperations(
  earlier: readonly ResolvedOperation[],
  later: readonly ResolvedOperation[],
): readonly EditOperation[] {
  return earlier.filter((mine) => !later.some((theirs) => supersedes(theirs, mine))).map(({ operation }) => operation);
}

function supersedes(later: ResolvedOperation, earlier: ResolvedOperation): boolean {
  if (keyOf(later.operation) === keyOf(earlier.operation)) return true;
  if (later.path !== earlier.path) return false;
  const mine: readonly LineSplice[] = earlier.splices;
  // Operations without splices create, move or delete whole files.
  if (mine.length === 0) return later.splices.length === 0 && later.operation.kind === earlier.operation.kind;
  return mine.every((splice) => later.splices.some((other) => covers(other, splice)));
}

function covers(later: LineSplice, earlier: LineSplice): boolean {
  const isInsertion = earlier.start === earlier.end;
  if (isInsertion) return later.start < earlier.start && earlier.end < later.end;
  return later.start <= earlier.start && earlier.end <= later.end;
}

/** The content of an operation without its row in the answer, as a key. */
function keyOf(operation: EditOperation): string {
  const { row: _row, ...content } = operation;
  return JSON.stringify(content);
}
