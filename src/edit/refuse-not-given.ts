import type { Placement, Refusal } from "../formats/index.ts";
import { type FileChange, type FileTexts, workspaceEdit } from "../text/index.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";

/** What placing comes to, as far as it matters here. */
type Placed = Pick<Placement, "edit" | "placed" | "refusals">;

/**
 * Refuses what an answer does to files that are there and are not among `texts`, which alone may be changed: to put a file
 * where one is, and to edit one. The latter was refused before, as a file that is not known.
 */
export async function refuseNotGiven<P extends Placed>(
  placement: P,
  texts: FileTexts,
  textNow: EditEngineParts["textNow"],
): Promise<P> {
  if (textNow === undefined) return placement;
  const isForeign = async (path: string) => {
    const plain = path.replace(/^(?:\.\/)+/, "");
    return !texts.has(plain) && (await textNow(plain)) !== undefined;
  };
  const refusals: Refusal[] = [];
  for (const refusal of placement.refusals) {
    const { kind, path } = refusal;
    const isOther = kind === "unknown-file" && path !== undefined && (await isForeign(path));
    refusals.push(
      isOther ? { ...refusal, message: `${path} was not given: it has to be named to be changed.` } : refusal,
    );
  }
  const changes: FileChange[] = [];
  /** The files that may not be moved, with what is to change in them. */
  const stays = new Map<string, FileChange>();
  let { placed } = placement;
  for (const change of placement.edit.changes) {
    const target = targetOf(change);
    if (target === undefined || !(await isForeign(target))) {
      changes.push(change);
      continue;
    }
    // What is written into a new file goes with it; what is changed in a file stays where that may not be moved.
    const isRefused = ({ ask, path }: Placed["placed"][number]) =>
      path === change.uri && (change.kind === "create" || ask.kind === "move");
    const message = `${target} is there already and was not given: it has to be named to be changed.`;
    refusals.push({ kind: "already-exists", message, row: placed.find(isRefused)?.ask.row, path: target });
    placed = placed.filter((one) => !isRefused(one));
    if (change.kind === "rename") stays.set(change.uri, { kind: "edit", uri: change.uri, edit: change.edit });
  }
  // Nothing can be put where a file was to make room and stays.
  const possible = changes.filter((change) => !stays.has(targetOf(change) ?? ""));
  return { ...placement, edit: workspaceEdit([...possible, ...stays.values()]), placed, refusals };
}

/** Where a change puts a file. */
function targetOf(change: FileChange): string | undefined {
  return change.kind === "create" ? change.uri : change.kind === "rename" ? change.uriAfter : undefined;
}
