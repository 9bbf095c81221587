import {
  EditEngine,
  type EditOutcome,
  formatOfAnswer,
  isRefusedWhole,
  namesDefinedIn,
  pathsOfAnswer,
  printUnclearFormat,
  readPastedAnswer,
  retryPromptFor,
} from "../../edit/index.ts";
import { readEditFiles } from "../../edit/node/index.ts";
import { type FormatName, fencedCodeOf, mentionedPaths } from "../../formats/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { readSource } from "../../workspace/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { walkFiles } from "../walk-files.ts";
import { clearAnswer, editFormatOf, readAnswerText, unclearFormat, wholeFileHint } from "./chat-answer.ts";
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
 * it names. The answer is read like that of `emend edit FILE --answer ANSWER`. Throws a {@link
 * CommandFailure} where the answer is missing or empty, its format is unclear, it names no file, or
 * one cannot be read. Rejects with the signal's reason on abort.
 */
export async function apply(file: string, options: ApplyOptions, terminal: Terminal): Promise<ExitCode> {
  const { signal } = terminal;
  const text = await readAnswerText(file, terminal);
  const { root, notes } = await openEditWorkspace({ root: options.root }, terminal);
  const named = editFormatOf(options.format);
  using syntax = openSyntax();
  const read = await filesOfAnswer({ file, text, format: named }, { root, options, syntax, terminal });
  const format = read.areNew === true ? "whole" : named;
  const request = { files: read.files, format };
  const answer = clearAnswer(await readPastedAnswer(text, request, syntax));
  const outcome = await new EditEngine({ syntax }).judgeAnswer(request, answer, { signal });
  const hints = format === "auto" && outcome.kind === "refused" ? wholeFileHint(text, read.files) : [];
  const review = {
    ...{ root, options, instruction: `the answer ${file === "-" ? "from standard input" : file}` },
    notes: [...notes, ...read.notes, ...hints],
    retryPromptOf: (outcome: EditOutcome) => retryPromptFor(outcome, { answer: text, request }),
  };
  return await reviewEdit(outcome, review, terminal);
}

/** The files of an answer. */
interface AnswerFiles extends Pick<EditFiles, "files" | "notes"> {
  /**
   * Whether the answer is plain code of files that do not exist: then it is their whole text, since
   * a part of a file needs the file.
   */
  readonly areNew?: boolean;
}

type EditFiles = Awaited<ReturnType<typeof readEditFiles>>;

/** An answer, and the format that `--format` names. */
interface NamedAnswer {
  readonly file: string;
  readonly text: string;
  readonly format: FormatName | "auto";
}

/** What the files of an answer are found with. */
interface AnswerOutside {
  readonly root: string;
  readonly options: ApplyOptions;
  readonly syntax: Syntax;
  readonly terminal: Terminal;
}

/**
 * The files that an answer is about: those of its edits, or those that its words name. Throws a
 * {@link CommandFailure} where it has code or edits and names no file.
 */
async function filesOfAnswer(answer: NamedAnswer, outside: AnswerOutside): Promise<AnswerFiles> {
  const { file, text } = answer;
  const { root, options, terminal } = outside;
  const { signal } = terminal;
  const found = answer.format === "auto" ? formatOfAnswer(text) : { kind: "format" as const, name: answer.format };
  const format = found.kind === "format" ? found.name : undefined;
  const readAs = found.kind === "format" ? found.name : found.candidates.find((name) => name === "whole");
  const paths = readAs === undefined ? [] : pathsOfAnswer(text, readAs);
  if (paths.length > 0) {
    const named = await readEditFiles(root, paths, { signal });
    const missing = named.refusals.flatMap(({ kind, path }) => (kind === "missing" ? [path] : []));
    const similar = await longerPaths(missing, root, terminal);
    const read = similar.length === 0 ? named : await readEditFiles(root, [...paths, ...similar], { signal });
    // The answer may create a missing file. Where it edits one instead, resolving its operations
    // refuses that.
    const refusals = read.refusals.filter(({ kind }) => kind !== "missing");
    if (refusals.length > 0) throw refusedFiles(refusals);
    return { ...read, areNew: found.kind === "unclear" && read.files.length === 0 };
  }
  const defining = format === undefined && options.search ? await pathsDefining(text, outside) : [];
  // Many words look like paths; those that are none are missing or refused.
  const read = await readEditFiles(root, defining.length > 0 ? defining : mentionedPaths(text), { signal });
  if (read.files.length > 0) return read;
  if (found.kind === "format") {
    // Its edits are refused with their reasons.
    if (isRefusedWhole(text, found.name)) return read;
    const message = `The answer names no file, read as ${found.name}. Name the file: \`emend edit FILE --answer ${file}\`.`;
    throw new CommandFailure("no-files", message, { exitCode: exitCodes.usage });
  }
  // Without code it has no edit, which is the outcome of reading it.
  if (fencedCodeOf(text).length === 0) return read;
  const where = options.search
    ? "no file of the workspace has what its code defines"
    : "--search looks in the whole workspace for what its code defines";
  throw unclearFormat(
    `${printUnclearFormat(found)} It names no file: \`emend edit FILE --answer ANSWER\` names one, and ${where}.`,
  );
}

/** The files of the workspace that end like a missing path, which may lack its first folders. */
async function longerPaths(missing: readonly string[], root: string, terminal: Terminal): Promise<readonly string[]> {
  if (missing.length === 0) return [];
  const endOf = (path: string) => `/${path.replaceAll("\\", "/")}`.normalize("NFC").toLowerCase();
  const ends = missing.map(endOf);
  const { files } = await walkFiles(root, terminal, () => undefined);
  return [...files.keys()].filter((path) => ends.some((end) => endOf(path).endsWith(end)));
}

/** The files of the workspace that contain a name which the answer's code defines. */
async function pathsDefining(text: string, { root, syntax, terminal }: AnswerOutside): Promise<readonly string[]> {
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
