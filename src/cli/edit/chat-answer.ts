import type { FlagSetting } from "../../config/index.ts";
import { mayBeWholeFile, type PastedAnswer } from "../../edit/index.ts";
import { type FormatName, formats, type ShownFile } from "../../formats/index.ts";
import { decodeText, FileSystemError } from "../../workspace/index.ts";
import { readFileOrInput } from "../open-file.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Returns an answer that could be read. Throws a {@link CommandFailure} that suggests `--format`
 * where its format is unclear.
 */
export function clearAnswer(read: PastedAnswer): Extract<PastedAnswer, { kind: "answer" }>["answer"] {
  if (read.kind === "unclear") throw unclearFormat(read.message);
  return read.answer;
}

/** The failure for an answer whose format is unclear, for reasons in sentences. */
export function unclearFormat(message: string): CommandFailure {
  const names = formats.map(({ name }) => name).join(", ");
  return new CommandFailure("format-unclear", `${message} Name its format with --format: ${names}.`, {
    exitCode: exitCodes.usage,
  });
}

/**
 * A hint for an answer without a recognized format that may be the new text of the only file;
 * otherwise an empty list.
 */
export function wholeFileHint(reply: string, files: readonly ShownFile[]): readonly string[] {
  if (!mayBeWholeFile(reply, files)) return [];
  return [
    `The answer has no recognizable edit format. With --format whole, a fenced block is the whole new text of ${files[0]!.path}.`,
  ];
}

/**
 * The format that `--format` names; `auto` by default. Throws a {@link CommandFailure} that lists
 * the formats for an unknown one.
 */
export function editFormatOf(name: string | undefined): FormatName | "auto" {
  if (name === undefined || name === "auto") return "auto";
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format.name;
  const message = `There is no format ${name}. Give one of auto, ${formats.map((one) => one.name).join(", ")}.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/**
 * The value of `--format` as a setting; empty where it is `undefined`. Throws as {@link
 * editFormatOf} does: a {@link CommandFailure} for an unknown format.
 */
export function formatFlags(name: string | undefined): readonly FlagSetting[] {
  return name === undefined ? [] : [{ flag: "--format", path: ["edit", "format"], value: editFormatOf(name) }];
}

/**
 * Reads a chat's answer from a file, or from standard input for `-`. Throws a {@link
 * CommandFailure} where it is missing, empty, or not text. Rejects with a `FileSystemError` where
 * the file cannot be read for another reason.
 */
export async function readAnswerText(
  file: string,
  terminal: Pick<Terminal, "workingFolder" | "readInput">,
): Promise<string> {
  const decoded = decodeText(await readAnswer(file, terminal));
  const name = file === "-" ? "Standard input" : file;
  if (decoded.kind !== "text") {
    const message = `${name} is not an answer in text: ${decoded.detail}. Save the answer as UTF-8.`;
    throw new CommandFailure(decoded.kind, message, { exitCode: exitCodes.notSource });
  }
  if (decoded.text.trim() !== "") return decoded.text;
  const message = `${name} is empty. Paste the chat's answer into it.`;
  throw new CommandFailure("no-answer", message, { exitCode: exitCodes.usage });
}

async function readAnswer(file: string, terminal: Pick<Terminal, "workingFolder" | "readInput">): Promise<Uint8Array> {
  try {
    return await readFileOrInput(file, terminal);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "file-missing") throw error;
    throw new CommandFailure(error.code, `There is no file ${file}. Check the path.`, { exitCode: exitCodes.notFound });
  }
}
