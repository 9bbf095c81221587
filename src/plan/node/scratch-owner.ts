import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../edit/node/index.ts";
import { forgetWorktree, makeFolder } from "../../workspace/node/index.ts";

/** The process that made a scratch copy, as stored in the file beside it. */
interface Owner {
  readonly processId: number;
  readonly host: string;
  /** The top of the repository that the copy is a work tree of. */
  readonly repository?: string;
}

/** The places that this process is using. An earlier process may have had the same id. */
const mine = new Set<string>();

/**
 * Makes a place for a scratch copy: a new folder in `folder`, with a file that names the owner,
 * which is this process. `repository` is the top of the repository that the copy will be a work
 * tree of; `undefined` for a copy that is none.
 *
 * Returns the place's path. Rejects with the system's error where the folder or the file cannot be
 * written.
 */
export async function takePlace(folder: string, repository: string | undefined): Promise<string> {
  const place = join(folder, randomUUID());
  await makeFolder(place, { mode: 0o700 });
  mine.add(place);
  const owner: Owner = { processId: process.pid, host: hostname(), ...(repository !== undefined && { repository }) };
  await writeFile(join(place, "owner.json"), JSON.stringify(owner), { mode: 0o600 });
  return place;
}

/**
 * Removes a place with everything in it, and its entry in the repository's list of work trees.
 * Targets of links stay. Rejects with the system's error where something cannot be removed.
 */
export async function leavePlace(place: string, repository: string | undefined): Promise<void> {
  // The owner's file is removed last, so that after a kill the rest can still be found.
  for (const name of await readdir(place).catch(() => [])) {
    if (name !== "owner.json") await removeTree(join(place, name));
  }
  if (repository !== undefined) await forgetWorktree(repository, join(place, "tree"));
  await removeTree(place);
  mine.delete(place);
}

/**
 * Removes the places in `folder` of processes of this machine that have ended, and returns their
 * number. A place without a readable owner's file stays; the number is 0 where the folder cannot be
 * read. Rejects as {@link leavePlace} does.
 */
export async function removeLeftovers(folder: string): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const place = join(folder, name);
    const owner = await tryOwner(place);
    if (owner === undefined || mine.has(place) || owner.host !== hostname()) continue;
    if (owner.processId !== process.pid && isAlive(owner.processId)) continue;
    await leavePlace(place, owner.repository);
    removed += 1;
  }
  return removed;
}

async function tryOwner(place: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(place, "owner.json"), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

/** Programs that were just killed may still write for a short time. */
async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
