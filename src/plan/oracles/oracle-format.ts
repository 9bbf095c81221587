import { EmendError } from "../../text/index.ts";
import { tryJsonInOutput } from "./json-in-output.ts";
import { type OracleReading, Reading, type ReadOracle } from "./oracle-reading.ts";
import { outputLines } from "./output-lines.ts";
import { readCargo } from "./read-cargo.ts";
import { readDotnet } from "./read-dotnet.ts";
import { isEslintReport, readEslint } from "./read-eslint.ts";
import { readGo } from "./read-go.ts";
import { readInTurn } from "./read-in-turn.ts";
import { isJestReport, readJest } from "./read-jest.ts";
import { readJunit } from "./read-junit.ts";
import { readMypy } from "./read-mypy.ts";
import { readPlaces } from "./read-places.ts";
import { isPyrightReport, readPyright } from "./read-pyright.ts";
import { readPytest } from "./read-pytest.ts";
import { isSarif, readSarif } from "./read-sarif.ts";
import { readTsc } from "./read-tsc.ts";

/** The names of what Emend can read; a person may put one before a command, as in `tsc:npm run types`. */
export const oracleFormatNames = [
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

export type OracleFormatName = (typeof oracleFormatNames)[number];

/** How the output of an oracle is read. */
export interface OracleFormat {
  readonly name: OracleFormatName;
  readonly read: ReadOracle;
  /**
   * Whether it was chosen for the tool that a command names or a person named. Such a tool that fails and has no findings
   * could not do its work; of any other command, to fail is itself the finding.
   */
  readonly isOfTool: boolean;
  /** Whether its findings count also when the command ended well; mere lines with places in them do not. */
  readonly isTrusted: boolean;
}

const readers: Readonly<Record<OracleFormatName, ReadOracle>> = {
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
  // Those that ask most of an output come first.
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

/** The format of this name. */
export function oracleFormat(name: OracleFormatName): OracleFormat {
  const isOfTool = name !== "mixed" && name !== "exit" && name !== "text";
  return { name, read: readers[name], isOfTool, isTrusted: isOfTool };
}

/** A command of an oracle as a person writes it. */
export interface OracleCommand {
  /** For the shell of the person's system. */
  readonly command: string;
  /** Where the person named it. */
  readonly format?: OracleFormatName;
}

/**
 * Reads `tsc:npx tsc --noEmit` or `npx tsc --noEmit`. Throws `EmendError` `no-command` where no command is in it. What stands
 * before a colon and is no name of a format belongs to the command.
 */
export function parseOracleCommand(text: string): OracleCommand {
  const match = /^\s*([a-z]+):(?!\\|\/\/)\s*(.*)$/s.exec(text);
  const format = oracleFormatNames.find((name) => name === match?.[1]);
  const command = (format === undefined ? text : match![2]!).trim();
  if (command === "") {
    throw new EmendError(
      "no-command",
      `There is no command in ${JSON.stringify(text)}: write one such as 'npx tsc --noEmit'`,
    );
  }
  return { command, ...(format !== undefined && { format }) };
}

/** What the words of a command say about its output. */
const tools: readonly (readonly [RegExp, OracleFormatName])[] = [
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

/** Programs that only start another, and their own words that may stand between. */
const launchers =
  /^(npx|pnpx|bunx|pnpm|yarn|npm|bun|uv|uvx|poetry|pipenv|pdm|hatch|rye|time|env|nice|sudo|corepack|exec|run|dlx|tool|node|python[\d.]*|py|-m|-c|--?[\w-]+(=.*)?|\w+=.*)$/;

/**
 * Chooses how to read an output: by the one tool that the command runs, else by what the output looks like.
 *
 * A command that runs several things (`a && b`, a script of a package manager) may print the output of several tools; that is
 * read by all readers in turn (`mixed`).
 */
export function detectOracleFormat(command: string, output: string): OracleFormat {
  // Many tools can write a report that others invented.
  if (tryJsonInOutput(output, isSarif) !== undefined) return oracleFormat("sarif");
  if (/^\s*(<\?xml[^>]*>\s*)?<testsuites?\b/.test(output)) return oracleFormat("junit");
  const named = tryToolOf(command);
  if (named !== undefined) return oracleFormat(named);
  const report = reports.find(([isIt]) => tryJsonInOutput(output, isIt) !== undefined);
  return oracleFormat(report?.[1] ?? "mixed");
}

const reports: readonly (readonly [(value: unknown) => boolean, OracleFormatName])[] = [
  [isJestReport, "jest"],
  [isPyrightReport, "pyright"],
  [(value) => isEslintReport(value) && (value as readonly unknown[]).length > 0, "eslint"],
];

function tryToolOf(command: string): OracleFormatName | undefined {
  // What is behind a cd is the command; any other joint makes it several.
  const alone = command.replace(/^\s*cd\s+("[^"]*"|'[^']*'|\S+)\s*(&&|;)\s*/, "").replace(/\s+2>&1\s*$/, "");
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

/** Reads nothing: all is left unread. */
function nothing(output: string): OracleReading {
  const reading = new Reading();
  for (const line of outputLines(output)) reading.leave(line);
  return reading.end();
}
