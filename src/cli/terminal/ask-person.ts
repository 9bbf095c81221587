import { closeSync, constants, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";
import { onAbort } from "../../async/index.ts";
import { endOfInput } from "./terminal.ts";

/**
 * Prints a question on standard error, and returns the line that the person types at the terminal,
 * also where standard input is a pipe or has ended. Lines typed before the question are discarded.
 * Returns {@link endOfInput} where the person ends the input, and `undefined` where there is no
 * terminal. Rejects with the signal's own reason.
 */
export async function askPerson(question: string, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted();
  const input = tryOpenKeyboard();
  if (input === undefined) return undefined;
  // The terminal edits the line, so that Ctrl-C interrupts as usual.
  const lines = createInterface({ input, terminal: false });
  if (process.platform !== "win32") dropTypedAhead();
  process.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      onAbort(signal, reject);
      lines.once("line", resolve);
      lines.once("close", () => resolve(endOfInput));
    });
  } finally {
    lines.close();
    if (input !== process.stdin) input.destroy();
  }
}

/** Discards what was typed already. */
function dropTypedAhead(): void {
  const keyboard = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
  const bytes = new Uint8Array(1024);
  try {
    while (readSync(keyboard, bytes) > 0);
  } catch {
    // There is no more input.
  } finally {
    closeSync(keyboard);
  }
}

function tryOpenKeyboard(): ReadStream | undefined {
  if (process.platform === "win32") return process.stdin.isTTY ? process.stdin : undefined;
  try {
    return new ReadStream(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
}
