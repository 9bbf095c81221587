import type { ClientCapabilities, Connection, WorkspaceEdit } from "vscode-languageserver";
import type { EditProposal } from "../../edit/index.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type { Positions } from "../positions.ts";
import { type EditedFiles, uriIn } from "./edited-files.ts";
import { type EditedDocument, toProtocolEdit } from "./to-protocol-edit.ts";

/** How a change is passed on. */
export interface DeliverEditParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly documents: OpenDocuments;
  readonly positions: Positions;
  /** Whether the client applies the change itself, after a review. */
  readonly isReviewed: boolean;
}

/** Whether a change was applied, or why not. */
export interface DeliveredEdit {
  readonly isApplied: boolean;
  readonly failureReason?: string;
  /** The change for the client to apply, where it is reviewed. */
  readonly edit?: WorkspaceEdit;
}

/**
 * Sends a change to the editor by `workspace/applyEdit`, or returns it for the client to apply, for
 * the versions that it was made for. Nothing is applied where a document has changed meanwhile or
 * the editor lacks a capability; `failureReason` has the reason then.
 */
export async function deliverEdit(
  { edit, files }: Pick<EditProposal, "edit" | "files">,
  edited: EditedFiles,
  { connection, capabilities, documents, positions, isReviewed }: DeliverEditParts,
): Promise<DeliveredEdit> {
  const not = (failureReason: string) => ({ isApplied: false, failureReason });
  if (!isReviewed && capabilities.workspace?.applyEdit !== true)
    return not("The editor does not support edits from a server.");
  const documentOf = (path: string): EditedDocument => {
    const uri = uriIn(edited, path);
    return { uri, version: documents.get(uri)?.document.version ?? null };
  };
  const changed = edited.files.find(
    ({ path, uri }) => (documents.get(uri)?.document.text ?? files.get(path)) !== files.get(path),
  );
  if (changed !== undefined) return not(`${changed.path} was changed meanwhile. Try again.`);
  if (edited.session.root === undefined && edit.changes.some(({ kind }) => kind !== "edit")) {
    return not("Files can be created, moved and deleted only in a workspace folder. Open one.");
  }
  const converted = toProtocolEdit(edit, { files, positions, capabilities, documentOf });
  if (converted.kind === "unsupported") {
    return not(`The editor does not support operations of the change: ${converted.operations.join(", ")}.`);
  }
  if (isReviewed) return { isApplied: false, edit: converted.edit };
  const answer = await connection.workspace.applyEdit({ label: "Emend: edit", edit: converted.edit });
  return answer.applied ? { isApplied: true } : not(answer.failureReason ?? "The editor did not apply the change.");
}
