import type { ClientCapabilities, Connection } from "vscode-languageserver";
import { foldPlan, type PlanEnd, type PlanState, planViewOf } from "../plan/index.ts";
import { type FileChange, minimalEdit, toWorkspaceDiff, type WorkspaceEdit, workspaceEdit } from "../text/index.ts";
import type { StoredPlanFile, StoredPlanState } from "./plan-host.ts";
import type { Positions } from "./positions.ts";
import type { PlanApplyResult, PlanViewParams } from "./protocol/plan-protocol.ts";
import { toProtocolEdit } from "./to-protocol-edit.ts";

/** The documents that the editor has of a folder, by their paths in it. */
export interface DocumentsOfFolder {
  /** The folder's address. */
  readonly uri: string;
  /** The paths of those that are open. */
  readonly paths: readonly string[];
  get(path: string): { readonly version: number; readonly text: string } | undefined;
  /** The address of a file, also where it is not open. */
  uriOf(path: string): string;
}

/** How a plan stands, as it is kept. */
export function viewOfPlan(
  { plan, events, money, isDriven, files, left }: StoredPlanState,
  documents: DocumentsOfFolder,
): PlanViewParams {
  const state = foldPlan(events);
  const view = { ...planViewOf(state, events, money), plan };
  const standing = { plan, uri: documents.uri, view, isRunning: isDriven, notes: [] };
  if (isDriven) return { ...standing, isApplied: false };
  const { ended } = state;
  const doubt = doubtOf(state);
  const { edit, texts } = editOf(files);
  return {
    ...{ ...standing, isApplied: ended !== undefined && files.every((file) => isThere(file, documents)) },
    ...(ended !== undefined && { diff: toWorkspaceDiff(texts, edit), left }),
    ...(ended?.why === "failed" && { problem: ended.note ?? doubts.failed }),
    ...(doubt !== undefined && { doubt }),
  };
}

/** What a plan is handed to an editor with. */
export interface HandOverParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly positions: Positions;
  readonly documents: DocumentsOfFolder;
}

/**
 * Hands what a plan came to to the editor by `workspace/applyEdit`, for the versions of the documents that it was made for. A file that is not as the plan
 * left it keeps all of it away; where all is there already there is nothing to do.
 */
export async function handOverPlan(
  { events, isDriven, files }: StoredPlanState,
  { connection, capabilities, positions, documents }: HandOverParts,
  { isSeen }: { readonly isSeen: boolean },
): Promise<PlanApplyResult> {
  const state = foldPlan(events);
  const missing = files.filter((file) => !isThere(file, documents));
  const paths = missing.map(({ path }) => path);
  const not = (failureReason: string): PlanApplyResult => ({ isApplied: false, failureReason, files: paths });
  if (isDriven) return not("Another process works on the plan. Wait until it is done.");
  if (state.ended === undefined) return not("The plan did not come to its end. Go on with it first.");
  if (missing.length === 0) return { isApplied: true, files: [] };
  const doubt = doubtOf(state);
  if (doubt !== undefined && !isSeen) return not(doubt);
  const moved = missing.filter((file) => textNow(file, documents) !== withoutMark(file.before)).map(({ path }) => path);
  if (moved.length > 0) {
    const those = moved.length === 1 ? "It is" : "They are";
    return not(
      `${moved.join(", ")} changed since the plan was there. ${those} left alone: take that back, or begin a new plan.`,
    );
  }
  if (capabilities.workspace?.applyEdit !== true) return not("The editor takes no edits from a server.");
  const { edit, texts } = editOf(missing);
  const documentOf = (path: string) => ({ uri: documents.uriOf(path), version: documents.get(path)?.version ?? null });
  const converted = toProtocolEdit(edit, { files: texts, positions, capabilities, documentOf });
  if (converted.kind === "unsupported")
    return not(`The editor cannot do what the plan needs: ${converted.operations.join(", ")}.`);
  const answer = await connection.workspace.applyEdit({ label: "Emend: plan", edit: converted.edit });
  if (!answer.applied) return not(answer.failureReason ?? "The editor did not take the change.");
  return { isApplied: true, files: paths, edit: converted.edit };
}

/**
 * Why a person should look before a plan is applied, as a sentence: it stopped before its end. What is left to the person is no doubt, since
 * the plan says where that is.
 */
function doubtOf({ ended }: Pick<PlanState, "ended">): string | undefined {
  if (ended === undefined || ended.why === "content" || ended.why === "obligations") return undefined;
  const note = ended.note ?? doubts[ended.why];
  return `The plan stopped before its end: ${/[.!?]$/.test(note) ? note : `${note}.`}`;
}

const doubts: Readonly<Record<Exclude<PlanEnd, "content" | "obligations">, string>> = {
  failed: "A model or an oracle could not do its work.",
  rounds: "It reached its limit of rounds.",
  steps: "It reached its limit of steps.",
  tokens: "It reached its limit of tokens.",
  money: "It reached its limit of cost.",
};

function isThere(file: StoredPlanFile, documents: DocumentsOfFolder): boolean {
  return textNow(file, documents) === withoutMark(file.after);
}

/** What the editor shows of a file, or else the disk has. */
function textNow({ path, now }: StoredPlanFile, documents: DocumentsOfFolder): string | null {
  return documents.get(path)?.text ?? withoutMark(now);
}

/** What a plan changed, and the texts of before that it speaks of. */
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

/** A text as an editor has it: a byte order mark is no text to it. */
export function withoutMark(text: string | null): string | null {
  return text === null ? null : text.replace(/^\uFEFF/, "");
}
