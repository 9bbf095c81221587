import { closeSync, fstatSync, openSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, inflateRaw } from "node:zlib";
import { asciiJson, errorMessage } from "../../text/index.ts";
import { freeTable, type TableBytes, tableMemory } from "../builtin/table-memory.ts";
import { DeflatedTable, tablePartBytes } from "./deflated-table.ts";
import { checksumsOf, fitChecksums, PagedTable, type PagedTablePlace, pageBytes, pagesOf } from "./paged-table.ts";

/** What an index file holds: a JSON value, and tables of bytes. */
export interface IndexContent<Head> {
  readonly head: Head;
  readonly tables: readonly Uint8Array[];
  /** Tables that shrink, of which parts are read; a reader may leave them on the disk. */
  readonly deflated: readonly TableBytes[];
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
 * The layout: the mark; the length of the file (48 bits), the length and the checksum of the head,
 * and the checksum of the checksums (32 bits each, little-endian); the tables one after the other;
 * the checksum of each page of each table as it is stored (32 bits, little-endian); and the head as
 * JSON.
 */
const mark = Buffer.from("emend index\n");
const prologueBytes = mark.length + 6 + 12;

/** What the head of a file is, as JSON. */
interface FileHead<Head> {
  readonly head: Head;
  /** The bytes of each table, in the file and in memory; they differ for a deflated one. */
  readonly tables: readonly (readonly [stored: number, size: number])[];
  /** The bytes of each deflated table in memory, and of each of its parts in the file. */
  readonly deflated: readonly (readonly [size: number, parts: readonly number[]])[];
  /** The bytes of each table of groups. */
  readonly groups: readonly number[];
}

/**
 * A table in memory is stored deflated when that saves at least two fifths: tokens and names shrink
 * to less than half, which is a sixth of the index. Groups are packed already, and read in part.
 * Level 1 is three times as fast as the default and saves nearly as much.
 */
const worthDeflating = 0.6;
const level = 1;

const deflate = promisify<Uint8Array, { level: number; chunkSize: number; finishFlush?: number }, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, { chunkSize: number; maxOutputLength: number }, Buffer>(inflateRaw);

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
  { head, tables, deflated, groups }: IndexContent<Head>,
  { signal, beforeCopy }: WriteIndexOptions = {},
): Promise<number> {
  signal?.throwIfAborted();
  const temporary = temporaryOf(path);
  const handle = await open(temporary, "wx", 0o600);
  try {
    let at = prologueBytes;
    const checksums: Uint8Array[] = [];
    const write = async (bytes: Uint8Array) => {
      for (let start = 0; start < bytes.length; start += writtenBytes) {
        signal?.throwIfAborted();
        const some = bytes.subarray(start, start + writtenBytes);
        checksums.push(new Uint8Array(checksumsOf(some).buffer));
        await writeAll(handle, some, at);
        at += some.length;
      }
    };
    const each = async <Answer>(some: readonly TableBytes[], store: (bytes: Uint8Array) => Promise<Answer>) => {
      const answers: Answer[] = [];
      for (const table of some) {
        await beforeCopy?.();
        const isCopied = beforeCopy !== undefined || !(table instanceof Uint8Array);
        const bytes = isCopied ? copyOf(table) : table;
        answers.push(await store(bytes));
        if (isCopied) freeTable(bytes);
      }
      return answers;
    };
    const fileHead: FileHead<Head> = {
      head,
      tables: await each(tables, async (bytes) => {
        const written = await smallest(bytes);
        await write(written);
        return [written.length, bytes.length] as const;
      }),
      deflated: await each(deflated, async (bytes) => {
        const parts = await deflatedParts(bytes);
        await write(Buffer.concat(parts));
        return [bytes.length, parts.map(({ length }) => length)] as const;
      }),
      groups: await each(groups, async (bytes) => {
        await write(bytes);
        return bytes.length;
      }),
    };
    const headBytes = Buffer.from(asciiJson(fileHead), "latin1");
    const allChecksums = Buffer.concat(checksums);
    await writeAll(handle, Buffer.concat([allChecksums, headBytes]), at);
    const length = at + allChecksums.length + headBytes.length;
    const prologue = Buffer.alloc(prologueBytes);
    mark.copy(prologue);
    let field = prologue.writeUIntLE(length, mark.length, 6);
    for (const number of [headBytes.length, crc32(headBytes), crc32(allChecksums)])
      field = prologue.writeUInt32LE(number, field);
    await writeAll(handle, prologue, 0);
    signal?.throwIfAborted();
    await handle.sync();
    await handle.close();
    await moveOver(temporary, path);
    return length;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** How the names of files end that are still being written, or that a killed writer left. */
export const temporaryEnding = ".tmp";

/** A path beside `path` that no other writer uses. */
export function temporaryOf(path: string): string {
  return `${path}.${process.pid}-${Math.random().toString(36).slice(2, 10)}${temporaryEnding}`;
}

/**
 * The head of an index file alone, which is quick. Never rejects: what can't be read is `broken`.
 */
export function readIndexHead<Head>(path: string): Promise<IndexFileAnswer<Head>> {
  return reading(path, async (handle, bytes) => (await readHead<Head>(handle, bytes)).fileHead.head);
}

/** How {@link readIndexFile} reads. */
export interface ReadIndexOptions<Head> {
  /** Where it refuses the head, no tables are read and the lists of them are empty. */
  isWanted?(head: Head): boolean;
  /**
   * Whether deflated tables and groups stay on the disk. The file is open then until the process
   * ends. On Windows an open file cannot be replaced. Default: `false`.
   */
  readonly leavesTables?: boolean | undefined;
}

/**
 * An index file. Each table in memory has a buffer of its own. Never rejects: what can't be read is
 * `broken`; what turns out to be broken of a table on the disk is thrown when it is read.
 */
export function readIndexFile<Head>(
  path: string,
  { isWanted = () => true, leavesTables = false }: ReadIndexOptions<Head> = {},
): Promise<IndexFileAnswer<IndexContent<Head>>> {
  return reading(path, async (handle, bytes) => {
    const { fileHead, end } = await readHead<Head>(handle, bytes);
    // What else the file holds may be of another version.
    if (!isWanted(fileHead.head)) return { head: fileHead.head, tables: [], deflated: [], groups: [] };
    const { head, tables, deflated, groups } = fileHead;
    const checksums = await readChecksums(handle, fileHead, end);
    let at = prologueBytes;
    let page = 0;
    const placeOf = (length: number): TablePlace => {
      const place = { at, length, checksums: checksums.subarray(page, page + pagesOf(length)) };
      at += length;
      page += pagesOf(length);
      return place;
    };
    const inMemory = tables.map(([stored, size]) => ({ place: placeOf(stored), size }));
    const inParts = deflated.map(([size, parts]) => ({ place: placeOf(sumOf(parts)), size, parts }));
    const ofGroups = groups.map(placeOf);
    const content = {
      head,
      tables: await Promise.all(inMemory.map(({ place, size }) => readTable(handle, place, size))),
    };
    if (!leavesTables) {
      return {
        ...content,
        deflated: await Promise.all(inParts.map(({ place, size }) => inflated(handle, place, size))),
        groups: await Promise.all(ofGroups.map((place) => readStored(handle, place))),
      };
    }
    const descriptor = await openAgain(path, handle);
    return {
      ...content,
      deflated: inParts.map(
        ({ place, size, parts }) => new DeflatedTable(new PagedTable({ ...place, descriptor }), size, parts),
      ),
      groups: ofGroups.map((place) => new PagedTable({ ...place, descriptor })),
    };
  });
}

/** Opens the file of a handle again, since the handle is closed when the tables are read. */
async function openAgain(path: string, handle: Handle): Promise<number> {
  const descriptor = openSync(path, "r");
  if (fstatSync(descriptor).ino === (await handle.stat()).ino) return descriptor;
  closeSync(descriptor);
  throw new BrokenFile("it was replaced meanwhile");
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

/** Where the checksums end, and theirs. */
interface ChecksumsEnd {
  readonly at: number;
  readonly checksum: number;
}

async function readHead<Head>(
  handle: Handle,
  bytes: number,
): Promise<{ readonly fileHead: FileHead<Head>; readonly end: ChecksumsEnd }> {
  if (bytes < prologueBytes) throw new BrokenFile("it is cut short");
  const prologue = await readExactly(handle, 0, prologueBytes);
  if (!prologue.subarray(0, mark.length).equals(mark)) throw new BrokenFile("it does not begin as an index does");
  const length = prologue.readUIntLE(mark.length, 6);
  if (length !== bytes) throw new BrokenFile(bytes < length ? "it is cut short" : "it is too long");
  const [headBytes, headChecksum, checksum] = [6, 10, 14].map((at) => prologue.readUInt32LE(mark.length + at));
  const start = bytes - headBytes!;
  if (start < prologueBytes) throw new BrokenFile("its head has no place in it");
  const json = await readExactly(handle, start, headBytes!);
  if (crc32(json) !== headChecksum) throw new BrokenFile("its head does not fit its checksum");
  return {
    fileHead: JSON.parse(json.toString("latin1")) as FileHead<Head>,
    end: { at: start, checksum: checksum! },
  };
}

/** The checksums of the pages of all tables. */
async function readChecksums(
  handle: Handle,
  { tables, deflated, groups }: FileHead<unknown>,
  end: ChecksumsEnd,
): Promise<Uint32Array> {
  const sizes = [...tables.map(([stored]) => stored), ...deflated.map(([, parts]) => sumOf(parts)), ...groups];
  const start = prologueBytes + sumOf(sizes);
  const checksums = await readExactly(handle, start, end.at - start);
  if (crc32(checksums) !== end.checksum) throw new BrokenFile("its checksums do not fit theirs");
  return new Uint32Array(checksums.buffer, 0, checksums.length / 4);
}

/** Where a table lies in the file, and its checksums. */
type TablePlace = Omit<PagedTablePlace, "descriptor">;

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Reads a table that has `size` bytes in memory, and was deflated where fewer are stored. */
function readTable(handle: Handle, place: TablePlace, size: number): Promise<Uint8Array> {
  return size === place.length ? readStored(handle, place) : inflated(handle, place, size);
}

async function readStored(handle: Handle, place: TablePlace): Promise<Uint8Array> {
  const stored = await readExactly(handle, place.at, place.length);
  if (!fitChecksums(stored, place.checksums)) throw new BrokenFile("a table does not fit its checksums");
  return stored;
}

/** Reads a deflated table; its parts are one stream. */
async function inflated(handle: Handle, place: TablePlace, size: number): Promise<Uint8Array> {
  const stored = await readStored(handle, place);
  // One chunk as large as the table: what comes out is not copied again.
  const table = await inflate(stored, { chunkSize: Math.max(64, size), maxOutputLength: Math.max(1, size) }).catch(
    () => undefined,
  );
  freeTable(stored);
  if (table?.length !== size) throw new BrokenFile("a table cannot be inflated");
  return table;
}

/** A table as it is stored. */
async function smallest(table: Uint8Array): Promise<Uint8Array> {
  const bytes = await deflate(table, { level, chunkSize: 1 << 20 });
  return bytes.length <= table.length * worthDeflating ? bytes : table;
}

/**
 * The parts of a deflated table. They are one stream with a full flush after each part, so that a
 * part can be inflated without the parts before it.
 */
async function deflatedParts(table: Uint8Array): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < table.length || start === 0; start += tablePartBytes) {
    const isLast = start + tablePartBytes >= table.length;
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_FULL_FLUSH;
    const bytes = table.subarray(start, start + tablePartBytes);
    parts.push(await deflate(bytes, { level, chunkSize: tablePartBytes, finishFlush }));
  }
  return parts;
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

function copyOf(table: TableBytes): Uint8Array {
  const copy = new Uint8Array(tableMemory(table.length), 0, table.length);
  copy.set(table instanceof Uint8Array ? table : table.slice(0, table.length));
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
