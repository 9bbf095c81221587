import { decodeText, tryBinaryPath } from "./binary.ts";
import { type FileStat, type FileSystem, FileSystemError } from "./file-system.ts";
import { tryGeneratedPath, tryGeneratedRemark, tryMinified } from "./generated.ts";
import { tryKnownLanguage } from "./known-language.ts";
import { trySecretPath } from "./secret-path.ts";
import type { SkipReason } from "./skip-reason.ts";
import { joinPath, tryRelativePath } from "./workspace-path.ts";

/** Which files are read. */
export interface ReadRules {
  /** Larger files are skipped. In bytes; default: {@link defaultMaxBytes}. */
  readonly maxBytes?: number;
  /** Whether files of an unknown language are read as plain text; default: `skip`. */
  readonly unknownLanguages?: "skip" | "keep";
}

/** The text of a file, or the reason why it is not read. */
export type SourceAnswer =
  | {
      readonly kind: "source";
      readonly path: string;
      /** The id of its language in the registry of `emend/syntax`, from name and first line. */
      readonly language: string;
      /** The whole text, with its line endings and byte order mark. */
      readonly text: string;
      /** In bytes. */
      readonly size: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: "skipped"; readonly path: string; readonly reason: SkipReason };

/** The file system and the rules of {@link readSource}. */
export interface ReadSourceOptions extends ReadRules {
  readonly fileSystem: FileSystem;
  readonly signal?: AbortSignal | undefined;
}

/** The default of {@link ReadRules.maxBytes}, in bytes. */
export const defaultMaxBytes = 1_000_000;

/**
 * Why the file at `path` is skipped, by its name alone and without access to the disk; `undefined`
 * when it may be read.
 */
export function skipByName(path: string): SkipReason | undefined {
  const secret = trySecretPath(path);
  if (secret !== undefined) return { kind: "secret", ...secret };
  const ending = tryBinaryPath(path);
  if (ending !== undefined) return { kind: "binary", by: "name", detail: ending };
  const generated = tryGeneratedPath(path);
  return generated === undefined ? undefined : { kind: "generated", by: "name", detail: generated };
}

/** Why a file is skipped, by its metadata; `undefined` when it may be read. */
export function skipByStat(stat: FileStat, { maxBytes = defaultMaxBytes }: ReadRules): SkipReason | undefined {
  if (stat.kind !== "file") return { kind: stat.kind };
  return stat.size > maxBytes ? { kind: "oversized", size: stat.size, maxBytes } : undefined;
}

/** Why a file with this text is skipped; `undefined` when it is source code. */
export function skipByContent(text: string): SkipReason | undefined {
  const key = tryPrivateKey(text);
  if (key !== undefined) return { kind: "secret", by: "content", detail: key };
  const remark = tryGeneratedRemark(text);
  if (remark !== undefined) return { kind: "generated", by: "content", detail: remark };
  const detail = tryMinified(text);
  return detail === undefined ? undefined : { kind: "minified", detail };
}

/**
 * Whether a text contains a private key in a form that files use: PEM or its base64 (the
 * `client-key-data` of a kubeconfig), PuTTY or age; or is encrypted by Ansible.
 */
export function holdsPrivateKey(text: string): boolean {
  return tryPrivateKey(text) !== undefined;
}

/**
 * The mark that shows that there is a key, without any part of the key; `undefined` when there is
 * none.
 */
function tryPrivateKey(text: string): string | undefined {
  if (text.startsWith("$ANSIBLE_VAULT;")) return "$ANSIBLE_VAULT";
  if (text.includes("PRIVATE KEY")) {
    const pem = privateKey.exec(text)?.[0];
    if (pem !== undefined) return pem;
  }
  // This runs on whole files at every keystroke; the search for the mark is the cheap part.
  return otherKeys.find(({ mark, pattern }) => text.includes(mark) && pattern.test(text))?.mark;
}

// Key material has to follow, because code that searches for the mark is no key. After a mark at
// the beginning of a line, the next line may be anything that key files contain. Elsewhere a line
// of base64 has to follow, after line ends that may be escapes, quotes, operators that join
// literals, comment starts, and headers.
const begin = "-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----";
const escapedEnd = "(?:\\s|\\\\[nr]|[\"'`+,.;()#*/|>&-])";
const header = "(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\\n\\\\\"'`]{0,200})";
// Identifiers are rarely this long with a digit in them.
const material = "(?=[A-Za-z+/]{0,80}[0-9])[A-Za-z0-9+/]{24,}={0,2}(?![A-Za-z0-9])";
const privateKey = new RegExp(
  `^[ \\t]*${begin}(?=[ \\t]*\\r?\\n\\s*[A-Za-z0-9+/:=-])|${begin}(?=(?:${escapedEnd}{1,60}${header}){0,4}${escapedEnd}{1,60}${material})`,
  "m",
);

const otherKeys: readonly { readonly mark: string; readonly pattern: RegExp }[] = [
  { mark: "PuTTY-User-Key-File-", pattern: /^Private-Lines: \d/m },
  { mark: "AGE-SECRET-KEY-1", pattern: /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}(?![0-9A-Z])/ },
  // The base64 of "-----BEGIN … PRIVATE KEY" and of a key. The last words have three forms, by
  // their bit offset.
  {
    mark: "LS0tLS1CRUdJTi",
    pattern: /\bLS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:UFJJVkFURSBLRVk|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/]{40}/,
  },
];

/** The skip reason for an error of the file system. Throws any other error again. */
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
    case "special-file":
      return { kind: "special" };
    case "link-loop":
      return { kind: "link", refusal: "loop" };
    case "too-large":
    case "disk-failed":
      return { kind: "disk-failed", detail: error.cause instanceof Error ? error.cause.message : error.message };
  }
}

/**
 * Reads the file at `path` in the workspace `root`, or returns why it is skipped. Rejects with the
 * signal's reason.
 *
 * Ignore rules are not checked: the walk has checked them, and a file that the user opens may be
 * read. Secrets are skipped all the same, also behind a link, and so is a link's target outside the
 * workspace.
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
    if (real === undefined) return skip({ kind: "link", refusal: "outside", target: realPath });
    const byRealName = real === path ? undefined : skipByName(real);
    if (byRealName !== undefined) return skip(byRealName);
    // The workspace itself may lie in a folder that holds secrets.
    const secret = trySecretPath(realPath);
    if (secret !== undefined) return skip({ kind: "secret", ...secret });

    // From here on the real path is used, so that a link that changes meanwhile cannot lead
    // elsewhere.
    const stat = await fileSystem.stat(realPath);
    signal?.throwIfAborted();
    const byStat = skipByStat(stat, options);
    if (byStat !== undefined) return skip(byStat);

    const { maxBytes = defaultMaxBytes } = options;
    const bytes = await fileSystem.readFile(realPath, { maxBytes }).catch(async (error: unknown) => {
      if (!(error instanceof FileSystemError) || error.code !== "too-large") throw error;
      // The file has grown since `stat`.
      return { kind: "oversized" as const, size: (await fileSystem.stat(realPath)).size, maxBytes };
    });
    signal?.throwIfAborted();
    if ("kind" in bytes) return skip(bytes);
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

/** The options of {@link readSource}, and how many files are read at the same time. */
export interface ReadSourcesOptions extends ReadSourceOptions {
  /**
   * The most files that are read at the same time; default: 16, which is five times as fast as one.
   */
  readonly atOnce?: number;
}

/**
 * Reads many files with {@link readSource} and yields the results in the order of `paths`; a file
 * that cannot be read is a result of kind `skipped`. Leaving the loop early stops the reading.
 * Rejects with the signal's reason on abort.
 */
export async function* readSources(
  root: string,
  paths: Iterable<string>,
  { atOnce = 16, ...options }: ReadSourcesOptions,
): AsyncGenerator<SourceAnswer, void, undefined> {
  const ahead: Promise<SourceAnswer>[] = [];
  for (const path of paths) {
    const answer = readSource(root, path, options);
    // The consumer may leave early or an earlier file may fail; the rejection must not stay
    // unhandled.
    answer.catch(() => undefined);
    ahead.push(answer);
    if (ahead.length >= atOnce) yield await ahead.shift()!;
  }
  for (const answer of ahead) yield await answer;
}
