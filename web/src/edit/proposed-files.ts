import type { Position, Range, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { Edit, Lines, minimalEdit } from "../../../src/text/index.ts";
import { editsOfHunks } from "../diff/chosen-hunks.ts";
import { type FileDiff, fileDiffOf, tryFileDiff } from "../diff/file-diff.ts";

/** A file that a `WorkspaceEdit` changes. */
export interface ProposedFile {
  /** The current URI, or the URI of a new file. */
  readonly uri: string;
  readonly path: string;
  /** The new location of a renamed file. */
  readonly moved?: { readonly uri: string; readonly path: string };
  /** `null` if the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** The version of the document that the edit is for; `null` for any version. */
  readonly version: number | null;
}

/** Provides the texts and paths of files. */
export interface FileSource {
  textOf(uri: string): Promise<string | undefined>;
  /** The path for display. */
  pathOf(uri: string): string;
}

/**
 * Reads a `WorkspaceEdit` with the current texts of its files. Rejects if an edited file does not
 * exist.
 */
export async function proposedFiles(
  edit: WorkspaceEdit,
  { textOf, pathOf }: FileSource,
): Promise<readonly ProposedFile[]> {
  const files = new Map<string, ProposedFile>();
  const fileAt = async (uri: string): Promise<ProposedFile> => {
    const known = files.get(uri) ?? [...files.values()].find(({ moved }) => moved?.uri === uri);
    if (known !== undefined) return known;
    const text = (await textOf(uri)) ?? null;
    return { uri, path: pathOf(uri), before: text, after: text, version: null };
  };
  const change = async (uri: string, edits: readonly TextEdit[], version: number | null) => {
    const file = await fileAt(uri);
    if (file.after === null) throw new Error(`${file.path} no longer exists. Send the request again.`);
    files.set(file.uri, { ...file, version: version ?? file.version, after: applyTextEdits(file.after, edits) });
  };
  if (edit.documentChanges === undefined) {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) await change(uri, edits, null);
  }
  for (const one of edit.documentChanges ?? []) {
    if (!("kind" in one)) {
      await change(one.textDocument.uri, one.edits as readonly TextEdit[], one.textDocument.version);
    } else if (one.kind === "rename") {
      files.set(one.oldUri, { ...(await fileAt(one.oldUri)), moved: { uri: one.newUri, path: pathOf(one.newUri) } });
    } else {
      files.set(one.uri, { ...(await fileAt(one.uri)), after: one.kind === "create" ? "" : null });
    }
  }
  return [...files.values()];
}

/** The diff of a file for display. */
export function diffOfProposed({ path, moved, before, after }: ProposedFile): FileDiff {
  const diff = tryFileDiff({ path: moved?.path ?? path, before, after });
  const shown = diff ?? fileDiffOf({ kind: "modify", pathBefore: path, pathAfter: path, isBinary: false, hunks: [] });
  return moved === undefined ? shown : { ...shown, kind: "rename", path: moved.path, pathBefore: path };
}

/** Whether a hunk is selected; files and hunks count from 0. */
export type HunkChoice = (file: number, hunk: number) => boolean;

/** The edit that gives the files their texts after. The files must have the texts before. */
export function editOf(files: readonly ProposedFile[]): WorkspaceEdit {
  return { documentChanges: files.flatMap(changesOf) };
}

/**
 * The edit that restores the texts before, for documents of any version. The files must have the
 * texts after.
 */
export function undoOf(files: readonly ProposedFile[]): WorkspaceEdit {
  return editOf(files.map(turned));
}

function turned({ uri, path, moved, before, after }: ProposedFile): ProposedFile {
  const place = moved === undefined ? { uri, path } : { ...moved, moved: { uri, path } };
  return { ...place, before: after, after: before, version: null };
}

/**
 * The files with the selected hunks applied; unchanged files are omitted. Created, deleted and
 * renamed files are changed as a whole if their first hunk is selected.
 */
export function chosenFiles(files: readonly ProposedFile[], isChosen: HunkChoice): readonly ProposedFile[] {
  return files.flatMap((file, at) => {
    if (!isSplittable(file)) return isChosen(at, 0) ? [file] : [];
    const edits = editsOfHunks({ before: file.before!, after: file.after! }, (hunk) => isChosen(at, hunk));
    return edits.length === 0 ? [] : [{ ...file, after: Edit.of(edits).apply(file.before!) }];
  });
}

/** Whether single hunks of a file can be selected. */
export function isSplittable({ before, after, moved }: ProposedFile): boolean {
  return before !== null && after !== null && moved === undefined;
}

function changesOf({
  uri,
  before,
  after,
  moved,
  version,
}: ProposedFile): NonNullable<WorkspaceEdit["documentChanges"]> {
  if (after === null) return before === null ? [] : [{ kind: "delete", uri }];
  if (before === null) {
    const start = { line: 0, character: 0 };
    const target = moved?.uri ?? uri;
    const text = {
      textDocument: { uri: target, version: null },
      edits: [{ range: { start, end: start }, newText: after }],
    };
    return [{ kind: "create", uri: target }, text];
  }
  const edits = protocolEdits(before, after);
  const change = edits.length === 0 ? [] : [{ textDocument: { uri, version }, edits }];
  return moved === undefined ? change : [...change, { kind: "rename", oldUri: uri, newUri: moved.uri }];
}

function protocolEdits(before: string, after: string): TextEdit[] {
  const lines = Lines.of(before);
  const place = (offset: number): Position => {
    const line = lines.lineAt(offset);
    return { line, character: offset - lines.start(line) };
  };
  return minimalEdit(before, after).edits.map(({ start, end, text }) => ({
    range: { start: place(start), end: place(end) },
    newText: text,
  }));
}

/**
 * Applies edits to a text. Positions after the end of a line or of the text are clamped to the end.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const lines = Lines.of(text);
  const offset = ({ line, character }: Position) =>
    line >= lines.count ? text.length : Math.min(lines.start(line) + character, lines.end(line));
  const placed = edits.map(({ range, newText }) => ({ ...offsets(range, offset), text: newText }));
  const edit = Edit.tryOf(placed);
  if (edit === undefined) throw new Error("The server sent edits that touch the same text.");
  return edit.apply(text);
}

function offsets({ start, end }: Range, offset: (position: Position) => number) {
  return { start: offset(start), end: offset(end) };
}
