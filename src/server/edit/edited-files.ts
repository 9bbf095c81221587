import type { ClientCapabilities, Connection, WorkspaceEdit } from "vscode-languageserver";
import { type EditProposal, formatOfAnswer, pathsOfAnswer } from "../../edit/index.ts";
import type { EditorFile } from "../../edit/node/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { toFileUri } from "../file-uri.ts";
import { requestFailed, wrongParams } from "../guard.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type { Positions } from "../positions.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { Placed, SessionSet } from "../session-set.ts";
import { type EditedDocument, toProtocolEdit } from "./to-protocol-edit.ts";

/** A document that may be changed. */
export interface EditedFile extends Placed {
  readonly uri: string;
  readonly text: string;
  readonly language: string;
}

/** The documents of one session that may be changed, and the files that may be created. */
export interface EditedFiles {
  readonly session: WorkspaceSession;
  /** Ranges of the argument refer to the first one. Empty where all of the files are new. */
  readonly files: readonly EditedFile[];
  /** The paths of requested files that do not exist yet. */
  readonly newPaths: readonly string[];
}

/** Where documents are looked up. */
export interface EditedFilesParts {
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
}

/**
 * Opens the documents at `uris`, or the one viewed last by default, with the text of the editor or
 * else of the disk. Files that do not exist may be created. Throws a `ResponseError` where there is
 * no document, one may not be read or created, or they are in several workspace folders.
 */
export async function openEditedFiles(
  uris: readonly string[] | undefined,
  parts: EditedFilesParts,
): Promise<EditedFiles> {
  const requested = uris ?? viewedLast(parts);
  if (requested.length === 0) throw wrongParams("No document is open. Name the documents to change in `uris`.");
  return readAll(requested, { ...parts, leavesOut: false });
}

/**
 * The first of the requested documents, which ranges refer to; the first of all files without
 * `uris`. Throws a `ResponseError` when it does not exist yet.
 */
export function rangedFile({ files, newPaths }: EditedFiles, uris: readonly string[] | undefined): EditedFile {
  const [first] = files;
  if (first === undefined || (uris !== undefined && first.uri !== uris[0])) {
    throw wrongParams(`${newPaths[0]} does not exist yet, so it has no lines. Leave \`range\` and \`regions\` out.`);
  }
  return first;
}

/**
 * Opens the documents that an answer names itself, in the folder of the document that was viewed
 * last; that document where the answer names none. Files that do not exist may be created. Throws a
 * `ResponseError` for a path outside of the folder, and like {@link openEditedFiles}.
 */
export async function openAnsweredFiles(answer: string, parts: EditedFilesParts): Promise<EditedFiles> {
  const viewed = viewedLast(parts);
  const { session } = viewed.length > 0 ? parts.sessions.place(viewed[0]!) : { session: parts.sessions.all[0] };
  const format = formatOfAnswer(answer);
  const paths = format.kind === "format" ? pathsOfAnswer(answer, format.name) : [];
  if (paths.length === 0 || session?.root === undefined) return openEditedFiles(undefined, parts);
  const { root } = session;
  const uris = paths.map((path) => {
    // `URL` resolves `..`, so that the path is judged by where it leads.
    const uri = new URL(toFileUri(path.startsWith("/") ? path : joinPath(root, path))).href;
    if (parts.sessions.place(uri).session === session) return uri;
    throw wrongParams(`The answer names ${path}, which is outside of ${root}. Nothing was changed.`);
  });
  return readAll(uris, { ...parts, leavesOut: true });
}

/**
 * The URI of a path in the session of `files`: the editor's own for one of these files, otherwise
 * the `file:` URI.
 */
export function uriIn({ session, files }: EditedFiles, path: string): string {
  return files.find((file) => file.path === path)?.uri ?? toFileUri(joinPath(session.root ?? "", path));
}

function viewedLast({ documents }: EditedFilesParts): readonly string[] {
  return documents.all.slice(-1).map(({ document }) => document.uri);
}

async function readAll(
  uris: readonly string[],
  /**
   * `leavesOut`: leave out files that can neither be read nor created; resolving the answer reports
   * them.
   */
  { documents, sessions, leavesOut }: EditedFilesParts & { readonly leavesOut: boolean },
): Promise<EditedFiles> {
  const { session, path: first } = sessions.place(uris[0]!);
  const files: EditedFile[] = [];
  const newPaths = new Set<string>();
  for (const uri of uris) {
    const placed = sessions.place(uri);
    const { path } = placed;
    if (files.some((file) => file.path === path && file.session === placed.session)) continue;
    if (placed.session !== session) {
      throw wrongParams(`${path} is in another workspace folder than ${first}. Change them in separate requests.`);
    }
    const open = documents.get(uri)?.document;
    const text = open?.text ?? withoutMark(await session.tryReadFile(placed));
    const verdict = await session.accessTo(placed, text ?? "");
    if (verdict.kind === "secret") throw requestFailed(`${path} may contain secrets, and is not sent to models.`);
    if (verdict.kind === "ignored")
      throw requestFailed(`${path} is ignored (${verdict.by}), and is not sent to models.`);
    if (text === undefined) {
      if (await session.mayBeMade(placed)) newPaths.add(path);
      else if (!leavesOut)
        throw requestFailed(`${path} is neither open nor a text file on the disk, and cannot be created.`);
      continue;
    }
    const language = open?.language ?? languageOf(path, /^[^\r\n]{0,300}/.exec(text)![0]).id;
    files.push({ ...placed, uri, text, language });
  }
  return { session, files, newPaths: [...newPaths] };
}

/** The text without a byte order mark, which editors do not count as text. */
export function withoutMark(text: string | undefined): string | undefined {
  return text?.replace(/^\uFEFF/, "");
}

/** How a change is passed on. */
interface DeliverEditParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly documents: OpenDocuments;
  readonly positions: Positions;
  /** Whether the client applies the change itself, after a review. */
  readonly isReviewed: boolean;
}

/** Whether a change was applied, or why not. */
export interface DeliveredEdit {
  /** Whether the editor applied the change. */
  readonly isApplied: boolean;
  /** Why the change was not applied. */
  readonly failureReason?: string;
  /** The change for the client to apply, where the argument has `isReviewed`. */
  readonly edit?: WorkspaceEdit;
}

/**
 * Sends a change to the editor by `workspace/applyEdit`, or with `isReviewed` returns it for the
 * client to apply, for the versions that it was made for. Nothing is applied where a document has
 * changed meanwhile, the editor lacks a capability or refuses, or files are created, moved or
 * deleted without a workspace folder; `failureReason` has the reason then. Rejects where the
 * request to the editor fails.
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

/** The files of an edit that was applied, with absolute paths in the folder `root`. */
export function editorFiles(
  { edit, files }: Pick<EditProposal, "edit" | "files">,
  root: string,
): readonly EditorFile[] {
  return edit.changes.map((change): EditorFile => {
    const path = joinPath(root, change.uri);
    if (change.kind === "create") return { path, before: null, after: change.text };
    const before = files.get(change.uri) ?? "";
    if (change.kind === "delete") return { path, before, after: null };
    const after = change.edit.apply(before);
    return { path, before, after, ...(change.kind === "rename" && { pathAfter: joinPath(root, change.uriAfter) }) };
  });
}
