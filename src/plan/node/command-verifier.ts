import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type ProgramEnd, runProgram, toPortablePath } from "../../workspace/node/index.ts";
import { type Finding, finding } from "../verification/finding.ts";
import { locateFindings } from "../verification/locate-findings.ts";
import {
  detectVerifierFormat,
  type VerifierCommand,
  type VerifierFormat,
  verifierFormat,
} from "../verification/verifier-format.ts";
import { withoutControls } from "../verification/verifier-reading.ts";
import type { Verifier, VerifierResult } from "../verifier.ts";

/** The options of {@link commandVerifier}. */
export interface CommandVerifierOptions {
  /** The absolute path of the workspace, such as that of a scratch copy. */
  readonly root: string;
  /** The working folder, relative to the root; default: the root. */
  readonly folder?: string | undefined;
  /** The timeout in milliseconds; default: ten minutes, at most 24 days. */
  readonly timeoutMs?: number | undefined;
  /** The complete environment; default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called with the output as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/**
 * The most bytes of each of the two outputs that are read from the beginning; of a longer output
 * the end is read as well.
 */
const maxBytes = 16 * 1024 * 1024;
/** The longest delay of a system timer. */
const longestMs = 2 ** 31 - 1;
const tailLength = 64 * 1024;
const mostFindings = 10_000;
const mostUnread = 100;

/**
 * A verification command: runs a command of the user and reads its output.
 *
 * The line is passed unchanged to the system's shell (`/bin/sh` or `cmd.exe`), so the shell's
 * characters have their usual meaning; no path or name of the workspace is ever inserted. Standard
 * input is empty. The command gets a process group of its own. On timeout or abort the group is
 * signalled to end and killed two seconds later; processes that the command leaves behind in it are
 * killed too.
 *
 * It checks the whole workspace each time; `changedPaths` has no effect. Rejects with the signal's
 * reason only. A timeout, and a command that cannot be started, is a result.
 */
export function commandVerifier({ command, format }: VerifierCommand, options: CommandVerifierOptions): Verifier {
  return {
    name: command,
    run: async ({ signal } = {}) => {
      const { root, folder = "", timeoutMs = 600_000, environment, onOutput } = options;
      const tail = new OutputTail(tailLength);
      const end = await runProgram({
        command: { line: command },
        folder: join(root, folder),
        ...{
          timeoutMs: Math.min(timeoutMs, longestMs),
          signal,
          environment,
          maxBytes,
          keeps: "head",
          leavesNothing: true,
        },
        onOutput: (text) => {
          tail.add(text);
          onOutput?.(text);
        },
      });
      return verdictOf(end, { command, format, root, folder, timeoutMs, tail: withoutControls(tail.text).trimEnd() });
    },
  };
}

interface Run {
  readonly command: string;
  readonly format: VerifierCommand["format"];
  readonly root: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly tail: string;
}

function verdictOf(end: ProgramEnd, run: Run): VerifierResult {
  const { command, timeoutMs, tail } = run;
  if (end.kind === "timed-out") return { kind: "timed-out", timeoutMs, tail };
  if (end.kind === "not-started") {
    const folder = join(run.root, run.folder);
    const why = existsSync(folder) ? end.message : `there is no folder ${folder}`;
    return { kind: "failed", reason: "not-started", message: `\`${command}\` could not be started: ${why}.`, tail };
  }
  const failure = tryFailure(end, run);
  if (failure !== undefined) return failure;
  const exitCode = end.kind === "exited" ? end.exitCode : 1;
  return readVerdict(end, exitCode, run);
}

/** Why the command could not run or was killed, by its end; `undefined` when it ran. */
function tryFailure(end: ProgramEnd, { command, tail }: Run): VerifierResult | undefined {
  const failed = (reason: "not-found" | "not-executable" | "killed", message: string): VerifierResult => {
    return { kind: "failed", reason, message, tail };
  };
  // A shell reports the signal that killed its command as exit code 128 + signal.
  const byShell = end.kind === "exited" && end.exitCode > 128 && end.exitCode <= 128 + 31;
  if (end.kind === "killed" || byShell) {
    const by = end.kind === "killed" ? end.by : `signal ${end.kind === "exited" ? end.exitCode - 128 : 0}`;
    return failed("killed", `\`${command}\` was killed by ${by}. If memory is short, let it check less at a time.`);
  }
  if (end.kind !== "exited") return undefined;
  const missing = /^.*(?:not found|No such file or directory|is not recognized as an internal).*$/im
    .exec(tail)?.[0]
    .trim();
  const isMissing = end.exitCode === 127 || end.exitCode === 9009;
  if (isMissing || (process.platform === "win32" && end.exitCode === 1 && /is not recognized as an/.test(tail))) {
    const what = missing === undefined ? "" : ` (${missing})`;
    return failed(
      "not-found",
      `\`${command}\` names a program that was not found${what}. Install it or name another one.`,
    );
  }
  if (end.exitCode === 126) {
    return failed("not-executable", `\`${command}\` names a file that is not executable. Make it executable.`);
  }
  return undefined;
}

/** The last lines of an output with text, on one line. */
function lastLines(tail: string): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  return lines
    .slice(-3)
    .map((line) => line.trim().slice(0, 200))
    .join(" ⏎ ")
    .replace(/[^.!?]$/, "$&.");
}

function readVerdict(end: ProgramEnd, exitCode: number, run: Run): VerifierResult {
  const { command, tail } = run;
  // The end may contain a summary that the beginning does not.
  const parts = end.isCut ? [end.output, end.complaints, tail] : [end.output, end.complaints];
  const output = parts.filter((part) => part !== "").join("\n");
  const format = run.format === undefined ? detectVerifierFormat(command, output) : verifierFormat(run.format);
  const { findings: found, unread, isCut } = read(output, exitCode, format);
  const isBad = exitCode !== 0;
  if (isBad && found.length === 0 && format.isOfTool) {
    const printed = lastLines(tail);
    const message =
      `\`${command}\` ended with exit code ${exitCode} and printed nothing that can be read as a finding` +
      `${printed === "" ? "." : `: ${printed}`} ` +
      `Run it by hand to see why. If only its exit code should count, write exit:${command}`;
    return { kind: "failed", reason: "unreadable", message, tail };
  }
  const hasError = found.some(({ severity }) => severity === "error");
  const all = isBad && !hasError ? [...found, exitFinding(exitCode, tail)] : found;
  const findings = all.length > mostFindings ? errorsFirst(all).slice(0, mostFindings) : all;
  const isUncertain = isCut || end.isCut;
  if (findings.length === 0 && !(isUncertain && isBad)) return { kind: "no-findings" };
  const roots = rootsOf(run.root);
  const isFile = (path: string) => existsSync(join(run.root, path));
  return {
    kind: "findings",
    findings: locateFindings(findings, { roots, folder: toPortablePath(run.folder), isFile }),
    leftOut: all.length - findings.length,
    unread: { count: unread.length, lines: unread.slice(0, mostUnread) },
    isCut: isUncertain,
    tail,
  };
}

function read(output: string, exitCode: number, format: VerifierFormat): ReturnType<VerifierFormat["read"]> {
  // When a command succeeds, a line that looks like a diagnostic is none.
  if (exitCode === 0 && !format.isTrusted) return { findings: [], unread: [], isCut: false };
  const reading = format.read(output);
  if (reading.findings.length > 0 || exitCode === 0 || !format.isOfTool) return reading;
  // A program that runs before the tool may fail: its launcher, or a plug-in of another tool.
  return verifierFormat("mixed").read(output);
}

/** The finding for a command that failed without a diagnostic of severity `error`. */
function exitFinding(exitCode: number, tail: string): Finding {
  const lastLines = tail.split("\n").slice(-20).join("\n").trim();
  const message = lastLines === "" ? `It ended with exit code ${exitCode} and said nothing.` : lastLines;
  return finding({ code: `exit ${exitCode}`, severity: "error", message, source: "exit" });
}

function errorsFirst(findings: readonly Finding[]): readonly Finding[] {
  const isError = ({ severity }: Finding) => severity === "error";
  return [...findings.filter(isError), ...findings.filter((found) => !isError(found))];
}

/** The root's path as passed, and with links resolved, as some programs print it. */
function rootsOf(root: string): readonly string[] {
  const named = toPortablePath(root).replace(/(?<=.)\/$/, "");
  try {
    return [...new Set([named, toPortablePath(realpathSync(root))])];
  } catch {
    return [named];
  }
}

/**
 * Keeps the end of a program's output: at most `most` UTF-16 units, beginning with a whole line
 * where possible.
 */
class OutputTail {
  readonly #most: number;
  #text = "";

  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    this.#text += text;
    // The text is cut occasionally, not at each addition.
    if (this.#text.length > 4 * this.#most) this.#text = this.#text.slice(-this.#most);
  }

  get text(): string {
    if (this.#text.length <= this.#most) return this.#text;
    const tail = this.#text.slice(-this.#most);
    const start = tail.indexOf("\n") + 1;
    return start < tail.length / 2 ? tail.slice(start) : tail;
  }
}
