import { spawn } from "node:child_process";
import { withoutKeys } from "../../model/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What copying needs of a terminal. */
type CopyTerminal = Pick<Terminal, "out" | "err" | "isShown" | "isWatched" | "environment" | "signal">;

/** A program that copies its standard input to the clipboard. */
interface ClipboardProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The encoding that it reads; UTF-8 by default. */
  readonly encoding?: BufferEncoding;
}

/**
 * The most bytes for OSC 52: with base64 and the control sequence they are the 100,000 that
 * terminals accept. Source: the limit of hterm, which scripts for other terminals keep to.
 */
const maxTerminalBytes = 74_994;

/**
 * Copies a text to the clipboard of the person at the terminal. Returns how, as a clause without a
 * full stop.
 *
 * In a remote session the terminal copies it, by the control sequence OSC 52, since the clipboard
 * is on the person's machine. Elsewhere a program of the system does, or the terminal where there
 * is none. Rejects with a {@link CommandFailure} where neither works, and with the signal's reason
 * on abort.
 */
export async function copyText(text: string, terminal: CopyTerminal): Promise<string> {
  const isRemote = isSet(terminal, "SSH_TTY") || isSet(terminal, "SSH_CONNECTION");
  const tried: string[] = [];
  for (const program of isRemote ? [] : programsFor(terminal)) {
    const failure = await tryRun(program, text, terminal);
    if (failure === undefined) return `Copied with ${program.command}`;
    tried.push(failure);
  }
  return copyByTerminal(text, tried, terminal);
}

function copyByTerminal(text: string, tried: readonly string[], terminal: CopyTerminal): string {
  const bytes = Buffer.from(text);
  const { isWatched, isShown } = terminal;
  const isDumb = terminal.environment["TERM"] === "dumb";
  if (!(isWatched || isShown) || isDumb || bytes.length > maxTerminalBytes) {
    const why =
      bytes.length > maxTerminalBytes && (isWatched || isShown)
        ? `It has ${bytes.length.toLocaleString("en")} bytes, and terminals take ${maxTerminalBytes.toLocaleString("en")}.`
        : "There is no terminal to copy with.";
    const programs = tried.length === 0 ? "No program for the clipboard was found." : tried.join(" ");
    const message = `The prompt cannot be copied. ${programs} ${why} Install wl-copy, xclip or xsel, or redirect --prompt to a file.`;
    throw new CommandFailure("no-clipboard", message, { exitCode: exitCodes.failed });
  }
  const sequence = `\u001b]52;c;${bytes.toString("base64")}\u0007`;
  if (isWatched) terminal.err(sequence);
  else terminal.out(sequence);
  return "Sent to the terminal's clipboard, which some terminals have to allow (OSC 52)";
}

/** The programs that may copy in this session, best first. */
function programsFor(terminal: CopyTerminal): readonly ClipboardProgram[] {
  if (process.platform === "darwin") return [{ command: "pbcopy", args: [] }];
  const clip: ClipboardProgram = { command: "clip.exe", args: [], encoding: "utf16le" };
  if (process.platform === "win32") return [clip];
  return [
    ...(isSet(terminal, "WAYLAND_DISPLAY") ? [{ command: "wl-copy", args: [] }] : []),
    ...(isSet(terminal, "DISPLAY")
      ? [
          { command: "xclip", args: ["-selection", "clipboard"] },
          { command: "xsel", args: ["--clipboard", "--input"] },
        ]
      : []),
    ...(isSet(terminal, "WSL_DISTRO_NAME") ? [clip] : []),
  ];
}

function isSet({ environment }: CopyTerminal, name: string): boolean {
  return (environment[name] ?? "") !== "";
}

/** Runs a program; returns why it could not copy, as a sentence, or `undefined` on success. */
function tryRun({ command, args, encoding = "utf8" }: ClipboardProgram, text: string, terminal: CopyTerminal) {
  const { environment, signal } = terminal;
  return new Promise<string | undefined>((resolve, reject) => {
    // Some programs keep running to serve the clipboard, and would keep our own output open.
    const child = spawn(command, args, { env: withoutKeys(environment), stdio: ["pipe", "ignore", "ignore"], signal });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error.code === "ENOENT" ? `${command} is not installed.` : `${command} failed: ${error.message}.`);
    });
    child.on("exit", (code, name) => resolve(code === 0 ? undefined : `${command} failed (${code ?? name}).`));
    child.stdin.on("error", () => undefined);
    child.stdin.end(text, encoding);
  });
}
