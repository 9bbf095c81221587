import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isMissing, systemCode } from "./edit-disk.ts";

/** How the lock of a workspace is waited for. */
export interface LockOptions {
  /** How long another process is waited for, in milliseconds; ten seconds unless told. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was done under the lock, or who has it. */
export type LockAnswer<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "busy"; readonly processId: number | undefined };

/** Who has the lock, as its file tells. */
interface Holder {
  readonly token: string;
  readonly processId: number;
  readonly host: string;
}

const pollMs = 40;
/** Who has the lock touches its file so often. */
const beatMs = 5_000;
/** A holder on this machine that lives is believed for so long without a beat: it may be suspended, or be another by now. */
const silentAfterMs = 10 * 60_000;
/** A file of which nothing can be read is being written, unless it is older than this. */
const unreadableAfterMs = 10_000;

/**
 * Does some work while nobody else writes to the workspace, whose journal is in `folder`.
 *
 * The lock is a file that names the process which has it. The lock of a process that is gone is taken from it: at once if
 * it ran on this machine, and otherwise when it has been silent for ten minutes. Rejects with the signal's own reason
 * while it waits, and with what the work rejects with.
 */
export async function withWorkspaceLock<Value>(
  folder: string,
  { waitMs = 10_000, signal }: LockOptions,
  work: () => Promise<Value>,
): Promise<LockAnswer<Value>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
    // Somebody may have thought us gone.
    if ((await tryHolder(path))?.token === mine.token) await unlink(path).catch(() => undefined);
  }
}

/** Whether some process works under the lock, as far as can be told from here. It may have ended by the answer. */
export async function isWorkspaceLocked(folder: string): Promise<boolean> {
  const path = join(folder, "lock");
  return (await tryHolder(path)) !== undefined && !(await isAbandoned(path));
}

async function tryTake(path: string, mine: Holder): Promise<boolean> {
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(JSON.stringify(mine));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock if who had it is gone. Of several that find it so, one alone removes it. */
async function tryClear(path: string): Promise<boolean> {
  if (!(await isAbandoned(path))) return false;
  const guard = `${path}.clearing`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    // Clearing takes no time; who was killed in it must not block everybody.
    if ((await ageOf(guard)) > unreadableAfterMs) await rmdir(guard).catch(() => undefined);
    return false;
  }
  try {
    // It may have been cleared and taken since we looked.
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

/** How long ago a file was touched, in milliseconds; nothing where it is gone. */
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

/** Whether there is such a process on this machine. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user's cannot be signalled, and is there.
    return systemCode(error) === "EPERM";
  }
}
