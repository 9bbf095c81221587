import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { toPortablePath } from "../../codebase/node/index.ts";
import { type ProgramEnd, runProgram } from "../../edit/node/index.ts";
import type { Oracle, OracleVerdict } from "../oracle.ts";
import { type Finding, finding } from "../oracles/finding.ts";
import { locateFindings } from "../oracles/locate-findings.ts";
import { detectOracleFormat, type OracleCommand, type OracleFormat, oracleFormat } from "../oracles/oracle-format.ts";
import { withoutControls } from "../oracles/output-lines.ts";
import { OutputTail } from "./output-tail.ts";

/** Where and how a command is run as an oracle. */
export interface CommandOracleOptions {
  /** The absolute path of the workspace that it judges, such as that of a scratch copy. */
  readonly root: string;
  /** The folder that it runs in, from the root; the root itself unless told. */
  readonly folder?: string | undefined;
  /** Ten minutes unless told; 24 days at most. */
  readonly timeoutMs?: number | undefined;
  /** Its whole environment; that of this process unless told. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Hears what it says, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** So much of each of its two outputs is read, from the beginning, and so much from the end where that is too little. */
const maxBytes = 16 * 1024 * 1024;
/** A timer of the system knows no longer time. */
const longestMs = 2 ** 31 - 1;
const tailLength = 64 * 1024;
const mostFindings = 10_000;
const mostUnread = 100;

/**
 * An oracle that runs a command of a person's and reads what it says.
 *
 * The line goes to the shell of the system as it was typed (`/bin/sh` or `cmd.exe`), so all of the shell's signs mean there
 * what they mean in a terminal; nothing of a workspace, no path and no name, is ever put into it. It reads nothing from
 * standard input. It gets a process group of its own, which is asked to end when time is over or the signal aborts, and is
 * killed two seconds later; what it leaves running in that group when it ends is killed too.
 *
 * It judges the whole workspace each time; `changedPaths` makes no difference.
 */
export function commandOracle({ command, format }: OracleCommand, options: CommandOracleOptions): Oracle {
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
      return judge(end, { command, format, root, folder, timeoutMs, tail: withoutControls(tail.text).trimEnd() });
    },
  };
}

interface Run {
  readonly command: string;
  readonly format: OracleCommand["format"];
  readonly root: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly tail: string;
}

function judge(end: ProgramEnd, run: Run): OracleVerdict {
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

/** Why the command was not the judge that it was meant to be, by how it ended. */
function tryFailure(end: ProgramEnd, { command, tail }: Run): OracleVerdict | undefined {
  const failed = (reason: "not-found" | "not-executable" | "killed", message: string): OracleVerdict => {
    return { kind: "failed", reason, message, tail };
  };
  // A shell tells by the exit code which signal has killed what it ran.
  const byShell = end.kind === "exited" && end.exitCode > 128 && end.exitCode <= 128 + 31;
  if (end.kind === "killed" || byShell) {
    const by = end.kind === "killed" ? end.by : `signal ${end.kind === "exited" ? end.exitCode - 128 : 0}`;
    return failed(
      "killed",
      `\`${command}\` was killed by ${by}. Where memory is short, let it look at less at a time.`,
    );
  }
  if (end.kind !== "exited") return undefined;
  const missing = /^.*(?:not found|No such file or directory|is not recognized as an internal).*$/im
    .exec(tail)?.[0]
    .trim();
  const isMissing = end.exitCode === 127 || end.exitCode === 9009;
  if (isMissing || (process.platform === "win32" && end.exitCode === 1 && /is not recognized as an/.test(tail))) {
    const what = missing === undefined ? "" : ` (${missing})`;
    return failed("not-found", `\`${command}\` names a program that is not there${what}. Install it, or name another.`);
  }
  if (end.exitCode === 126) {
    return failed("not-executable", `\`${command}\` names a file that may not be run. Give it the permission to run.`);
  }
  return undefined;
}

function readVerdict(end: ProgramEnd, exitCode: number, run: Run): OracleVerdict {
  const { command, tail } = run;
  // The end may hold a summary that the beginning lacks.
  const parts = end.isCut ? [end.output, end.complaints, tail] : [end.output, end.complaints];
  const output = parts.filter((part) => part !== "").join("\n");
  const format = run.format === undefined ? detectOracleFormat(command, output) : oracleFormat(run.format);
  const { findings: found, unread, isCut } = read(output, exitCode, format);
  const isBad = exitCode !== 0;
  if (isBad && found.length === 0 && format.isOfTool) {
    const message =
      `\`${command}\` ended with exit code ${exitCode} and said nothing that can be read as a finding. ` +
      `Run it by hand to see why. If its exit code alone is to count, write exit:${command}`;
    return { kind: "failed", reason: "unreadable", message, tail };
  }
  const hasError = found.some(({ severity }) => severity === "error");
  const all = isBad && !hasError ? [...found, exitFinding(exitCode, tail)] : found;
  const findings = all.length > mostFindings ? errorsFirst(all).slice(0, mostFindings) : all;
  const isUncertain = isCut || end.isCut;
  if (findings.length === 0 && !(isUncertain && isBad)) return { kind: "silent" };
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

function read(output: string, exitCode: number, format: OracleFormat): ReturnType<OracleFormat["read"]> {
  // Of a command that is content, a line that looks like a complaint is none.
  if (exitCode === 0 && !format.isTrusted) return { findings: [], unread: [], isCut: false };
  const reading = format.read(output);
  if (reading.findings.length > 0 || exitCode === 0 || !format.isOfTool) return reading;
  // Before a tool comes to its work, others may fail: its launcher, or a plug-in of another tool.
  return oracleFormat("mixed").read(output);
}

/** That a command failed, where nothing that it said tells of an error. */
function exitFinding(exitCode: number, tail: string): Finding {
  const said = tail.split("\n").slice(-20).join("\n").trim();
  const message = said === "" ? `It ended with exit code ${exitCode} and said nothing.` : said;
  return finding({ code: `exit ${exitCode}`, severity: "error", message, source: "exit" });
}

function errorsFirst(findings: readonly Finding[]): readonly Finding[] {
  const isError = ({ severity }: Finding) => severity === "error";
  return [...findings.filter(isError), ...findings.filter((found) => !isError(found))];
}

/** The root by its own name, and by the one that programs find when they resolve links. */
function rootsOf(root: string): readonly string[] {
  const named = toPortablePath(root).replace(/(?<=.)\/$/, "");
  try {
    return [...new Set([named, toPortablePath(realpathSync(root))])];
  } catch {
    return [named];
  }
}
