import type { ClientCapabilities, Connection, WorkspaceEdit } from "vscode-languageserver";
import type { EditProposal } from "../edit/index.ts";
import { type EditedFiles, uriIn } from "./edited-files.ts";
import type { OpenDocuments } from "./open-documents.ts";
import type { Positions } from "./positions.ts";
import { type EditedDocument, toProtocolEdit } from "./to-protocol-edit.ts";

/** Who takes a change, and how. */
export interface HandEditParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly documents: OpenDocuments;
  readonly positions: Positions;
  /** Whether the client applies it by itself. */
  readonly isReviewed: boolean;
}

/** What became of a change. */
export interface HandedEdit {
  readonly isApplied: boolean;
  readonly failureReason?: string;
  /** For the client to apply. */
  readonly edit?: WorkspaceEdit;
}

/** Hands a change to the editor, or makes it ready for the client to apply, for the versions that it was made for. */
export async function handEdit(
  { edit, files }: Pick<EditProposal, "edit" | "files">,
  edited: EditedFiles,
  { connection, capabilities, documents, positions, isReviewed }: HandEditParts,
): Promise<HandedEdit> {
  const not = (failureReason: string) => ({ isApplied: false, failureReason });
  if (!isReviewed && capabilities.workspace?.applyEdit !== true) return not("The editor takes no edits from a server.");
  const documentOf = (path: string): EditedDocument => {
    const uri = uriIn(edited, path);
    return { uri, version: documents.get(uri)?.document.version ?? null };
  };
  const moved = edited.files.find(
    ({ path, uri }) => (documents.get(uri)?.document.text ?? files.get(path)) !== files.get(path),
  );
  if (moved !== undefined) return not(`${moved.path} was changed meanwhile. Ask once more.`);
  if (edited.session.root === undefined && edit.changes.some(({ kind }) => kind !== "edit")) {
    return not("Files are made, moved and removed in a workspace folder only. Open one.");
  }
  const converted = toProtocolEdit(edit, { files, positions, capabilities, documentOf });
  if (converted.kind === "unsupported") {
    return not(`The editor cannot do what the change needs: ${converted.operations.join(", ")}.`);
  }
  if (isReviewed) return { isApplied: false, edit: converted.edit };
  const answer = await connection.workspace.applyEdit({ label: "Emend: edit", edit: converted.edit });
  return answer.applied ? { isApplied: true } : not(answer.failureReason ?? "The editor did not take the change.");
}
