import { resolve } from "node:path";
import { decodeText, FileSystemError } from "../../codebase/index.ts";
import { readNamedFile, toPortablePath } from "../../codebase/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Reads a chat's answer from a file, or from standard input for `-`. Throws a {@link
 * CommandFailure} where it is missing, empty, or not text.
 */
export async function readAnswerText(
  file: string,
  terminal: Pick<Terminal, "workingFolder" | "readInput">,
): Promise<string> {
  const bytes = file === "-" ? await terminal.readInput() : await readBytes(file, terminal.workingFolder);
  const decoded = decodeText(bytes);
  const name = file === "-" ? "Standard input" : file;
  if (decoded.kind !== "text") {
    const message = `${name} is not an answer in text: ${decoded.detail}. Save the answer as UTF-8.`;
    throw new CommandFailure(decoded.kind, message, { exitCode: exitCodes.notSource });
  }
  if (decoded.text.trim() !== "") return decoded.text;
  const message = `${name} is empty. Paste the chat's answer into it.`;
  throw new CommandFailure("no-answer", message, { exitCode: exitCodes.usage });
}

async function readBytes(file: string, workingFolder: string): Promise<Uint8Array> {
  try {
    return await readNamedFile(toPortablePath(resolve(workingFolder, file)));
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "file-missing") throw error;
    throw new CommandFailure(error.code, `There is no file ${file}. Check the path.`, { exitCode: exitCodes.notFound });
  }
}
