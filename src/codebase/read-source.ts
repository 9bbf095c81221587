import { decodeText, tryBinaryPath } from "./binary.ts";
import { type FileStat, type FileSystem, FileSystemError } from "./file-system.ts";
import { tryGeneratedPath, tryGeneratedRemark } from "./generated.ts";
import { tryKnownLanguage } from "./known-language.ts";
import { tryMinified } from "./minified.ts";
import { trySecretPath } from "./secret-path.ts";
import type { SkipReason } from "./skip-reason.ts";
import { joinPath, tryRelativePath } from "./workspace-path.ts";

/** Which files are worth reading. */
export interface ReadRules {
  /** Larger files are not read; a megabyte unless told. */
  readonly maxBytes?: number;
  /** Whether files of no known language are read, as plain text; they are skipped unless told. */
  readonly unknownLanguages?: "skip" | "keep";
}

/** The text of a file, or why it is not read. */
export type SourceAnswer =
  | {
      readonly kind: "source";
      readonly path: string;
      /** The id of its language in the registry of `emend/syntax`, told by name and first line. */
      readonly language: string;
      /** The whole text; line endings and a byte order mark are kept. */
      readonly text: string;
      /** Bytes. */
      readonly size: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: "skipped"; readonly path: string; readonly reason: SkipReason };

/** Where to read a source, and by which rules. */
export interface ReadSourceOptions extends ReadRules {
  readonly fileSystem: FileSystem;
  readonly signal?: AbortSignal | undefined;
}

/** {@link ReadRules.maxBytes} unless told. */
export const defaultMaxBytes = 1_000_000;

/** The rules for names alone, before the disk is asked: `undefined` when the file may be worth reading. */
export function skipByName(path: string): SkipReason | undefined {
  const secret = trySecretPath(path);
  if (secret !== undefined) return { kind: "secret", ...secret };
  const ending = tryBinaryPath(path);
  if (ending !== undefined) return { kind: "binary", by: "name", detail: ending };
  const generated = tryGeneratedPath(path);
  return generated === undefined ? undefined : { kind: "generated", by: "name", detail: generated };
}

/** The rules for what is known without reading. */
export function skipByStat(stat: FileStat, { maxBytes = defaultMaxBytes }: ReadRules): SkipReason | undefined {
  if (stat.kind !== "file") return { kind: stat.kind };
  return stat.size > maxBytes ? { kind: "oversized", size: stat.size, maxBytes } : undefined;
}

/** The rules for a text that has been read. */
export function skipByContent(text: string): SkipReason | undefined {
  const key = tryPrivateKey(text);
  if (key !== undefined) return { kind: "secret", by: "content", detail: key };
  const remark = tryGeneratedRemark(text);
  if (remark !== undefined) return { kind: "generated", by: "content", detail: remark };
  const detail = tryMinified(text);
  return detail === undefined ? undefined : { kind: "minified", detail };
}

/** Whether a private key stands in a text, as files hold it. */
export function holdsPrivateKey(text: string): boolean {
  return tryPrivateKey(text) !== undefined;
}

function tryPrivateKey(text: string): string | undefined {
  return text.includes("PRIVATE KEY") ? privateKey.exec(text)?.[0] : undefined;
}

// Key material must follow: code that looks for the mark is not a key. Behind a mark that begins its line, in a file of
// its own, the next line may be anything that such files hold; elsewhere it must be a line of base64, after line endings
// that may be escapes, quotes and signs that join literals, remarks' beginnings, and headers.
const begin = "-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----";
const escapedEnd = "(?:\\s|\\\\[nr]|[\"'`+,.;()#*/|>&-])";
const header = "(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\\n\\\\\"'`]{0,200})";
// Hardly a name has a digit in it and is so long.
const material = "(?=[A-Za-z+/]{0,80}[0-9])[A-Za-z0-9+/]{24,}={0,2}(?![A-Za-z0-9])";
const privateKey = new RegExp(
  `^[ \\t]*${begin}(?=[ \\t]*\\r?\\n\\s*[A-Za-z0-9+/:=-])|${begin}(?=(?:${escapedEnd}{1,60}${header}){0,4}${escapedEnd}{1,60}${material})`,
  "m",
);

/** The reason for which a disk's refusal skips a file. Any other error is thrown again. */
export function skipByFailure(error: unknown): SkipReason {
  if (!(error instanceof FileSystemError)) throw error;
  switch (error.code) {
    case "file-missing":
    case "not-a-folder":
      return { kind: "missing" };
    case "no-permission":
      return { kind: "no-permission" };
    case "not-a-file":
      return { kind: "folder" };
    case "link-loop":
      return { kind: "link", why: "loop" };
    case "disk-failed":
      return { kind: "disk-failed", detail: error.cause instanceof Error ? error.cause.message : error.message };
  }
}

/**
 * Reads the file at `path` in the workspace `root`, unless it is one of those that are never read.
 *
 * Ignore rules are not asked: the walk has done so, and a file that a person opens is theirs to open. Secrets are refused
 * all the same, also behind a link, and so is what a link fetches from outside the workspace.
 */
export async function readSource(root: string, path: string, options: ReadSourceOptions): Promise<SourceAnswer> {
  const { fileSystem, signal, unknownLanguages = "skip" } = options;
  const skip = (reason: SkipReason): SourceAnswer => ({ kind: "skipped", path, reason });
  signal?.throwIfAborted();
  const byName = skipByName(path);
  if (byName !== undefined) return skip(byName);
  try {
    const [realRoot, realPath] = await Promise.all([
      fileSystem.realPath(root),
      fileSystem.realPath(joinPath(root, path)),
    ]);
    signal?.throwIfAborted();
    const real = tryRelativePath(realRoot, realPath);
    if (real === undefined) return skip({ kind: "link", why: "outside", target: realPath });
    const byRealName = real === path ? undefined : skipByName(real);
    if (byRealName !== undefined) return skip(byRealName);
    // The workspace itself may lie in a folder of secrets.
    const secret = trySecretPath(realPath);
    if (secret !== undefined) return skip({ kind: "secret", ...secret });

    // From here on the real path is used, so that a link changed meanwhile cannot lead elsewhere.
    const stat = await fileSystem.stat(realPath);
    signal?.throwIfAborted();
    const byStat = skipByStat(stat, options);
    if (byStat !== undefined) return skip(byStat);

    const bytes = await fileSystem.readFile(realPath);
    signal?.throwIfAborted();
    // The file may have grown since.
    const byLength = skipByStat({ ...stat, size: bytes.length }, options);
    if (byLength !== undefined) return skip(byLength);
    const decoded = decodeText(bytes);
    if (decoded.kind === "binary") return skip({ kind: "binary", by: "content", detail: decoded.detail });
    if (decoded.kind === "not-utf-8") return skip(decoded);
    const { text } = decoded;
    const byContent = skipByContent(text);
    if (byContent !== undefined) return skip(byContent);
    const language = tryKnownLanguage(path, firstLineOf(text));
    if (language === undefined && unknownLanguages === "skip") return skip({ kind: "unknown-language" });
    const { mtimeMs } = stat;
    return { kind: "source", path, language: language ?? "plaintext", text, size: bytes.length, mtimeMs };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return skip(skipByFailure(error));
  }
}

function firstLineOf(text: string): string {
  return /^\uFEFF?([^\r\n]{0,300})/.exec(text)?.[1] ?? "";
}
