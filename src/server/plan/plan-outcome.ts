import type { ClientCapabilities, Connection } from "vscode-languageserver";
import { foldPlan, type PlanEnd, type PlanState, planViewOf } from "../../plan/index.ts";
import { type FileChange, minimalEdit, toWorkspaceDiff, type WorkspaceEdit, workspaceEdit } from "../../text/index.ts";
import { toProtocolEdit } from "../edit/to-protocol-edit.ts";
import type { Positions } from "../positions.ts";
import type { PlanApplyResult, PlanViewParams } from "../protocol/plan-protocol.ts";
import type { StoredPlanFile, StoredPlanState } from "./plan-host.ts";

/** The open documents of a folder, by their paths in it. */
export interface DocumentsOfFolder {
  /** The folder's URI. */
  readonly uri: string;
  /** The paths of the open documents. */
  readonly paths: readonly string[];
  get(path: string): { readonly version: number; readonly text: string } | undefined;
  /** The URI of a file, also where it is not open. */
  uriOf(path: string): string;
}

/**
 * The view of a stored plan, as clients receive it. While a process runs it, and before it has
 * ended, it has no `diff` and is not applied. Otherwise it is applied where it has ended and all
 * files have its texts; open `documents` count instead of the disk. Throws an `InvariantError`
 * where the events do not fit each other.
 */
export function viewOfPlan(
  { plan, events, money, isDriven, files, left }: StoredPlanState,
  documents: DocumentsOfFolder,
): PlanViewParams {
  const state = foldPlan(events);
  const view = { ...planViewOf(state, events, { ...money, isStopped: !isDriven }), plan };
  const base = { plan, uri: documents.uri, view, isRunning: isDriven, notes: [] };
  if (isDriven) return { ...base, isApplied: false };
  const { ended } = state;
  const doubt = doubtOf(state);
  const { edit, texts } = editOf(files);
  return {
    ...{ ...base, isApplied: ended !== undefined && files.every((file) => isApplied(file, documents)) },
    ...(ended !== undefined && { diff: toWorkspaceDiff(texts, edit), left }),
    ...(ended?.why === "failed" && { problem: ended.note ?? doubts.failed }),
    ...(doubt !== undefined && { doubt }),
  };
}

/** What a plan is applied with. */
export interface ApplyPlanParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly positions: Positions;
  readonly documents: DocumentsOfFolder;
}

/**
 * Sends the changes of a plan to the editor by `workspace/applyEdit`, for the current versions of
 * the documents. All or nothing: if one file differs from the text that the plan changed, nothing
 * is applied. Does nothing where all files have the changes already. `failureReason` has the reason
 * where nothing is applied, also where the plan has not ended, another process runs it, or its
 * result is in doubt and `isSeen` is false. Rejects where the request to the editor fails.
 */
export async function applyPlan(
  { events, isDriven, files }: StoredPlanState,
  { connection, capabilities, positions, documents }: ApplyPlanParts,
  { isSeen }: { readonly isSeen: boolean },
): Promise<PlanApplyResult> {
  const state = foldPlan(events);
  const missing = files.filter((file) => !isApplied(file, documents));
  const paths = missing.map(({ path }) => path);
  const not = (failureReason: string): PlanApplyResult => ({ isApplied: false, failureReason, files: paths });
  if (isDriven) return not("Another process is running the plan. Wait until it has ended.");
  if (state.ended === undefined) return not("The plan has not ended. Continue it first.");
  if (missing.length === 0) return { isApplied: true, files: [] };
  const doubt = doubtOf(state);
  if (doubt !== undefined && !isSeen) return not(doubt);
  const moved = missing.filter((file) => textNow(file, documents) !== withoutMark(file.before)).map(({ path }) => path);
  if (moved.length > 0) {
    const those = moved.length === 1 ? "It is" : "They are";
    return not(
      `${moved.join(", ")} changed since the plan stopped. ${those} left unchanged: undo that, or start a new plan.`,
    );
  }
  if (capabilities.workspace?.applyEdit !== true) return not("The editor does not support edits from a server.");
  const { edit, texts } = editOf(missing);
  const documentOf = (path: string) => ({ uri: documents.uriOf(path), version: documents.get(path)?.version ?? null });
  const converted = toProtocolEdit(edit, { files: texts, positions, capabilities, documentOf });
  if (converted.kind === "unsupported")
    return not(`The editor does not support operations of the plan: ${converted.operations.join(", ")}.`);
  const answer = await connection.workspace.applyEdit({ label: "Emend: plan", edit: converted.edit });
  if (!answer.applied) return not(answer.failureReason ?? "The editor did not apply the change.");
  return { isApplied: true, files: paths, edit: converted.edit };
}

/**
 * Why a person should review a plan before it is applied, as a sentence: it stopped before its end.
 * `undefined` for a plan that ended; steps that are left to the person are listed in its view.
 */
function doubtOf({ ended }: Pick<PlanState, "ended">): string | undefined {
  if (ended === undefined || ended.why === "done" || ended.why === "obligations") return undefined;
  const note = ended.note ?? doubts[ended.why];
  return `The plan stopped before its end: ${/[.!?]$/.test(note) ? note : `${note}.`}`;
}

const doubts: Readonly<Record<Exclude<PlanEnd, "done" | "obligations">, string>> = {
  failed: "A model or a verification command failed.",
  rounds: "It reached its limit of rounds.",
  steps: "It reached its limit of steps.",
  tokens: "It reached its limit of tokens.",
  money: "It reached its limit of cost.",
};

function isApplied(file: StoredPlanFile, documents: DocumentsOfFolder): boolean {
  return textNow(file, documents) === withoutMark(file.after);
}

/** The text that the editor has of a file, or else the disk. */
function textNow({ path, now }: StoredPlanFile, documents: DocumentsOfFolder): string | null {
  return documents.get(path)?.text ?? withoutMark(now);
}

/** The changes of a plan as an edit, with the texts that it applies to. */
function editOf(files: readonly StoredPlanFile[]): {
  readonly edit: WorkspaceEdit;
  readonly texts: ReadonlyMap<string, string>;
} {
  const changes: FileChange[] = [];
  const texts = new Map<string, string>();
  for (const { path: uri, ...file } of files) {
    const before = withoutMark(file.before);
    const after = withoutMark(file.after);
    if (before === after) continue;
    if (before !== null) texts.set(uri, before);
    if (after === null) changes.push({ kind: "delete", uri });
    else if (before === null) changes.push({ kind: "create", uri, text: after });
    else changes.push({ kind: "edit", uri, edit: minimalEdit(before, after) });
  }
  return { edit: workspaceEdit(changes), texts };
}

/** A text without its byte order mark, as editors have it. */
export function withoutMark(text: string | null): string | null {
  return text === null ? null : text.replace(/^\uFEFF/, "");
}
