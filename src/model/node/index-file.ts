import { open, rename, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, deflateRaw, inflateRaw } from "node:zlib";
import { errorMessage } from "../../text/index.ts";
import { freeTable, tableMemory } from "../builtin/table-memory.ts";

/** What an index file holds: a JSON value, and tables of bytes. */
export interface IndexContent<Head> {
  readonly head: Head;
  readonly tables: readonly Uint8Array[];
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
 * The layout: the mark, the length and the checksum of the head (two 32-bit numbers,
 * little-endian), the head as JSON, and the tables one after the other, each deflated or as it is.
 */
const mark = Buffer.from("emend index\n");
const prologueBytes = mark.length + 8;

/** How a table is stored. */
interface Part {
  /** Bytes in the file, and the CRC-32 of them. */
  readonly stored: number;
  readonly crc: number;
  /** Bytes of the table. */
  readonly size: number;
  readonly deflated: boolean;
}

/**
 * A table is stored deflated when that saves at least two fifths, and as it is otherwise.
 *
 * Four fifths of an index are frozen links, which are packed already: deflate saves a tenth of them
 * and costs the most time both ways. Tokens and names shrink to less than half. Level 1 is three
 * times as fast as the default and saves nearly as much. Taking differences or splitting bytes
 * first would cost more on the main thread than it saves in the pool.
 */
const worthDeflating = 0.6;
const level = 1;
/**
 * Whether a table is worth deflating is tried on slices of it, so that no time goes into what stays
 * as it is.
 */
const trial = { slices: 3, bytes: 16_384 };

/** Tables compressed at the same time, as many as Node's pool has threads. */
const atOnce = 4;

const deflate = promisify<Uint8Array, { level: number; chunkSize: number }, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, { chunkSize: number; maxOutputLength: number }, Buffer>(inflateRaw);

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
 * the disk. No more than four tables are in memory a second time.
 *
 * Of two writers at once, the last to finish wins. Resolves with the bytes written; rejects with
 * the system's error, or with the signal's reason, and leaves nothing then. The file is readable
 * for its owner only.
 */
export async function writeIndexFile<Head>(
  path: string,
  content: IndexContent<Head>,
  { signal, beforeCopy }: WriteIndexOptions = {},
): Promise<number> {
  signal?.throwIfAborted();
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2, 10)}${temporaryEnding}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    // The head comes first and names the parts, which are written before it: it gets the room that
    // it needs at most, and ends in spaces.
    const { tables } = content;
    const printHead = (parts: readonly Part[]) => JSON.stringify({ head: content.head, parts });
    const room = Buffer.byteLength(printHead(tables.map(({ length }) => largestPart(length))));
    const parts: Part[] = [];
    let bytes = prologueBytes + room;
    for (let i = 0; i < tables.length; i += atOnce) {
      const some = tables.slice(i, i + atOnce);
      if (beforeCopy !== undefined) {
        for (const [at, table] of some.entries()) {
          await beforeCopy();
          some[at] = copyOf(table);
        }
      }
      for (const stored of await Promise.all(some.map(store))) {
        signal?.throwIfAborted();
        await writeAll(handle, stored.bytes, bytes);
        bytes += stored.bytes.length;
        parts.push(stored.part);
      }
      if (beforeCopy !== undefined) for (const copied of some) freeTable(copied);
    }
    const head = Buffer.alloc(room, " ");
    head.write(printHead(parts));
    const prologue = Buffer.alloc(prologueBytes);
    mark.copy(prologue);
    prologue.writeUInt32LE(head.length, mark.length);
    prologue.writeUInt32LE(crc32(head), mark.length + 4);
    await writeAll(handle, Buffer.concat([prologue, head]), 0);
    signal?.throwIfAborted();
    await handle.sync();
    await handle.close();
    await moveOver(temporary, path);
    return bytes;
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

/**
 * A whole index file. Each table has a buffer of its own. Where `isWanted` refuses the head, the
 * tables are not read and the list of them is empty. Never rejects: what can't be read is `broken`.
 */
export function readIndexFile<Head>(
  path: string,
  isWanted: (head: Head) => boolean = () => true,
): Promise<IndexFileAnswer<IndexContent<Head>>> {
  return reading(path, async (handle, bytes) => {
    const { head, parts, start } = await readHead<Head>(handle, bytes);
    if (!isWanted(head)) return { head, tables: [] };
    let at = start;
    const places = parts.map((part) => {
      at += part.stored;
      return at - part.stored;
    });
    const tables = await Promise.all(
      parts.map(async (part, i) => {
        const stored = await readExactly(handle, places[i]!, part.stored);
        if (crc32(stored) !== part.crc) throw new BrokenFile(`table ${i} does not fit its checksum`);
        if (!part.deflated) return stored;
        // One chunk as large as the table: what comes out is not copied again.
        const options = { chunkSize: Math.max(64, part.size), maxOutputLength: Math.max(1, part.size) };
        const table = await inflate(stored, options).catch(() => undefined);
        if (table?.length !== part.size) throw new BrokenFile(`table ${i} cannot be inflated`);
        return table;
      }),
    );
    return { head, tables };
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
): Promise<{ readonly head: Head; readonly parts: readonly Part[]; readonly start: number }> {
  if (bytes < prologueBytes) throw new BrokenFile("it is cut short");
  const prologue = await readExactly(handle, 0, prologueBytes);
  if (!prologue.subarray(0, mark.length).equals(mark)) throw new BrokenFile("it does not begin as an index does");
  const length = prologue.readUInt32LE(mark.length);
  if (prologueBytes + length > bytes) throw new BrokenFile("it is cut short");
  const json = await readExactly(handle, prologueBytes, length);
  if (crc32(json) !== prologue.readUInt32LE(mark.length + 4))
    throw new BrokenFile("its head does not fit its checksum");
  const { head, parts } = JSON.parse(json.toString()) as { readonly head: Head; readonly parts: readonly Part[] };
  const start = prologueBytes + length;
  const end = parts.reduce((sum, part) => sum + part.stored, start);
  if (end !== bytes) throw new BrokenFile(bytes < end ? "it is cut short" : "it is too long");
  return { head, parts, start };
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

function copyOf(table: Uint8Array): Uint8Array {
  const copy = new Uint8Array(tableMemory(table.length), 0, table.length);
  copy.set(table);
  return copy;
}

async function store(table: Uint8Array): Promise<{ readonly part: Part; readonly bytes: Uint8Array }> {
  const size = table.length;
  if (await seemsWorthDeflating(table)) {
    const bytes = await deflate(table, { level, chunkSize: 1 << 20 });
    if (bytes.length <= size * worthDeflating) {
      return { part: { stored: bytes.length, crc: crc32(bytes), size, deflated: true }, bytes };
    }
  }
  return { part: { stored: size, crc: crc32(table), size, deflated: false }, bytes: table };
}

/** A part of a table of `size` bytes that takes the most room in the head. */
function largestPart(size: number): Part {
  return { stored: size, crc: 0xffff_ffff, size, deflated: false };
}

async function seemsWorthDeflating(table: Uint8Array): Promise<boolean> {
  const { slices, bytes } = trial;
  if (table.length <= slices * bytes) return table.length > 256;
  let before = 0;
  let after = 0;
  for (let i = 0; i < slices; i += 1) {
    const start = Math.floor(((table.length - bytes) * i) / (slices - 1));
    before += bytes;
    after += (await deflate(table.subarray(start, start + bytes), { level, chunkSize: bytes })).length;
  }
  return after <= before * worthDeflating;
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
