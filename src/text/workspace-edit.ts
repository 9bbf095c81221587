import { compareText } from "./characters.ts";
import { Edit } from "./edit.ts";
import { EmendError, invariant } from "./errors.ts";
import { printRange } from "./text-edit.ts";

/**
 * The change of one file. Each `uri` except that of `create` is the file's URI before the change.
 */
export type FileChange =
  /** The text of the file changes. */
  | { readonly kind: "edit"; readonly uri: string; readonly edit: Edit }
  /** A file is created with this text. */
  | { readonly kind: "create"; readonly uri: string; readonly text: string }
  /** The file is deleted. */
  | { readonly kind: "delete"; readonly uri: string }
  /** The file is moved to `uriAfter`, and its text is changed by `edit`, which may be empty. */
  | { readonly kind: "rename"; readonly uri: string; readonly uriAfter: string; readonly edit: Edit };

/**
 * A change of several files, as plain data; make one with {@link workspaceEdit}.
 *
 * All changes are simultaneous: a file may be deleted and another one created at the same URI, and
 * two files may swap their names.
 */
export interface WorkspaceEdit {
  readonly changes: readonly FileChange[];
}

/** The files of a workspace: texts by URI. */
export type FileTexts = ReadonlyMap<string, string>;

/** The workspace edit that changes nothing. */
export const emptyWorkspaceEdit: WorkspaceEdit = { changes: [] };

/**
 * Combines changes of files, given in any order; empty edits are left out, and the result is sorted
 * by URI.
 *
 * Throws `InvariantError` when two of them change the same file, or leave a file at the same URI.
 */
export function workspaceEdit(changes: Iterable<FileChange>): WorkspaceEdit {
  const kept = [...changes].filter((change) => change.kind !== "edit" || !change.edit.isEmpty);
  const sources = new Set<string>();
  const targets = new Set<string>();
  for (const change of kept) {
    if (change.kind !== "create") claim(sources, change.uri, "changed");
    if (change.kind !== "delete") claim(targets, addressAfter(change), "put in place");
  }
  // The changes are sorted, so that equal edits are equal as data.
  kept.sort((a, b) => compareText(a.uri, b.uri) || compareText(b.kind, a.kind));
  return { changes: kept };
}

/** Why a workspace edit does not fit the files. */
export type WorkspaceRefusal =
  /** A file to change does not exist. */
  | { readonly kind: "missing-file"; readonly uri: string }
  /** A file to create exists already. */
  | { readonly kind: "already-exists"; readonly uri: string }
  /** An edit reaches past the end of the file's text. */
  | { readonly kind: "out-of-bounds"; readonly uri: string; readonly message: string };

/**
 * The result of applying a workspace edit: the files after it, or all reasons why it does not fit.
 */
export type WorkspaceOutcome =
  | { readonly kind: "applied"; readonly files: FileTexts }
  | { readonly kind: "refused"; readonly refusals: readonly WorkspaceRefusal[] };

/**
 * Returns the files after the edit, or all reasons why it does not fit; then nothing of it is
 * applied. `files` is not changed. Does not throw.
 */
export function applyWorkspaceEdit(files: FileTexts, edit: WorkspaceEdit): WorkspaceOutcome {
  const refusals: WorkspaceRefusal[] = [];
  const after = new Map(files);
  for (const { kind, uri } of edit.changes) {
    if (kind === "create") continue;
    if (!after.delete(uri)) refusals.push({ kind: "missing-file", uri });
  }
  for (const change of edit.changes) {
    if (change.kind === "delete") continue;
    const uri = addressAfter(change);
    if (after.has(uri)) {
      refusals.push({ kind: "already-exists", uri });
    } else if (change.kind === "create") {
      after.set(uri, change.text);
    } else {
      const before = files.get(change.uri);
      if (before === undefined) continue;
      const last = change.edit.edits.at(-1);
      if (last === undefined || last.end <= before.length) after.set(uri, change.edit.apply(before));
      else refusals.push({ kind: "out-of-bounds", uri: change.uri, message: outOfBounds(last, before) });
    }
  }
  return refusals.length > 0 ? { kind: "refused", refusals } : { kind: "applied", files: after };
}

/**
 * Returns the edit with the effect of `first` and then `second`, which applies to the files after
 * `first`.
 *
 * Throws `InvariantError` when `second` cannot follow: it changes a file that `first` deleted or
 * moved away, or leaves one where `first` left another. Throws `EmendError` `out-of-bounds` when
 * `second` reaches past the end of a file that `first` created. Laws: applying the result equals
 * applying one after the other; composing is associative.
 */
export function composeWorkspaceEdits(first: WorkspaceEdit, second: WorkspaceEdit): WorkspaceEdit {
  const between = new Map<string, FileState>();
  const gone = new Set<string>();
  for (const change of first.changes) {
    if (change.kind !== "create") gone.add(change.uri);
    if (change.kind !== "delete") between.set(addressAfter(change), toState(change));
  }

  const after = new Map(between);
  const taken = new Map<string, FileState>();
  for (const change of second.changes) {
    if (change.kind === "create") continue;
    const { uri } = change;
    const state = between.get(uri);
    invariant(state !== undefined || !gone.has(uri), () => `${change.kind} of ${uri}, which the first edit took away`);
    taken.set(uri, state ?? { kind: "moved", uri, edit: Edit.empty });
    after.delete(uri);
  }
  for (const change of second.changes) {
    if (change.kind === "delete") continue;
    const uri = addressAfter(change);
    invariant(!after.has(uri), () => `${change.kind} puts a file at ${uri}, where the first edit left one`);
    after.set(uri, change.kind === "create" ? toState(change) : editState(taken.get(change.uri)!, change.edit));
  }

  const changes: FileChange[] = [...after].map(([uriAfter, state]) => toChange(uriAfter, state));
  const changed = new Set(changes.flatMap((change) => (change.kind === "create" ? [] : [change.uri])));
  for (const uri of originals(first, taken.values())) if (!changed.has(uri)) changes.push({ kind: "delete", uri });
  return workspaceEdit(changes);
}

/**
 * Returns the change that reverts `edit`, for the files after applying it to `files`.
 *
 * Throws `EmendError` `missing-file` or `out-of-bounds` when the edit does not fit `files`.
 * Law: applying `edit` and then its inverse restores `files`.
 */
export function invertWorkspaceEdit(edit: WorkspaceEdit, files: FileTexts): WorkspaceEdit {
  const textOf = (uri: string): string => {
    const text = files.get(uri);
    if (text === undefined) throw new EmendError("missing-file", `There is no file ${uri} to take the old text from`);
    return text;
  };
  return workspaceEdit(
    edit.changes.map((change): FileChange => {
      const { kind, uri } = change;
      if (kind === "create") return { kind: "delete", uri };
      if (kind === "delete") return { kind: "create", uri, text: textOf(uri) };
      const inverse = change.edit.invert(textOf(uri));
      if (kind === "edit") return { kind, uri, edit: inverse };
      return { kind, uri: change.uriAfter, uriAfter: uri, edit: inverse };
    }),
  );
}

/**
 * Prints a workspace edit on one short line, such as `edit a.ts, rename b.ts -> c.ts`; from the
 * fifth file on it prints a count.
 */
export function printWorkspaceEdit(edit: WorkspaceEdit): string {
  if (edit.changes.length === 0) return "no change";
  const shown = edit.changes.slice(0, 4).map((change) => {
    const { kind, uri } = change;
    return kind === "rename" ? `rename ${uri} -> ${change.uriAfter}` : `${kind} ${uri}`;
  });
  const more = edit.changes.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The origin of a file of the changed workspace. */
type FileState =
  | { readonly kind: "created"; readonly text: string }
  | { readonly kind: "moved"; readonly uri: string; readonly edit: Edit };

function toState(change: Exclude<FileChange, { kind: "delete" }>): FileState {
  if (change.kind === "create") return { kind: "created", text: change.text };
  return { kind: "moved", uri: change.uri, edit: change.edit };
}

function editState(state: FileState, edit: Edit): FileState {
  if (state.kind === "created") return { ...state, text: edit.apply(state.text) };
  return { ...state, edit: state.edit.compose(edit) };
}

function toChange(uriAfter: string, state: FileState): FileChange {
  if (state.kind === "created") return { kind: "create", uri: uriAfter, text: state.text };
  const { uri, edit } = state;
  return uri === uriAfter ? { kind: "edit", uri, edit } : { kind: "rename", uri, uriAfter, edit };
}

/** The files that `first` or the change after it concerns, as they were before `first`. */
function originals(first: WorkspaceEdit, taken: Iterable<FileState>): Set<string> {
  const uris = first.changes.flatMap((change) => (change.kind === "create" ? [] : [change.uri]));
  for (const state of taken) if (state.kind === "moved") uris.push(state.uri);
  return new Set(uris);
}

function addressAfter(change: Exclude<FileChange, { kind: "delete" }>): string {
  return change.kind === "rename" ? change.uriAfter : change.uri;
}

function claim(uris: Set<string>, uri: string, what: string): void {
  invariant(!uris.has(uri), () => `The file ${uri} is ${what} twice in one workspace edit`);
  uris.add(uri);
}

function outOfBounds(range: { readonly start: number; readonly end: number }, text: string): string {
  return `${printRange(range)} lies outside a text of ${text.length} code units`;
}
