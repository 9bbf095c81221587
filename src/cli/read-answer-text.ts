import { resolve } from "node:path";
import { decodeText, FileSystemError } from "../codebase/index.ts";
import { disk, toPortablePath } from "../codebase/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What a chat said: the text of a file, or of standard input for `-`. Throws a {@link CommandFailure} that says what to do. */
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
  const message = `${name} is empty. Paste what the chat said into it.`;
  throw new CommandFailure("no-answer", message, { exitCode: exitCodes.usage });
}

async function readBytes(file: string, workingFolder: string): Promise<Uint8Array> {
  try {
    return await disk.readFile(toPortablePath(resolve(workingFolder, file)));
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "file-missing") throw error;
    throw new CommandFailure(error.code, `There is no file ${file}. Check the path.`, { exitCode: exitCodes.notFound });
  }
}
