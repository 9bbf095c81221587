import {
  type AnswerContent,
  type FormatName,
  type Lenience,
  type PlacedAsk,
  type Placement,
  placeAsks,
  type Refusal,
  type RefusalKind,
} from "../formats/index.ts";
import {
  composeWorkspaceEdits,
  EmendError,
  emptyWorkspaceEdit,
  type FileChange,
  type FileTexts,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import { type AddedIssue, addedIssues } from "./added-issues.ts";
import type { Attempt } from "./attempt.ts";
import type { BoundaryRepair } from "./boundary-repair.ts";
import { carryOver } from "./carry-over.ts";
import { type KnownLanguages, textsAfter } from "./changed-files.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import type { EditFile } from "./edit-request.ts";
import { formatEdited } from "./format-edited.ts";
import { keepAsks } from "./keep-asks.ts";
import type { LineRange } from "./line-range.ts";
import { placeMended } from "./place-mended.ts";
import { refuseNotGiven } from "./refuse-not-given.ts";
import { repairPlacement } from "./repair-placement.ts";
import { untilAborted } from "./until-aborted.ts";

/** What an answer was asked about. */
export interface Round {
  readonly format: FormatName;
  /** The texts of the request, or as they became since. */
  readonly files: FileTexts;
  /** What was changed already in the files that the model was shown; nothing at first. */
  readonly base: WorkspaceEdit;
  /** What the answers before came to, which this one mends. */
  readonly earlier?: Attempt | undefined;
  /** What stands if the model has nothing to add; nothing at first. */
  readonly standing?: Attempt | undefined;
}

/** Judges answers: places what they ask for, looks for mistaken boundaries and new syntax errors, and checks the rest. */
export class EditJudge {
  readonly #parts: EditEngineParts;
  readonly #known: KnownLanguages;
  readonly #signal: AbortSignal | undefined;

  constructor(parts: EditEngineParts, files: readonly EditFile[], signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#known = new Map(files.map(({ path, language }) => [path, language]));
    this.#signal = signal;
  }

  /** What an answer to a round comes to. Whether it passes the check is not asked yet; see {@link finish}. */
  async judge(content: AnswerContent, round: Round): Promise<Attempt> {
    const { earlier, standing } = round;
    if (content.saysNoChange && content.asks.length === 0 && content.refusals.length === 0) {
      return withdrawn(content, round);
    }
    const texts = textsAfter(round.files, round.base);
    const placement = placeBeside(earlier?.placed ?? [], content, texts);
    const { syntax, textNow } = this.#parts;
    const repaired = await this.#wait(repairPlacement(placement, texts, { syntax, known: this.#known }));
    const { repairs, warnings, ...given } = await this.#wait(refuseNotGiven(repaired, texts, textNow));
    const { edit: made, placed, refusals: refusedAsks } = given;
    const edit = leastEdit(round.files, composeWorkspaceEdits(round.base, made));
    const isEmpty = edit.changes.length === 0;
    const all = [...content.refusals, ...refusedAsks];
    // An edit that leaves everything as it is does no harm beside others; alone it is all there is to say.
    const refusals = isEmpty ? all : all.filter(({ kind }) => kind !== "no-change");
    // What is to be told of the change that this one goes on from.
    const told = round.base.changes.length > 0 ? standing : undefined;
    const attempt = {
      format: round.format,
      files: round.files,
      edit,
      placed,
      refusals: isEmpty && all.length === 0 ? [leavesAll(repairs)] : refusals,
      repairs: [...(told?.repairs ?? []), ...repairs],
      leniences: distinct([
        ...(told?.leniences ?? []),
        ...(earlier?.leniences ?? []),
        ...content.leniences,
        ...placement.leniences,
      ]),
      warnings: [
        ...(told?.warnings ?? []),
        ...all.filter((refusal) => !refusals.includes(refusal)).map(({ message }) => message),
        ...(content.saysNoChange ? ["The model says that there is nothing to change, beside its edits."] : []),
        ...warnings,
        ...notWrittenAgain(earlier, content),
        ...shrinking(placed, texts, made),
      ],
    };
    return { ...attempt, issues: await this.#issuesOf(round.files, edit) };
  }

  /** What an edit of `files` comes to whose places were known ahead; see {@link finish}. `told` is what a person should know of it. */
  async judgeEdit(
    edit: WorkspaceEdit,
    { files, ...told }: Pick<Attempt, "files" | "leniences" | "warnings">,
  ): Promise<Attempt> {
    const least = leastEdit(files, edit);
    const refusals = least.changes.length === 0 ? [leavesRegions] : [];
    const issues = await this.#issuesOf(files, least);
    return { format: "regions", files, edit: least, placed: [], repairs: [], refusals, issues, ...told };
  }

  /** What an attempt comes to with these lines for a block of a broken file; or why they cannot be taken. */
  async mend(
    attempt: Attempt,
    issue: AddedIssue,
    block: LineRange,
    lines: readonly string[],
  ): Promise<Attempt | Refusal> {
    const mended = placeMended({ issue, block, lines, files: textsAfter(attempt.files, attempt.edit) });
    if ("kind" in mended) return mended;
    const edit = leastEdit(attempt.files, composeWorkspaceEdits(attempt.edit, mended.edit));
    const issues = await this.#issuesOf(attempt.files, edit);
    return { ...attempt, edit, issues, warnings: [...attempt.warnings, ...mended.warnings] };
  }

  /** Formats, checks and carries over an attempt, if nothing of it was refused and it breaks nothing. */
  async finish(attempt: Attempt): Promise<Attempt> {
    if (attempt.refusals.length > 0 || attempt.issues.length > 0 || attempt.isFinal) return attempt;
    const { check, formatter, syntax } = this.#parts;
    let ready = await this.#carry(attempt);
    if (ready.stalePaths !== undefined) return ready;
    if (formatter !== undefined) {
      const options = { formatter, syntax, known: this.#known, signal: this.#signal };
      const formatted = await formatEdited(ready.files, ready.edit, options);
      const edit = leastEdit(ready.files, formatted.edit);
      // A change of nothing but white space may be one that the formatter takes back; then it is what was asked for.
      const isLost = edit.changes.length === 0;
      ready = { ...ready, ...(!isLost && { edit }), warnings: [...ready.warnings, ...formatted.warnings] };
    }
    if (check === undefined) return ready;
    try {
      // It listens to the signal itself, and is waited for: it may have files to put back.
      const answer = await check(ready.edit, { files: ready.files, signal: this.#signal });
      this.#signal?.throwIfAborted();
      return answer.kind === "report" ? { ...ready, report: answer.text } : this.#carry(ready);
    } catch (error) {
      this.#signal?.throwIfAborted();
      if (!(error instanceof EmendError)) throw error;
      return { ...ready, report: error.message, isFinal: true };
    }
  }

  /** The attempt on the texts as they are now. */
  async #carry(attempt: Attempt): Promise<Attempt> {
    const { textNow } = this.#parts;
    if (textNow === undefined) return attempt;
    const carried = await this.#wait(carryOver(attempt.files, attempt.edit, textNow));
    if (carried.kind === "stale") return { ...attempt, stalePaths: carried.paths, isFinal: true };
    const { files, edit } = carried;
    const issues = await this.#issuesOf(files, edit);
    if (issues.length === 0) return { ...attempt, files, edit };
    return { ...attempt, stalePaths: [...new Set(issues.map(({ path }) => path))], isFinal: true };
  }

  #issuesOf(files: FileTexts, edit: WorkspaceEdit): Promise<readonly AddedIssue[]> {
    return this.#wait(addedIssues(files, edit, { syntax: this.#parts.syntax, known: this.#known }));
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    return untilAborted(work, this.#signal);
  }
}

/** Places an answer beside what still holds of those before. */
export function placeBeside(
  earlier: readonly PlacedAsk[],
  content: Pick<AnswerContent, "asks">,
  texts: FileTexts,
): Placement {
  const fresh = placeAsks(content.asks, texts);
  const kept = keepAsks(earlier, fresh.placed);
  if (kept.length === 0) return fresh;
  // Rows of earlier answers would be looked for in this one.
  const { refused, leniences, ...placement } = placeAsks(
    [...kept.map((ask) => ({ ...ask, row: -1 })), ...content.asks],
    texts,
  );
  const ofThis = <T extends { readonly row: number | undefined }>(said: T): T =>
    said.row === -1 ? { ...said, row: undefined } : said;
  const told = refused.map(({ ask, refusal }) => ({ ask, refusal: ofThis(refusal) }));
  const refusals = told.map(({ refusal }) => refusal);
  return { ...placement, refusals, refused: told, leniences: leniences.map(ofThis) };
}

/** What it means that a model has nothing to add. */
function withdrawn(content: AnswerContent, { earlier, standing, format, files }: Round): Attempt {
  if (earlier === undefined && standing !== undefined) return { ...standing, isFinal: true };
  // It may take back what would change nothing. An edit that it wanted and could not place is still missing.
  const refusals = earlier?.refusals.filter(({ kind }) => !harmless.has(kind)) ?? [];
  if (earlier === undefined || (earlier.edit.changes.length === 0 && refusals.length === 0)) {
    const empty = { placed: [], repairs: [], warnings: [], issues: [], refusals: [], edit: emptyWorkspaceEdit };
    return { ...empty, format, files, leniences: content.leniences, saysNoChange: true, isFinal: true };
  }
  const taken = earlier.refusals.filter((refusal) => !refusals.includes(refusal)).map(({ message }) => message);
  return { ...earlier, refusals, warnings: [...earlier.warnings, ...taken], isFinal: refusals.length > 0 };
}

/** Refusals of what would not have changed anything. */
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

function notWrittenAgain(earlier: Attempt | undefined, { asks, refusals }: AnswerContent): readonly string[] {
  const wanted = earlier?.refusals.filter(({ row }) => row !== undefined).length ?? 0;
  const written = asks.length + refusals.length;
  if (written >= wanted) return [];
  return [`Of ${wanted} edits that were refused, the model wrote ${written} once more.`];
}

/** Warns of files that lose more than half of their lines to an answer that writes them whole. */
function shrinking(placed: readonly PlacedAsk[], files: FileTexts, edit: WorkspaceEdit): readonly string[] {
  const after = textsAfter(files, edit);
  const whole = placed.filter(({ ask }) => ask.kind === "whole" || ask.kind === "elided").map(({ path }) => path);
  return [...new Set(whole)].flatMap((path) => {
    const had = countLines(files.get(path));
    const has = countLines(after.get(path));
    return 2 * has < had ? [`${path} shrinks from ${had} lines to ${has}.`] : [];
  });
}

/** Lines that are not blank. */
function countLines(text = ""): number {
  return text.match(/^.*\S.*$/gm)?.length ?? 0;
}

function distinct(leniences: readonly Lenience[]): readonly Lenience[] {
  const seen = new Set<string>();
  return leniences.filter(({ kind, message, path }) => {
    const said = JSON.stringify([kind, message, path]);
    return !seen.has(said) && seen.add(said);
  });
}

/** The edit without what it replaces by the same. */
function leastEdit(files: FileTexts, edit: WorkspaceEdit): WorkspaceEdit {
  return workspaceEdit(
    edit.changes.map((change): FileChange => {
      if (change.kind === "create" || change.kind === "delete") return change;
      return { ...change, edit: change.edit.normalize(files.get(change.uri) ?? "") };
    }),
  );
}
