import type { ClientCapabilities, TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver";
import { type Edit, type FileTexts, Lines, type WorkspaceEdit as TextWorkspaceEdit } from "../../text/index.ts";
import type { Positions } from "../positions.ts";

/** A file as the editor has it. */
export interface EditedDocument {
  readonly uri: string;
  /** The version that the edit is for; `null` for a file that is not open. */
  readonly version: number | null;
}

/** What a workspace edit is converted with. */
export interface ProtocolEditParts {
  /** The texts that the edit is for. */
  readonly files: FileTexts;
  readonly positions: Positions;
  readonly capabilities: ClientCapabilities;
  documentOf(path: string): EditedDocument;
}

/** An edit in the protocol's form, or the operations that the client does not support. */
export type ProtocolEdit =
  | { readonly kind: "edit"; readonly edit: WorkspaceEdit }
  | { readonly kind: "unsupported"; readonly operations: readonly string[] };

/**
 * Converts a workspace edit by paths to one of the protocol by URIs, with document versions where
 * the client supports `documentChanges`.
 *
 * Does not throw: `unsupported` where the edit creates, deletes or renames files and the client
 * does not support that operation, or does not support `documentChanges`.
 */
export function toProtocolEdit(edit: TextWorkspaceEdit, parts: ProtocolEditParts): ProtocolEdit {
  const { files, positions, capabilities, documentOf } = parts;
  const can = capabilities.workspace?.workspaceEdit;
  const textEdits = (path: string, change: Edit): TextEdit[] => {
    const lines = Lines.of(files.get(path) ?? "");
    return change.edits.map((one) => ({ range: positions.toRange(lines, one), newText: one.text }));
  };
  const changesTo = (path: string, change: Edit): TextDocumentEdit => ({
    textDocument: { ...documentOf(path) },
    edits: textEdits(path, change),
  });
  const operations = new Set(edit.changes.map(({ kind }) => kind).filter((kind) => kind !== "edit"));
  const unknown = [...operations].filter((kind) => can?.resourceOperations?.includes(kind) !== true);
  if (unknown.length > 0) return { kind: "unsupported", operations: unknown };
  if (can?.documentChanges !== true) {
    const changes = edit.changes.flatMap((one) =>
      one.kind === "edit" ? [[documentOf(one.uri).uri, textEdits(one.uri, one.edit)] as const] : [],
    );
    if (operations.size > 0) return { kind: "unsupported", operations: ["documentChanges"] };
    return { kind: "edit", edit: { changes: Object.fromEntries(changes) } };
  }
  const documentChanges: NonNullable<WorkspaceEdit["documentChanges"]> = [];
  // Deletions come first, since they may make room for created files.
  const order = ["delete", "edit", "rename", "create"];
  for (const one of [...edit.changes].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    const { uri } = documentOf(one.uri);
    if (one.kind === "delete") documentChanges.push({ kind: "delete", uri });
    else if (one.kind === "edit") documentChanges.push(changesTo(one.uri, one.edit));
    else if (one.kind === "rename") {
      if (!one.edit.isEmpty) documentChanges.push(changesTo(one.uri, one.edit));
      documentChanges.push({ kind: "rename", oldUri: uri, newUri: documentOf(one.uriAfter).uri });
    } else {
      const start = { line: 0, character: 0 };
      documentChanges.push(
        { kind: "create", uri },
        { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: one.text }] },
      );
    }
  }
  return { kind: "edit", edit: { documentChanges } };
}
