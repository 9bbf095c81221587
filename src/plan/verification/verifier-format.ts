import { EmendError } from "../../text/index.ts";
import { tryJsonInOutput } from "./json-in-output.ts";
import { readCargo } from "./read-cargo.ts";
import { readDotnet } from "./read-dotnet.ts";
import { isEslintReport, readEslint } from "./read-eslint.ts";
import { readGo } from "./read-go.ts";
import { isJestReport, readJest } from "./read-jest.ts";
import { readJunit } from "./read-junit.ts";
import { readMypy } from "./read-mypy.ts";
import { readPlaces } from "./read-places.ts";
import { isPyrightReport, readPyright } from "./read-pyright.ts";
import { readPytest } from "./read-pytest.ts";
import { isSarif, readSarif } from "./read-sarif.ts";
import { readTsc } from "./read-tsc.ts";
import { outputLines, Reading, type ReadVerifier, type VerifierReading } from "./verifier-reading.ts";

/**
 * The names of the output formats that Emend can read. One may precede a command, as in
 * `tsc:npm run types`.
 */
export const verifierFormatNames = [
  "tsc",
  "eslint",
  "vitest",
  "jest",
  "pyright",
  "mypy",
  "pytest",
  "junit",
  "go",
  "cargo",
  "dotnet",
  "sarif",
  "text",
  "mixed",
  "exit",
] as const;

export type VerifierFormatName = (typeof verifierFormatNames)[number];

/** How the output of a verification command is read. */
export interface VerifierFormat {
  readonly name: VerifierFormatName;
  readonly read: ReadVerifier;
  /**
   * Whether the format is that of a tool which the command or the user names. When such a tool
   * fails without findings, it could not run; when any other command fails, the failure itself is
   * the finding.
   */
  readonly isOfTool: boolean;
  /**
   * Whether its findings count although the command succeeded; plain lines that contain places do
   * not.
   */
  readonly isTrusted: boolean;
}

const readers: Readonly<Record<VerifierFormatName, ReadVerifier>> = {
  tsc: readTsc,
  eslint: readEslint,
  vitest: (output) => readJest(output, "vitest"),
  jest: (output) => readJest(output, "jest"),
  pyright: readPyright,
  mypy: readMypy,
  pytest: readPytest,
  junit: readJunit,
  go: readGo,
  cargo: readCargo,
  dotnet: readDotnet,
  sarif: readSarif,
  text: readPlaces,
  // The readers that require most of an output come first.
  mixed: readInTurn([
    readSarif,
    (output) => (tryJsonInOutput(output, isEslintReport) ? readEslint(output) : nothing(output)),
    (output) => (tryJsonInOutput(output, isPyrightReport) ? readPyright(output) : nothing(output)),
    readJest,
    readJunit,
    readPytest,
    readTsc,
    readPyright,
    readMypy,
    readDotnet,
    readCargo,
    readGo,
    readEslint,
    readPlaces,
  ]),
  exit: nothing,
};

/** The format with this name. */
export function verifierFormat(name: VerifierFormatName): VerifierFormat {
  const isOfTool = name !== "mixed" && name !== "exit" && name !== "text";
  return { name, read: readers[name], isOfTool, isTrusted: isOfTool };
}

/** A verification command as the user writes it. */
export interface VerifierCommand {
  /** The command line, for the system's shell. */
  readonly command: string;
  /** The format, if the user named one. */
  readonly format?: VerifierFormatName;
}

/**
 * Parses `tsc:npx tsc --noEmit` or `npx tsc --noEmit`. A prefix that names no format belongs to the
 * command. Throws `EmendError` `no-command` when there is no command.
 */
export function parseVerifierCommand(text: string): VerifierCommand {
  const match = /^\s*([a-z]+):(?!\\|\/\/)(.*)$/s.exec(text);
  const format = verifierFormatNames.find((name) => name === match?.[1]);
  const command = (format === undefined ? text : match![2]!).trim();
  if (command === "") {
    throw new EmendError(
      "no-command",
      `There is no command in ${JSON.stringify(text)}: write one such as 'npx tsc --noEmit'`,
    );
  }
  return { command, ...(format !== undefined && { format }) };
}

/** The output format by the name of a program. */
const tools: readonly (readonly [RegExp, VerifierFormatName])[] = [
  [/^(vue-)?tsc$/, "tsc"],
  [/^tsgo$/, "tsc"],
  [/^eslint$/, "eslint"],
  [/^vitest$/, "vitest"],
  [/^jest$/, "jest"],
  [/^(based)?pyright$/, "pyright"],
  [/^d?mypy$/, "mypy"],
  [/^(pytest|py\.test)$/, "pytest"],
  [/^go$/, "go"],
  [/^(cargo|rustc)$/, "cargo"],
  [/^(dotnet|msbuild)$/i, "dotnet"],
];

/** Programs that start another one, and their own words that may come between. */
const launchers =
  /^(npx|pnpx|bunx|pnpm|yarn|npm|bun|uv|uvx|poetry|pipenv|pdm|hatch|rye|time|env|nice|sudo|corepack|exec|run|dlx|tool|node|python[\d.]*|py|-m|-c|--?[\w-]+(=.*)?|\w+=.*)$/;

/**
 * Chooses how an output is read: by the tool that the command runs, or else by the form of the
 * output.
 *
 * A command that runs several tools (`a && b`, a script of a package manager) may print the output
 * of each; it is read by all readers in turn (`mixed`).
 */
export function detectVerifierFormat(command: string, output: string): VerifierFormat {
  // Many tools can write a report in the format of others.
  if (tryJsonInOutput(output, isSarif) !== undefined) return verifierFormat("sarif");
  if (/^\s*(<\?xml[^>]*>\s*)?<testsuites?\b/.test(output)) return verifierFormat("junit");
  const named = tryToolOf(command);
  if (named !== undefined) return verifierFormat(named);
  const report = reports.find(([isIt]) => tryJsonInOutput(output, isIt) !== undefined);
  return verifierFormat(report?.[1] ?? "mixed");
}

const reports: readonly (readonly [(value: unknown) => boolean, VerifierFormatName])[] = [
  [isJestReport, "jest"],
  [isPyrightReport, "pyright"],
  [(value) => isEslintReport(value) && (value as readonly unknown[]).length > 0, "eslint"],
];

function tryToolOf(command: string): VerifierFormatName | undefined {
  // A leading `cd` is ignored; any other operator means several commands.
  const alone = command.replace(/^\s*cd\s+("[^"]*"|'[^']*'|\S+)\s*(&&|;)\s*/, "").replace(/(?<!\s)\s+2>&1\s*$/, "");
  if (/&&|\|\||;|\||\n|&\s*$/.test(alone)) return undefined;
  for (const word of alone.trim().split(/\s+/)) {
    const name = word
      .replace(/^["']|["']$/g, "")
      .replace(/^.*[\\/]/, "")
      .replace(/\.(cmd|exe|js|mjs|ps1)$/i, "");
    const tool = tools.find(([pattern]) => pattern.test(name))?.[1];
    if (tool !== undefined) return tool;
    if (!launchers.test(name)) return undefined;
  }
  return undefined;
}

/** Reads no finding; all lines are unread. */
function nothing(output: string): VerifierReading {
  const reading = new Reading();
  for (const line of outputLines(output)) reading.leave(line);
  return reading.end();
}

/**
 * Combines readers for the output of several tools, such as that of a script which runs a type
 * checker, a linter and tests. Each reader gets the lines that the readers before it left unread; a
 * reader without findings passes on all of them.
 */
function readInTurn(readers: readonly ReadVerifier[]): ReadVerifier {
  return (output) => {
    const reading = new Reading();
    let rest = output;
    for (const read of readers) {
      const part = read(rest);
      if (part.findings.length === 0) continue;
      for (const found of part.findings) reading.add(found);
      reading.isCut ||= part.isCut;
      rest = part.unread.join("\n");
    }
    for (const line of outputLines(rest)) reading.leave(line);
    return reading.end();
  };
}
