import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, crc32 } from "node:zlib";
import type { PutState } from "./path-state.ts";

/**
 * A change of files as recorded in the journal: enough to revert it, and to detect later changes of
 * the files.
 */
export interface JournalEntry {
  /** The number of the entry, from 1 in each workspace. */
  readonly id: number;
  /** The absolute path of the workspace, with links resolved and `/`. */
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly writtenAtMs: number;
  /** The instruction, in the person's words. */
  readonly instruction: string;
  /** The number of the entry that this one reverted. */
  readonly undoes?: number;
  /** Whether the change was made only to run a check on it. */
  readonly isTrial: boolean;
  readonly changes: readonly PathChange[];
  /** The absolute paths of the folders created for it, parents first. */
  readonly madeFolders: readonly string[];
}

/** The change of one path. */
export interface PathChange {
  /** An absolute path, with links resolved and `/`. */
  readonly path: string;
  readonly before: PutState;
  readonly after: PutState;
  /** The absolute path of the file that was moved here. */
  readonly movedFrom?: string;
  /** The absolute path of the file beside it that the new content is staged in. */
  readonly temporary: string;
}

/** An entry without the file contents. */
export interface JournalHead extends Omit<JournalEntry, "changes"> {
  readonly changes: readonly HeadChange[];
}

interface HeadChange {
  readonly path: string;
  readonly temporary: string;
  readonly before: HeadState;
  readonly after: HeadState;
}

type HeadState =
  | { readonly kind: "nothing" }
  | { readonly kind: "file"; readonly bytes: number; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string };

/**
 * The layout of an entry: this mark, then the lengths and checksums of the head and of the rest
 * (four 32-bit numbers, little-endian), the head as JSON, and the contents of all files,
 * concatenated and compressed together, so that text that an edit leaves alone is stored once.
 */
const mark = Buffer.from("emend edits 1\n");
/** The bytes at the beginning of an entry that {@link tryHeadBytes} needs. */
export const prologueBytes: number = mark.length + 16;

const compress = promisify<Buffer, object, Buffer>(brotliCompress);
const decompress = promisify<Buffer, object, Buffer>(brotliDecompress);
/** As fast as gzip, with a window that spans the old and the new text of a file. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 } };

/** Encodes an entry with the contents of its files, for {@link tryReadEntry}. */
export async function writeEntry(entry: JournalEntry): Promise<Buffer> {
  const blobs: Buffer[] = [];
  const toHead = (state: PutState): HeadState => {
    if (state.kind !== "file") return state;
    blobs.push(state.bytes);
    return { ...state, bytes: state.bytes.length };
  };
  const changes = entry.changes.map((change) => ({
    ...change,
    before: toHead(change.before),
    after: toHead(change.after),
  }));
  const head = Buffer.from(JSON.stringify({ ...entry, changes } satisfies JournalHead));
  const rest = await compress(Buffer.concat(blobs), compression);
  const prologue = Buffer.alloc(prologueBytes);
  mark.copy(prologue);
  for (const [i, piece] of [head, rest].entries()) {
    prologue.writeUInt32LE(piece.length, mark.length + 8 * i);
    prologue.writeUInt32LE(crc32(piece), mark.length + 8 * i + 4);
  }
  return Buffer.concat([prologue, head, rest]);
}

/**
 * The length in bytes of an entry's prologue and head together, from its first bytes; `undefined`
 * where these are fewer than {@link prologueBytes} or are no entry.
 */
export function tryHeadBytes(prologue: Buffer): number | undefined {
  if (prologue.length < prologueBytes || !prologue.subarray(0, mark.length).equals(mark)) return undefined;
  return prologueBytes + prologue.readUInt32LE(mark.length);
}

/** Decodes the head of an entry from its first bytes; `undefined` where they are damaged. */
export function tryReadHead(bytes: Buffer): JournalHead | undefined {
  const end = tryHeadBytes(bytes);
  if (end === undefined || bytes.length < end) return undefined;
  const head = bytes.subarray(prologueBytes, end);
  // JSON with a matching checksum was written by this program.
  return crc32(head) === bytes.readUInt32LE(mark.length + 4)
    ? (JSON.parse(head.toString("utf8")) as JournalHead)
    : undefined;
}

/** Decodes an entry; `undefined` where the bytes are damaged or of another format. */
export async function tryReadEntry(bytes: Buffer): Promise<JournalEntry | undefined> {
  const head = tryReadHead(bytes);
  if (head === undefined) return undefined;
  const rest = bytes.subarray(tryHeadBytes(bytes)!);
  const isWhole =
    rest.length === bytes.readUInt32LE(mark.length + 8) && crc32(rest) === bytes.readUInt32LE(mark.length + 12);
  if (!isWhole) return undefined;
  const contents = await decompress(rest, {});
  let passed = 0;
  const toState = (state: HeadState): PutState => {
    if (state.kind !== "file") return state;
    passed += state.bytes;
    return { ...state, bytes: contents.subarray(passed - state.bytes, passed) };
  };
  // In the order of encoding.
  const changes = head.changes.map((change) => {
    const before = toState(change.before);
    return { ...change, before, after: toState(change.after) };
  });
  return { ...head, changes };
}
