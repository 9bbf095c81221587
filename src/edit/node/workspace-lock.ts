import { randomUUID } from "node:crypto";
import { mkdir, readFile, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolder } from "../../workspace/node/index.ts";
import { isMissing, systemCode } from "./edit-disk.ts";

/** How the lock of a workspace is acquired. */
export interface LockOptions {
  /** How long to wait for another process, in milliseconds; ten seconds by default. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of the work, or the process that holds the lock. */
export type LockAnswer<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "busy"; readonly processId: number | undefined };

/** The holder of a lock, as its file describes it. */
interface Holder {
  readonly token: string;
  readonly processId: number;
  readonly host: string;
}

const pollMs = 40;
/** The interval at which the holder touches the lock's file. */
const beatMs = 5_000;
/**
 * How long a lock without a touch stays valid while its process is alive or on another machine: the
 * process may be suspended, or its number reused.
 */
const silentAfterMs = 10 * 60_000;
/** An unreadable lock file is being written, unless it is older than this. */
const unreadableAfterMs = 10_000;

/**
 * Runs `work` while no other process writes to the workspace whose journal is in `folder`, which is
 * created if missing.
 *
 * The lock is a file that names its process. The lock of a dead process is removed: at once if it
 * ran on this machine, otherwise after ten minutes without a touch. Returns `busy` after `waitMs`
 * milliseconds. Rejects with the signal's own reason while waiting, with the disk's error, and with
 * the error of `work`.
 */
export async function withWorkspaceLock<Value>(
  folder: string,
  { waitMs = 10_000, signal }: LockOptions,
  work: () => Promise<Value>,
): Promise<LockAnswer<Value>> {
  await makeFolder(folder, { mode: 0o700 });
  const path = join(folder, "lock");
  const mine: Holder = { token: randomUUID(), processId: process.pid, host: hostname() };
  for (let left = waitMs; !(await tryTake(path, mine)); left -= pollMs) {
    signal?.throwIfAborted();
    if (await tryClear(path)) continue;
    if (left <= 0) return { kind: "busy", processId: (await tryHolder(path))?.processId };
    await wait(pollMs, undefined, signal && { signal }).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  beat.unref();
  try {
    return { kind: "done", value: await work() };
  } finally {
    clearInterval(beat);
    // Another process may have taken the lock over.
    if ((await tryHolder(path))?.token === mine.token) await unlink(path).catch(() => undefined);
  }
}

/**
 * Whether a process seems to hold the lock of the workspace whose journal is in `folder`. It may
 * have ended by the time of the answer.
 */
export async function isWorkspaceLocked(folder: string): Promise<boolean> {
  const path = join(folder, "lock");
  return (await tryHolder(path)) !== undefined && !(await isAbandoned(path));
}

async function tryTake(path: string, mine: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(mine), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock if its holder is gone. A guard folder lets only one process do so. */
async function tryClear(path: string): Promise<boolean> {
  if (!(await isAbandoned(path))) return false;
  const guard = `${path}.clearing`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    // Clearing is quick, so an old guard is left from a killed process.
    if ((await ageOf(guard)) > unreadableAfterMs) await rmdir(guard).catch(() => undefined);
    return false;
  }
  try {
    // It may have been cleared and taken again in between.
    if (!(await isAbandoned(path))) return false;
    await unlink(path);
    return true;
  } finally {
    await rmdir(guard).catch(() => undefined);
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = await tryHolder(path);
  const age = await ageOf(path);
  if (holder === undefined) return age > unreadableAfterMs;
  return age > silentAfterMs || (holder.host === hostname() && !isAlive(holder.processId));
}

/** The milliseconds since a file was modified; 0 where it is gone. */
async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

async function tryHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

/** Whether a process with this number exists on this machine. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return systemCode(error) === "EPERM";
  }
}
