import type { Connection } from "vscode-languageserver";
import { type EditorFile, editToUndo, undoEdits } from "../../edit/node/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { checkParams } from "../check-params.ts";
import { type CrashLog, guardNotification, requestFailed, serveRequest, wrongParams } from "../guard.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type {
  AppliedFile,
  EditAppliedParams,
  EditUndoParams,
  EditUndoResult,
  LastEdit,
} from "../protocol/edit-undo.ts";
import { isSavedText } from "../session/index.ts";
import type { SessionHost } from "../session/session-host.ts";
import type { SessionSet } from "../session-set.ts";
import { answerInstruction } from "./edit-argument.ts";
import type { EditJournalHost, SavedEdits } from "./saved-edits.ts";

/** What the methods are served with. */
export interface UndoMethodsParts {
  readonly connection: Connection;
  readonly host: EditJournalHost;
  readonly savedEdits: SavedEdits;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
  readonly fileSystem: SessionHost["fileSystem"];
  readonly log: CrashLog;
}

/**
 * Serves `emend/edit/last` and `emend/edit/undo`, which take back edits that are on disk, and
 * `emend/edit/applied`, by which a client that applies edits itself has them recorded.
 */
export function serveEditUndo(parts: UndoMethodsParts): void {
  const { connection, host, savedEdits, log } = parts;
  connection.onNotification(
    "emend/edit/applied",
    guardNotification("emend/edit/applied", log, (params: EditAppliedParams) => takeApplied(params, parts)),
  );
  serveRequest<EditUndoParams, LastEdit | null>(connection, "emend/edit/last", log, async (params) => {
    const root = await rootOf(params, parts);
    await savedEdits.settled();
    return (await editToUndo(root, host.journal)) ?? null;
  });
  serveRequest<EditUndoParams, EditUndoResult>(connection, "emend/edit/undo", log, async (params) => {
    const root = await rootOf(params, parts);
    await savedEdits.settled();
    return undo(root, params.id, parts);
  });
}

async function undo(root: string, id: number | undefined, parts: UndoMethodsParts): Promise<EditUndoResult> {
  const { host } = parts;
  const edit = await editToUndo(root, host.journal);
  if (edit === undefined) return { isUndone: false, failureReason: `There is no edit to undo in ${root}.` };
  if (id !== undefined && edit.id !== id)
    return { isUndone: false, failureReason: `The last edit is another one by now: ${edit.instruction}`, edit };
  const unsaved = await unsavedOf(
    edit.paths.map((path) => joinPath(root, path)),
    parts,
  );
  if (unsaved.length > 0) {
    const reason = `${unsaved.join(", ")} ${unsaved.length > 1 ? "have" : "has"} unsaved changes. Save them first.`;
    return { isUndone: false, failureReason: `Nothing was undone: ${reason}`, edit };
  }
  const { undone, stopped } = await undoEdits(root, { id: edit.id }, { journal: host.journal });
  if (stopped !== undefined) return { isUndone: false, failureReason: host.explainStop(stopped, root), edit };
  return { isUndone: true, edit, undoneBy: undone[0]!.undoneBy };
}

/** Those of the files with these absolute paths that are open with another text than the disk's. */
async function unsavedOf(
  files: readonly string[],
  { documents, sessions, fileSystem }: UndoMethodsParts,
): Promise<readonly string[]> {
  const unsaved: string[] = [];
  for (const { document } of documents.all) {
    const { session, path, isFile } = sessions.place(document.uri);
    if (session.root === undefined || !isFile || !files.includes(joinPath(session.root, path))) continue;
    if (!(await isSavedText(session.root, { path, text: document.text }, fileSystem))) unsaved.push(path);
  }
  return unsaved;
}

function takeApplied(params: EditAppliedParams, { sessions, savedEdits }: UndoMethodsParts): void {
  checkParams("emend/edit/applied", params, { "instruction?": "text", files: "list" });
  const place = (uri: string) => {
    const { session, path } = sessions.place(uri);
    return { folder: session.root, path: joinPath(session.root ?? "", path) };
  };
  const files: EditorFile[] = [];
  let folder: string | undefined;
  for (const file of params.files) {
    checkFile(file);
    const placed = place(file.uri);
    folder ??= placed.folder;
    const { before, after, newUri } = file;
    if (placed.folder !== undefined && placed.folder === folder)
      files.push({ path: placed.path, before, after, ...(newUri !== undefined && { pathAfter: place(newUri).path }) });
  }
  if (folder !== undefined) savedEdits.applied({ folder, instruction: params.instruction ?? answerInstruction, files });
}

function checkFile(file: unknown): asserts file is AppliedFile {
  checkParams("emend/edit/applied", { file }, { "file.uri": "text", "file.newUri?": "text" });
  const { before, after } = file as AppliedFile;
  if ([before, after].every((text) => text === null || typeof text === "string")) return;
  throw wrongParams("emend/edit/applied requires `before` and `after` of each file, a text or `null`.");
}

/** The workspace of the folder that a request is about. */
async function rootOf({ uri, id }: Partial<EditUndoParams>, parts: UndoMethodsParts): Promise<string> {
  checkParams("emend/edit/undo", { uri }, { "uri?": "text" });
  if (id !== undefined && !Number.isInteger(id)) throw wrongParams("`id` must be the number of an edit.");
  const { documents, sessions, host } = parts;
  const viewed = uri ?? documents.all.at(-1)?.document.uri;
  // The folder itself has no path in its session.
  const own = viewed === undefined ? undefined : sessions.place(`${viewed}/.`).session.root;
  const folder = own ?? (uri === undefined ? sessions.all.find(({ root }) => root !== undefined)?.root : undefined);
  if (folder === undefined) throw requestFailed("Edits can be undone only in a workspace folder. Open one.");
  return host.rootOf(folder);
}
