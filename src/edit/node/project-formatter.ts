import { stripVTControlCharacters } from "node:util";
import { byteOrderMark } from "../../text/index.ts";
import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import { runProgram } from "../../workspace/node/index.ts";
import type { EditFormatter, FormatAnswer } from "../edit-engine-parts.ts";
import { type ConfiguredFormatter, type FormatterName, findFormatter } from "./find-formatter.ts";
import { keepLineEndings } from "./keep-line-endings.ts";

/** The options of {@link projectFormatter}. */
export interface ProjectFormatterOptions {
  /** The absolute path of the workspace, with links resolved and `/`. */
  readonly root: string;
  /** Whether code of the workspace may be run: its formatter is, and often its configuration. */
  readonly isTrusted: boolean;
  /** The time limit in milliseconds; ten seconds by default. */
  readonly timeoutMs?: number;
}

/**
 * Creates a formatter that runs the project's own: prettier, biome, oxfmt or dprint, whichever is
 * configured nearest above the file. It returns `no-formatter` where none is configured or it does
 * not format such files, and `failed` where it is not installed or fails, or the workspace is not
 * trusted.
 *
 * The text is passed on standard input; files on disk are neither read nor written. The byte order
 * mark and line endings of the text are kept, whatever the formatter does to them.
 */
export function projectFormatter({ root, isTrusted, timeoutMs = 10_000 }: ProjectFormatterOptions): EditFormatter {
  return async ({ path, text }, { signal }): Promise<FormatAnswer> => {
    signal?.throwIfAborted();
    const absolute = joinPath(root, path);
    const found = await findFormatter(root, absolute);
    if (found === undefined) return { kind: "no-formatter" };
    const { name, folder, program } = found;
    if (!isTrusted) return failed(`${name} is not run in a workspace that is not trusted`);
    if (program === undefined) return failed(`${name} is configured, but not installed`);
    const hasMark = text.startsWith(byteOrderMark);
    const content = hasMark ? text.slice(byteOrderMark.length) : text;
    const end = await runProgram({
      command: { program, args: argumentsOf[name](tryRelativePath(folder, absolute)!) },
      ...{ folder, input: content, timeoutMs, signal, maxBytes: content.length * 8 + 1_000_000, keeps: "head" },
    });
    if (isForeign(end)) return { kind: "no-formatter" };
    const failure = failureOf(end, { found, timeoutMs, content });
    if (failure !== undefined) return failed(failure);
    return { kind: "formatted", text: (hasMark ? byteOrderMark : "") + keepLineEndings(content, end.output) };
  };
}

/**
 * The arguments with which each formatter formats its standard input as the file at a path from its
 * folder.
 */
const argumentsOf: Readonly<Record<FormatterName, (path: string) => readonly string[]>> = {
  biome: (path) => ["format", `--stdin-file-path=${path}`],
  oxfmt: (path) => [`--stdin-filepath=${path}`],
  dprint: (path) => ["fmt", "--stdin", path],
  prettier: (path) => [`--stdin-filepath=${path}`],
};

type End = Awaited<ReturnType<typeof runProgram>>;

function failureOf(
  end: End,
  run: { readonly found: ConfiguredFormatter; readonly timeoutMs: number; readonly content: string },
): string | undefined {
  const { name } = run.found;
  switch (end.kind) {
    case "not-started":
      return `${name} could not be started: ${end.message}`;
    case "timed-out":
      return `${name} took longer than ${run.timeoutMs / 1000} s`;
    case "killed":
      return `${name} was killed by ${end.by}`;
    case "exited":
      if (end.exitCode !== 0) return `${name} failed: ${errorLineIn(end.complaints) || `exit code ${end.exitCode}`}`;
      if (end.isCut) return `${name} answered with too much text`;
      if (end.output.trim() === "" && run.content.trim() !== "") return `${name} answered with nothing`;
      return undefined;
  }
}

/**
 * Whether a formatter does not support files of this kind; biome reports that it is disabled for
 * them.
 */
function isForeign(end: End): boolean {
  return (
    end.kind === "exited" &&
    end.exitCode !== 0 &&
    /No parser could be inferred|Unsupported file type|formatter is currently disabled/.test(end.complaints)
  );
}

/**
 * The line with the error: after a cross, where there is one, or else the first line with a word.
 */
function errorLineIn(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  const crossed = lines.map((line) => /^\s*[×✖x] (\W*\w.*)$/.exec(line)?.[1]);
  return (crossed.find((line) => line !== undefined) ?? lines.find((line) => /\w/.test(line)) ?? "").trim();
}

function failed(message: string): FormatAnswer {
  return { kind: "failed", message };
}
