import { languageOf } from "../syntax/index.ts";
import { applyWorkspaceEdit, Edit, type FileTexts, InvariantError, type WorkspaceEdit } from "../text/index.ts";

/** A file that a change makes or gives another text. */
export interface ChangedFile {
  /** Where it is after the change. */
  readonly path: string;
  /** Where it was; `undefined` where there was none. */
  readonly pathBefore: string | undefined;
  /** Empty where there was no file. */
  readonly before: string;
  readonly edit: Edit;
  readonly after: string;
  /** The language's id after the change. */
  readonly language: string;
  /** The language's id before. */
  readonly languageBefore: string;
}

/** The languages that are known of files, by their paths; the others are told by their names. */
export type KnownLanguages = ReadonlyMap<string, string>;

/** The files that an edit of `files` makes or changes; not those that it only takes away. */
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

/** The id of a file's language. */
export function idOf(path: string, text: string, known: KnownLanguages): string {
  return known.get(path) ?? languageOf(path, /^[^\r\n]*/.exec(text)![0]).id;
}

/** The texts after an edit that was made for `files`. Throws `InvariantError` where it does not fit them. */
export function textsAfter(files: FileTexts, edit: WorkspaceEdit): FileTexts {
  const outcome = applyWorkspaceEdit(files, edit);
  if (outcome.kind === "applied") return outcome.files;
  throw new InvariantError(
    `An edit does not fit its files: ${outcome.refusals.map(({ kind, uri }) => `${kind} ${uri}`)}`,
  );
}
