import { Edit, Lines, minimalEdit } from "../../text/index.ts";
import { decodeText, folderOf } from "../../workspace/index.ts";
import type { EditDisk } from "./edit-disk.ts";
import { realFolder } from "./edit-place.ts";
import type { PathChange } from "./journal-entry.ts";
import { isSameState, type PathState, type PutState, statesAt } from "./path-state.ts";

/** How to revert changes, given the current files. */
export interface Reversal {
  /**
   * The new and current state of each path to write. Paths that are already as before are left out.
   */
  readonly puts: readonly { readonly path: string; readonly now: PutState; readonly state: PutState }[];
  /** The paths among them that were changed since in other lines; those changes are kept. */
  readonly merged: readonly string[];
  /**
   * The paths that were changed since in the same lines, or that exist or are gone unexpectedly.
   */
  readonly conflicts: readonly string[];
  /** The lines of such a path that were changed since; absent where it has another conflict. */
  readonly conflictLines: ReadonlyMap<string, LineSpan>;
}

/** Lines of a text, from 0; `end` is excluded. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Computes how to revert `changes` from the current disk without losing later changes by others.
 * Writes nothing. Rejects with the disk's error where a path cannot be read.
 */
export async function reverseChanges(changes: readonly PathChange[], disk: EditDisk): Promise<Reversal> {
  const puts: Reversal["puts"][number][] = [];
  const merged: string[] = [];
  const conflicts: string[] = [];
  const conflictLines = new Map<string, LineSpan>();
  const states = await statesAt(
    changes.map(({ path }) => path),
    disk,
  );
  const moves = editedMoves(changes, states);
  for (const [i, { path, before, after }] of changes.entries()) {
    // A parent folder may have become a link to anywhere.
    if ((await realFolder(folderOf(path), disk)) !== folderOf(path)) {
      conflicts.push(path);
      continue;
    }
    const now = states[i]!;
    if (isSameState(now, before)) continue;
    const move = moves.get(path);
    if (now.kind === "other") {
      conflicts.push(path);
    } else if (move?.from === path && isSameState(now, after)) {
      puts.push({ path, now, state: move.state });
    } else if (move?.to === path && before.kind === "nothing") {
      puts.push({ path, now, state: before });
      merged.push(path);
    } else if (isSameState(now, after)) {
      puts.push({ path, now, state: keepMode(before, after, now) });
    } else {
      const state = tryMerge(before, after, now);
      if (state === undefined) {
        conflicts.push(path);
        const span = changedSince(before, after, now);
        if (span !== undefined) conflictLines.set(path, span);
      } else if (!isSameState(state, now)) {
        puts.push({ path, now, state });
        merged.push(path);
      }
    }
  }
  return { puts, merged, conflicts, conflictLines };
}

/** A moved file that was changed since in other lines, with its text for the old path. */
interface EditedMove {
  readonly from: string;
  readonly to: string;
  readonly state: PutState;
}

/** The moves that can be reverted together with later changes of the moved file, by both paths. */
function editedMoves(changes: readonly PathChange[], states: readonly PathState[]): ReadonlyMap<string, EditedMove> {
  const moves = new Map<string, EditedMove>();
  for (const [i, { path: to, before, after, movedFrom: from }] of changes.entries()) {
    const source = changes.findIndex(({ path }) => path === from);
    const now = states[i]!;
    if (from === undefined || source === -1 || before.kind !== "nothing" || isSameState(now, after)) continue;
    const { before: old, after: left } = changes[source]!;
    if (!isSameState(states[source]!, left)) continue;
    const state = tryMerge(old, after, now);
    if (state === undefined) continue;
    for (const path of [from, to]) moves.set(path, { from, to, state });
  }
  return moves;
}

/**
 * The current text without the change from `before` to `after`; `undefined` if later changes touch
 * the same lines.
 */
function tryMerge(before: PathState, after: PathState, now: PathState): PutState | undefined {
  const sides = editsOf(before, after, now);
  if (sides === undefined || before.kind !== "file") return undefined;
  const rebased = sides.back.tryRebase(sides.since);
  return rebased && keepMode({ ...before, bytes: Buffer.from(rebased.apply(sides.present)) }, after, now);
}

/** The current lines from the first to the last that were changed since where the change was. */
function changedSince(before: PathState, after: PathState, now: PathState): LineSpan | undefined {
  const sides = editsOf(before, after, now);
  if (sides === undefined) return undefined;
  const { back, since, present } = sides;
  const ranges = since.rangesAfter().filter((_, i) => Edit.of([since.edits[i]!]).touches(back));
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const lines = Lines.of(present);
  return { start: lines.lineAt(first.start), end: lines.lineAt(Math.max(last.start, last.end - 1)) + 1 };
}

/** The edit that reverts a change, the later edit, and the current text. */
function editsOf(
  before: PathState,
  after: PathState,
  now: PathState,
): { readonly back: Edit; readonly since: Edit; readonly present: string } | undefined {
  const [old, changed, present] = [before, after, now].map(textOf);
  if (old === undefined || changed === undefined || present === undefined) return undefined;
  const to = (text: string) => minimalEdit(changed, text, { unit: "line" });
  return { back: to(old), since: to(present), present };
}

/** Adds to `state` the current permissions of the file, unless the change itself changed them. */
function keepMode(state: PutState, after: PathState, now: PathState): PutState {
  if (state.kind !== "file" || after.kind !== "file" || now.kind !== "file") return state;
  const isChanged = after.mode !== undefined && state.mode !== after.mode;
  return isChanged || now.mode === undefined ? state : { ...state, mode: now.mode };
}

function textOf(state: PathState): string | undefined {
  const decoded = state.kind === "file" ? decodeText(state.bytes) : undefined;
  return decoded?.kind === "text" ? decoded.text : undefined;
}
