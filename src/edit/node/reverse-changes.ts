import { decodeText, folderOf } from "../../codebase/index.ts";
import { minimalEdit } from "../../text/index.ts";
import type { EditDisk } from "./edit-disk.ts";
import { realFolder } from "./edit-place.ts";
import type { PathChange } from "./journal-entry.ts";
import { isSameState, type PathState, type PutState, statesAt } from "./path-state.ts";

/** How changes are taken back from the files as they are now. */
export interface Reversal {
  /** What is to be put where, from what is there now. Paths that are as they were before already are left out. */
  readonly puts: readonly { readonly path: string; readonly now: PutState; readonly state: PutState }[];
  /** The paths among them that somebody changed since, elsewhere than the change did. Those changes stay. */
  readonly merged: readonly string[];
  /** The paths that somebody changed since where the change did, or that are there or gone against its word. */
  readonly conflicts: readonly string[];
}

/** Looks at the disk for how to take `changes` back. Nothing that somebody wrote since is lost by it. */
export async function reverseChanges(changes: readonly PathChange[], disk: EditDisk): Promise<Reversal> {
  const puts: Reversal["puts"][number][] = [];
  const merged: string[] = [];
  const conflicts: string[] = [];
  const states = await statesAt(
    changes.map(({ path }) => path),
    disk,
  );
  const moves = editedMoves(changes, states);
  for (const [i, { path, before, after }] of changes.entries()) {
    // A folder on the way may have become a link, and lead anywhere.
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
      if (state === undefined) conflicts.push(path);
      else if (!isSameState(state, now)) {
        puts.push({ path, now, state });
        merged.push(path);
      }
    }
  }
  return { puts, merged, conflicts };
}

/** A file that was moved, and changed since in other lines: what it comes to where it was. */
interface EditedMove {
  readonly from: string;
  readonly to: string;
  readonly state: PutState;
}

/** The moves of files that go back with what somebody changed in them since, by both of their paths. */
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

/** The text of now without the change from `before` to `after`, if that and what happened since lie in lines apart. */
function tryMerge(before: PathState, after: PathState, now: PathState): PutState | undefined {
  const [old, changed, present] = [before, after, now].map(textOf);
  if (before.kind !== "file" || old === undefined || changed === undefined || present === undefined) return undefined;
  const back = minimalEdit(changed, old, { unit: "line" });
  const since = minimalEdit(changed, present, { unit: "line" });
  const rebased = back.tryRebase(since);
  return rebased && keepMode({ ...before, bytes: Buffer.from(rebased.apply(present)) }, after, now);
}

/** `state` with the permissions that the file has now, unless it was the change that changed them. */
function keepMode(state: PutState, after: PathState, now: PathState): PutState {
  if (state.kind !== "file" || after.kind !== "file" || now.kind !== "file") return state;
  const isChanged = after.mode !== undefined && state.mode !== after.mode;
  return isChanged || now.mode === undefined ? state : { ...state, mode: now.mode };
}

function textOf(state: PathState): string | undefined {
  const decoded = state.kind === "file" ? decodeText(state.bytes) : undefined;
  return decoded?.kind === "text" ? decoded.text : undefined;
}
