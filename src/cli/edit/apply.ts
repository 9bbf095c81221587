import {
  type DefinitionsReading,
  definedAnswer,
  EditEngine,
  type EditOutcome,
  formatOfAnswer,
  isRefusedWhole,
  namesDefinedIn,
  pathsOfAnswer,
  retryPromptFor,
  tryReadDefinitions,
} from "../../edit/index.ts";
import { readEditFiles } from "../../edit/node/index.ts";
import { fencedCodeOf, pathsInRow } from "../../formats/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { readSource } from "../../workspace/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { walkFiles } from "../walk-files.ts";
import { clearFormat, editFormatOf, readAnswerText } from "./chat-answer.ts";
import { openEditWorkspace, refusedFiles } from "./edit-workspace.ts";
import { type ReviewOptions, reviewEdit } from "./review-edit.ts";

/** The options of `emend apply`. */
export interface ApplyOptions extends ReviewOptions {
  /**
   * The folder that the answer's paths are relative to; the workspace of the working folder by
   * default.
   */
  readonly root: string | undefined;
  readonly format: string | undefined;
  /**
   * Whether code of an answer that names no format is looked for in all files; otherwise in those
   * that the answer names.
   */
  readonly search: boolean;
}

/**
 * Runs `emend apply ANSWER`: applies the edits of an answer, in any edit format, to the files that
 * it names. Throws a {@link CommandFailure} where the answer is missing or empty, its format is
 * unclear, it names no file, or one cannot be read. Rejects with the signal's reason on abort.
 */
export async function apply(file: string, options: ApplyOptions, terminal: Terminal): Promise<ExitCode> {
  const named = editFormatOf(options.format);
  const text = await readAnswerText(file, terminal);
  const { root, notes } = await openEditWorkspace({ root: options.root }, terminal);
  const instruction = `the answer ${file === "-" ? "from standard input" : file}`;
  const found = formatOfAnswer(text);
  const isPlain = named === "auto" && found.kind === "unclear";
  const definitions = isPlain ? await readDefinitions(text, { root, options }, terminal) : undefined;
  if (definitions?.outcome !== undefined) {
    const { outcome, files } = definitions;
    const review = { root, instruction, options, notes: [...notes, ...files.notes] };
    return reviewEdit(outcome, review, terminal);
  }
  const format = named === "auto" ? clearFormat(found, definitions?.reading) : named;
  const paths = pathsOfAnswer(text, format);
  if (paths.length === 0 && !isRefusedWhole(text, format)) {
    const message = `The answer names no file, read as ${format}. Name the file: \`emend edit FILE --answer ${file}\`.`;
    throw new CommandFailure("no-files", message, { exitCode: exitCodes.usage });
  }
  const read = await readEditFiles(root, paths, { signal: terminal.signal });
  // The answer may create a missing file. Where it edits one instead, resolving its operations
  // refuses that.
  const refusals = read.refusals.filter(({ kind }) => kind !== "missing");
  if (refusals.length > 0) throw refusedFiles(refusals);
  const request = { files: read.files, format };
  const syntax = openSyntax();
  let outcome: EditOutcome;
  try {
    outcome = await new EditEngine({ syntax }).judgeAnswer(request, { text, format }, { signal: terminal.signal });
  } finally {
    syntax[Symbol.dispose]();
  }
  const review = {
    ...{ root, instruction, options },
    notes: [...notes, ...read.notes],
    retryPromptOf: (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request }),
  };
  return reviewEdit(outcome, review, terminal);
}

type EditFiles = Awaited<ReturnType<typeof readEditFiles>>;

/**
 * Reads the code of an answer without a format as definitions of the files that it names, or with
 * `search` of all files of the workspace; `undefined` where it defines nothing.
 */
async function readDefinitions(
  text: string,
  { root, options }: { readonly root: string; readonly options: ApplyOptions },
  terminal: Terminal,
): Promise<
  { readonly outcome?: EditOutcome; readonly files: EditFiles; readonly reading: DefinitionsReading } | undefined
> {
  const { signal } = terminal;
  const syntax = openSyntax();
  try {
    const paths = options.search ? await pathsDefining(text, root, syntax, terminal) : pathsNamedIn(text);
    const files = await readEditFiles(root, paths, { signal });
    const isUnnamed = files.files.length === 0 && !options.search && fencedCodeOf(text).length > 0;
    const reading = isUnnamed ? unnamed : await tryReadDefinitions(text, files.files, syntax);
    if (reading?.kind !== "content") return reading && { files, reading };
    const request = { files: files.files };
    const outcome = await new EditEngine({ syntax }).judgeAnswer(request, definedAnswer(text, reading.content), {
      signal,
    });
    return { outcome, files, reading };
  } finally {
    syntax[Symbol.dispose]();
  }
}

const unnamed: DefinitionsReading = {
  kind: "refused",
  message:
    "It names no file: `emend edit FILE --answer ANSWER` names one, and --search looks in the whole workspace for what its code defines.",
};

/** The texts of an answer that may be paths, outside of its code. */
function pathsNamedIn(text: string): readonly string[] {
  const code = fencedCodeOf(text);
  const isCode = (i: number) => code.some(({ row, lines }) => row <= i && i < row + lines.length);
  const rows = text.split("\n").filter((row, i) => row.length <= 300 && !isCode(i));
  const words = rows.flatMap((row) => [...row.split(/\s+/).map(plain), ...pathsInRow(plain(row))]);
  return [...new Set(words)].filter((word) => /[.][\p{L}\p{N}_]+$/u.test(word));
}

/** `words` without quotes, brackets and punctuation around them. */
function plain(words: string): string {
  const last = [...words.matchAll(/[\p{L}\p{N}_]/gu)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  return words.slice(0, end).replace(/^[^\p{L}\p{N}_.@/~]+/u, "");
}

/** The files of the workspace that contain a name which the answer's code defines. */
async function pathsDefining(
  text: string,
  root: string,
  syntax: Syntax,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { files } = await walkFiles(root, terminal, () => undefined);
  const names = [...(await namesDefinedIn(text, new Set(Array.from(files.values(), (one) => one.language)), syntax))];
  const found: string[] = [];
  for (const path of names.length === 0 ? [] : files.keys()) {
    terminal.signal.throwIfAborted();
    const source = await readSource(root, path, { fileSystem: disk });
    if (source.kind === "source" && names.some((name) => source.text.includes(name))) found.push(path);
  }
  return found;
}
