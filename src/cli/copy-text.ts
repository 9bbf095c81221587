import { spawn } from "node:child_process";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What copying needs of a terminal. */
type CopyTerminal = Pick<Terminal, "out" | "err" | "isShown" | "isWatched" | "environment" | "signal">;

/** A program that puts its standard input on the clipboard. */
interface ClipboardProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The encoding that it takes; UTF-8 unless told. */
  readonly encoding?: BufferEncoding;
}

/**
 * The most bytes that terminals take by OSC 52: 100,000 with what stands around them in base64.
 * Source: the limit of hterm, which scripts for other terminals keep to.
 */
const maxTerminalBytes = 74_994;

/**
 * Puts a text on the clipboard of the person at the terminal, and says how, as a clause without a full stop.
 *
 * In a session on another machine the terminal is asked, by the control sequence OSC 52: the clipboard is where the person
 * is. Elsewhere the system's own program does it, and the terminal where there is none. Rejects with a
 * {@link CommandFailure} where neither can be.
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
        : "There is no terminal that could be asked.";
    const programs = tried.length === 0 ? "No program for the clipboard was found." : tried.join(" ");
    const message = `The prompt cannot be copied. ${programs} ${why} Install wl-copy, xclip or xsel, or let --prompt print it into a file.`;
    throw new CommandFailure("no-clipboard", message, { exitCode: exitCodes.failed });
  }
  const sequence = `\u001b]52;c;${bytes.toString("base64")}\u0007`;
  if (isWatched) terminal.err(sequence);
  else terminal.out(sequence);
  return "Handed to the terminal to be copied; some have to be set to allow that (OSC 52)";
}

/** The programs that may know the clipboard of this session, best first. */
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

/** Why a program could not copy, as a sentence; `undefined` where it did. */
function tryRun({ command, args, encoding = "utf8" }: ClipboardProgram, text: string, terminal: CopyTerminal) {
  const { environment, signal } = terminal;
  return new Promise<string | undefined>((resolve, reject) => {
    // Some stay behind to serve the clipboard, and would keep our own output open.
    const child = spawn(command, args, { env: environment, stdio: ["pipe", "ignore", "ignore"], signal });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error.code === "ENOENT" ? `${command} is not installed.` : `${command} failed: ${error.message}.`);
    });
    child.on("exit", (code, name) => resolve(code === 0 ? undefined : `${command} failed (${code ?? name}).`));
    child.stdin.on("error", () => undefined);
    child.stdin.end(text, encoding);
  });
}
