import { closeSync, fstatSync, openSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { errorMessage } from "../../text/index.ts";
import { freeTable, type TableBytes, tableMemory } from "../builtin/table-memory.ts";
import { checksumsOf, fitChecksums, PagedTable, pageBytes, pagesOf } from "./paged-table.ts";

/** What an index file holds: a JSON value, and tables of bytes. */
export interface IndexContent<Head> {
  readonly head: Head;
  readonly tables: readonly Uint8Array[];
  /** Tables of which a few bytes are read at a time; a reader may leave them on the disk. */
  readonly groups: readonly TableBytes[];
}

/**
 * What reading an index file came to. A file that is cut short, changed or strange is `broken`,
 * never an error.
 */
export type IndexFileAnswer<Value> =
  | { readonly kind: "read"; readonly value: Value; readonly bytes: number }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly detail: string };

/**
 * The layout: the mark; the length and the checksum of the head, and the checksum of the checksums
 * (three 32-bit numbers, little-endian); the head as JSON; the tables one after the other; and the
 * checksum of each page of each table (32-bit numbers, little-endian).
 *
 * Tables are not compressed: four fifths of an index are frozen links, which are packed already,
 * and inflating the rest took half of the time of `emend complete` in a large workspace.
 */
const mark = Buffer.from("emend index\n");
const prologueBytes = mark.length + 12;

/** What the head of a file is, as JSON. */
interface FileHead<Head> {
  readonly head: Head;
  /** The bytes of each table, and of each table of groups. */
  readonly tables: readonly number[];
  readonly groups: readonly number[];
}

/** Bytes that are written at a time, in whole pages. */
const writtenBytes = 256 * pageBytes;

/** Options of {@link writeIndexFile}. */
export interface WriteIndexOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Awaited before each table is copied, where tables may change while others are written. Default:
   * no copies, and the tables must not change meanwhile.
   */
  beforeCopy?(): Promise<void>;
}

/**
 * Writes an index file, whole or not at all: beside it first, and moved into place once it is on
 * the disk. No more than one table is in memory a second time.
 *
 * Of two writers at once, the last to finish wins. Resolves with the bytes written; rejects with
 * the system's error, or with the signal's reason, and leaves nothing then. The file is readable
 * for its owner only.
 */
export async function writeIndexFile<Head>(
  path: string,
  { head, tables, groups }: IndexContent<Head>,
  { signal, beforeCopy }: WriteIndexOptions = {},
): Promise<number> {
  signal?.throwIfAborted();
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2, 10)}${temporaryEnding}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    const fileHead: FileHead<Head> = { head, tables: tables.map(lengthOf), groups: groups.map(lengthOf) };
    const headBytes = Buffer.from(JSON.stringify(fileHead));
    await writeAll(handle, headBytes, prologueBytes);
    let at = prologueBytes + headBytes.length;
    const checksums: Uint8Array[] = [];
    for (const table of [...tables, ...groups]) {
      await beforeCopy?.();
      const isCopied = beforeCopy !== undefined || !(table instanceof Uint8Array);
      const bytes = isCopied ? copyOf(table) : table;
      for (let start = 0; start < bytes.length; start += writtenBytes) {
        signal?.throwIfAborted();
        const some = bytes.subarray(start, start + writtenBytes);
        checksums.push(new Uint8Array(checksumsOf(some).buffer));
        await writeAll(handle, some, at);
        at += some.length;
      }
      if (isCopied) freeTable(bytes);
    }
    const allChecksums = Buffer.concat(checksums);
    await writeAll(handle, allChecksums, at);
    const prologue = Buffer.alloc(prologueBytes);
    mark.copy(prologue);
    prologue.writeUInt32LE(headBytes.length, mark.length);
    prologue.writeUInt32LE(crc32(headBytes), mark.length + 4);
    prologue.writeUInt32LE(crc32(allChecksums), mark.length + 8);
    await writeAll(handle, prologue, 0);
    signal?.throwIfAborted();
    await handle.sync();
    await handle.close();
    await moveOver(temporary, path);
    return at + allChecksums.length;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** How the names of files end that are still being written, or that a killed writer left. */
export const temporaryEnding = ".tmp";

/**
 * The head of an index file alone, which is quick. Never rejects: what can't be read is `broken`.
 */
export function readIndexHead<Head>(path: string): Promise<IndexFileAnswer<Head>> {
  return reading(path, async (handle, bytes) => (await readHead<Head>(handle, bytes)).head);
}

/** How {@link readIndexFile} reads. */
export interface ReadIndexOptions<Head> {
  /** Where it refuses the head, no tables are read and the lists of them are empty. */
  isWanted?(head: Head): boolean;
  /**
   * Whether the tables of groups stay on the disk. The file is open then until the process ends, so
   * that Windows lets nobody replace it: for commands elsewhere. Default: `false`.
   */
  readonly leavesGroups?: boolean | undefined;
}

/**
 * An index file. Each table in memory has a buffer of its own. Never rejects: what can't be read is
 * `broken`; what turns out to be broken of a table on the disk is thrown when it is read.
 */
export function readIndexFile<Head>(
  path: string,
  { isWanted = () => true, leavesGroups = false }: ReadIndexOptions<Head> = {},
): Promise<IndexFileAnswer<IndexContent<Head>>> {
  return reading(path, async (handle, bytes) => {
    const { head, tables, groups, start, checksums } = await readHead<Head>(handle, bytes);
    if (!isWanted(head)) return { head, tables: [], groups: [] };
    let at = start;
    let page = 0;
    const places = [...tables, ...groups].map((length) => {
      const place = { at, length, checksums: checksums.subarray(page, page + pagesOf(length)) };
      at += length;
      page += pagesOf(length);
      return place;
    });
    const read = (place: (typeof places)[number]) => readTable(handle, place);
    const inMemory = await Promise.all(places.slice(0, leavesGroups ? tables.length : undefined).map(read));
    if (!leavesGroups) return { head, tables: inMemory.slice(0, tables.length), groups: inMemory.slice(tables.length) };
    const descriptor = openSync(path, "r");
    if (fstatSync(descriptor).ino !== (await handle.stat()).ino) {
      closeSync(descriptor);
      throw new BrokenFile("it was replaced meanwhile");
    }
    return {
      head,
      tables: inMemory,
      groups: places.slice(tables.length).map((place) => new PagedTable({ ...place, descriptor })),
    };
  });
}

class BrokenFile extends Error {}

type Handle = Awaited<ReturnType<typeof open>>;

async function reading<Value>(
  path: string,
  read: (handle: Handle, bytes: number) => Promise<Value>,
): Promise<IndexFileAnswer<Value>> {
  let handle: Handle | undefined;
  try {
    handle = await open(path, "r");
    const { size } = await handle.stat();
    return { kind: "read", value: await read(handle, size), bytes: size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "absent" };
    return { kind: "broken", detail: errorMessage(error) };
  } finally {
    await handle?.close();
  }
}

async function readHead<Head>(
  handle: Handle,
  bytes: number,
): Promise<FileHead<Head> & { readonly start: number; readonly checksums: Uint32Array }> {
  if (bytes < prologueBytes) throw new BrokenFile("it is cut short");
  const prologue = await readExactly(handle, 0, prologueBytes);
  if (!prologue.subarray(0, mark.length).equals(mark)) throw new BrokenFile("it does not begin as an index does");
  const length = prologue.readUInt32LE(mark.length);
  if (prologueBytes + length > bytes) throw new BrokenFile("it is cut short");
  const json = await readExactly(handle, prologueBytes, length);
  if (crc32(json) !== prologue.readUInt32LE(mark.length + 4))
    throw new BrokenFile("its head does not fit its checksum");
  const fileHead = JSON.parse(json.toString()) as FileHead<Head>;
  const start = prologueBytes + length;
  const sizes = [...fileHead.tables, ...fileHead.groups];
  const end = sizes.reduce((sum, size) => sum + size, start);
  const checksumBytes = 4 * sizes.reduce((sum, size) => sum + pagesOf(size), 0);
  if (end + checksumBytes !== bytes)
    throw new BrokenFile(bytes < end + checksumBytes ? "it is cut short" : "it is too long");
  const checksums = await readExactly(handle, end, checksumBytes);
  if (crc32(checksums) !== prologue.readUInt32LE(mark.length + 8))
    throw new BrokenFile("its checksums do not fit theirs");
  return { ...fileHead, start, checksums: new Uint32Array(checksums.buffer, 0, checksumBytes / 4) };
}

async function readTable(
  handle: Handle,
  { at, length, checksums }: { readonly at: number; readonly length: number; readonly checksums: Uint32Array },
): Promise<Uint8Array> {
  const table = await readExactly(handle, at, length);
  if (!fitChecksums(table, checksums)) throw new BrokenFile("a table does not fit its checksums");
  return table;
}

async function readExactly(handle: Handle, position: number, length: number): Promise<Buffer> {
  // A buffer of its own, not a slice of Node's shared pool: tables are read as 32-bit numbers and
  // must be aligned.
  const buffer = Buffer.from(tableMemory(length), 0, length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) throw new BrokenFile("it is cut short");
    filled += bytesRead;
  }
  return buffer;
}

function lengthOf({ length }: TableBytes): number {
  return length;
}

function copyOf(table: TableBytes): Uint8Array {
  const copy = new Uint8Array(tableMemory(table.length), 0, table.length);
  if (table instanceof Uint8Array) copy.set(table);
  else copy.set(table.slice(0, table.length));
  return copy;
}

async function writeAll(handle: Handle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

/** Windows refuses to move over a file that another process has open; it has soon read it. */
async function moveOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (attempt === 5 || (code !== "EPERM" && code !== "EACCES" && code !== "EBUSY")) throw error;
      await wait(40 * attempt);
    }
  }
}
