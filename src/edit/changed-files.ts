import { languageOf } from "../syntax/index.ts";
import { applyWorkspaceEdit, Edit, type FileTexts, InvariantError, type WorkspaceEdit } from "../text/index.ts";

/** A file that a change creates or whose text it changes. */
export interface ChangedFile {
  /** The path after the change. */
  readonly path: string;
  /** The path before the change; `undefined` for a new file. */
  readonly pathBefore: string | undefined;
  /** The text before the change; empty for a new file. */
  readonly before: string;
  readonly edit: Edit;
  readonly after: string;
  /** The id of the language after the change. */
  readonly language: string;
  /** The id of the language before the change. */
  readonly languageBefore: string;
}

/**
 * Language ids by path, where they are known. The language of other files is detected from path and
 * first line.
 */
export type KnownLanguages = ReadonlyMap<string, string>;

/**
 * The files that an edit of `files` creates, changes or renames, in its order. Deleted files are
 * left out.
 */
export function changedFiles(files: FileTexts, edit: WorkspaceEdit, known: KnownLanguages): readonly ChangedFile[] {
  return edit.changes.flatMap((change): readonly ChangedFile[] => {
    if (change.kind === "delete") return [];
    const { uri } = change;
    if (change.kind === "create") {
      const language = idOf(uri, change.text, known);
      const shared = { path: uri, pathBefore: undefined, before: "", after: change.text };
      return [{ ...shared, edit: Edit.insert(0, change.text), language, languageBefore: language }];
    }
    const before = files.get(uri) ?? "";
    const after = change.edit.apply(before);
    const languageBefore = idOf(uri, before, known);
    const path = change.kind === "rename" ? change.uriAfter : uri;
    const language = path === uri ? languageBefore : idOf(path, after, known);
    return [{ path, pathBefore: uri, before, edit: change.edit, after, language, languageBefore }];
  });
}

/** The id of a file's language: from `known`, or detected from the path and the first line. */
export function idOf(path: string, text: string, known: KnownLanguages): string {
  return known.get(path) ?? languageOf(path, /^[^\r\n]*/.exec(text)![0]).id;
}

/**
 * Returns all texts after an edit made for `files`. Throws `InvariantError` where the edit does not
 * fit them.
 */
export function textsAfter(files: FileTexts, edit: WorkspaceEdit): FileTexts {
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind === "applied") return outcome.files;
  throw new InvariantError(
    `An edit does not fit its files: ${outcome.refusals.map(({ kind, uri }) => `${kind} ${uri}`)}`,
  );
}
