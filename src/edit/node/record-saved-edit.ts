import { Edit, minimalEdit } from "../../text/index.ts";
import { decodeText } from "../../workspace/index.ts";
import { findPlace } from "./edit-place.ts";
import type { JournalEntry, PathChange } from "./journal-entry.ts";
import { keepForm } from "./keep-line-endings.ts";
import { type PutState, stateAt } from "./path-state.ts";
import { inForce } from "./undo-edits.ts";
import { type JournalAccess, type WriteOptions, withJournal } from "./with-journal.ts";

/** An edit that an editor applied to its own texts, and that the editor saves. */
export interface EditorEdit {
  /** The instruction, for the journal. */
  readonly instruction: string;
  readonly files: readonly EditorFile[];
}

/** A file of such an edit, with the texts that the editor had before and after it. */
export interface EditorFile {
  /** Relative to the workspace, or absolute. */
  readonly path: string;
  /** The new path of a file that was moved. */
  readonly pathAfter?: string;
  /** `null` where the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** Whether a later edit, with an entry of its own, changed the text as well. */
  readonly isEditedAgain?: boolean;
}

/** An edit in the journal. */
export interface RecordedEdit {
  readonly id: number;
  /** Those of the files that are on disk and were recorded, by {@link EditorFile.path}. */
  readonly paths: readonly string[];
}

/**
 * Records in the journal of the workspace at the absolute path `root` what is on disk of an edit
 * that an editor applied and saved, so that it can be undone. What was changed in other lines
 * before the save is not part of it.
 *
 * `id` is the entry of files of this edit that were saved before; they stay in it. Returns
 * `undefined` where none of `files` is on disk with its change, or another process writes. Changes
 * no file. Rejects as {@link withJournal} does.
 */
export async function recordSavedEdit(
  root: string,
  { instruction, files, id }: EditorEdit & { readonly id?: number },
  options: WriteOptions,
): Promise<RecordedEdit | undefined> {
  const answer = await withJournal(root, options, async (access) => {
    const { journal, realRoot } = access;
    const paths: string[] = [];
    const fresh: PathChange[] = [];
    for (const file of files) {
      const changes = await savedChanges(file, access);
      if (changes.length > 0) paths.push(file.path);
      fresh.push(...changes);
    }
    if (fresh.length === 0) return undefined;
    const earlier = await tryEarlier(id, access);
    const changes = [...(earlier?.changes ?? []), ...fresh];
    const entry: JournalEntry = {
      id: earlier?.id ?? (await journal.nextId()),
      ...{ root: realRoot, writtenAtMs: Date.now(), instruction, isTrial: false, changes, madeFolders: [] },
    };
    await journal.record(entry);
    return { id: entry.id, paths };
  });
  return answer.kind === "done" ? answer.value : undefined;
}

/** The entry, if it is still in force. */
async function tryEarlier(id: number | undefined, { journal }: JournalAccess): Promise<JournalEntry | undefined> {
  if (id === undefined || !inForce(await journal.list()).includes(id)) return undefined;
  return journal.tryLoad(id);
}

/** The change of a file as it is on disk; none where it is not there. */
async function savedChanges(file: EditorFile, access: JournalAccess): Promise<readonly PathChange[]> {
  const { before, after } = file;
  const { realRoot, journal } = access;
  const answer = await findPlace(realRoot, file.path, journal.disk);
  if (answer.kind !== "place") return [];
  const { entry, target, holds } = answer.place;
  if (file.pathAfter !== undefined) return savedMove(file, entry, access);
  if (after === null) {
    return before === null || holds !== "nothing" ? [] : [changeOf(entry, stateOf(before), { kind: "nothing" })];
  }
  const now = await tryText(target, access);
  if (now === undefined) return [];
  // Editors create an empty file first.
  if (before === null) return now === "" && after !== "" ? [] : [changeOf(target, { kind: "nothing" }, stateOf(now))];
  const old = keepForm(now, before);
  const written = tryWritten({ ...file, before: old, after: keepForm(now, after), now });
  return written === undefined ? [] : [changeOf(target, stateOf(old), stateOf(written))];
}

async function savedMove(
  { pathAfter = "", before, after }: EditorFile,
  from: string,
  access: JournalAccess,
): Promise<readonly PathChange[]> {
  const { realRoot, journal } = access;
  const answer = await findPlace(realRoot, pathAfter, journal.disk);
  if (answer.kind !== "place" || before === null || after === null) return [];
  const { entry } = answer.place;
  const now = await tryText(entry, access);
  if (now === undefined || (await stateAt(from, journal.disk)).kind !== "nothing") return [];
  const old = keepForm(now, before);
  const written = before === after ? old : tryWritten({ before: old, after: keepForm(now, after), now });
  if (written === undefined) return [];
  const moved = { ...changeOf(entry, { kind: "nothing" }, stateOf(written)), movedFrom: from };
  return [changeOf(from, stateOf(old), { kind: "nothing" }), moved];
}

/**
 * The text after the edit, with what was changed in its lines before they were saved, such as by a
 * formatter; `undefined` where the text `now` of the disk has nothing of the edit.
 */
function tryWritten({
  before,
  after,
  now,
  isEditedAgain,
}: {
  readonly before: string;
  readonly after: string;
  readonly now: string;
  readonly isEditedAgain?: boolean;
}): string | undefined {
  const between = (one: string, other: string) => minimalEdit(one, other, { unit: "line" });
  const back = between(after, before);
  const touching = between(after, now).edits.filter((edit) => Edit.of([edit]).touches(back));
  const reached = Edit.of(touching).apply(after);
  if (reached === before) return undefined;
  const written = isEditedAgain === true ? after : reached;
  const undone = between(written, before).tryRebase(between(written, now));
  return undone?.apply(now) === now ? undefined : written;
}

/** The staged file is only for changes that Emend writes itself. */
function changeOf(path: string, before: PutState, after: PutState): PathChange {
  return { path, before, after, temporary: `${path}.emend.tmp` };
}

function stateOf(text: string): PutState {
  return { kind: "file", bytes: Buffer.from(text) };
}

async function tryText(path: string, { journal }: JournalAccess): Promise<string | undefined> {
  const state = await stateAt(path, journal.disk);
  const decoded = state.kind === "file" ? decodeText(state.bytes) : undefined;
  return decoded?.kind === "text" ? decoded.text : undefined;
}
