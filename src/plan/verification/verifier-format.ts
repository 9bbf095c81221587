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

/** An output format: all that a new one needs. */
interface FormatRow {
  readonly name: string;
  readonly read: ReadVerifier;
  /** Matches the names of the programs that write the format. */
  readonly programs?: RegExp;
  /** How an output is recognized as one of this format, whatever program the command names. */
  readonly report?: ReportForm;
  /** The readers of the format in `mixed`; the order is that of all of them. */
  readonly mixed?: readonly { readonly order: number; readonly read: ReadVerifier }[];
}

interface ReportForm {
  /** Forms with a lower number are tried first. */
  readonly order: number;
  readonly isIn: (output: string) => boolean;
  /** Whether many tools can write it, so that it counts more than the program of the command. */
  readonly isOfAnyTool?: boolean;
}

/** The output formats. In `mixed`, the readers that require most of an output come first. */
const rows = [
  { name: "tsc", read: readTsc, programs: /^((vue-)?tsc|tsgo)$/, mixed: [{ order: 7, read: readTsc }] },
  {
    name: "eslint",
    read: readEslint,
    programs: /^eslint$/,
    report: {
      order: 5,
      isIn: (output) => hasJson(output, (value) => isEslintReport(value) && (value as readonly unknown[]).length > 0),
    },
    mixed: [
      { order: 2, read: (output) => (hasJson(output, isEslintReport) ? readEslint(output) : nothing(output)) },
      { order: 13, read: readEslint },
    ],
  },
  { name: "vitest", read: (output) => readJest(output, "vitest"), programs: /^vitest$/ },
  {
    name: "jest",
    read: (output) => readJest(output, "jest"),
    programs: /^jest$/,
    report: { order: 3, isIn: (output) => hasJson(output, isJestReport) },
    mixed: [{ order: 4, read: (output) => readJest(output) }],
  },
  {
    name: "pyright",
    read: readPyright,
    programs: /^(based)?pyright$/,
    report: { order: 4, isIn: (output) => hasJson(output, isPyrightReport) },
    mixed: [
      { order: 3, read: (output) => (hasJson(output, isPyrightReport) ? readPyright(output) : nothing(output)) },
      { order: 8, read: readPyright },
    ],
  },
  { name: "mypy", read: readMypy, programs: /^d?mypy$/, mixed: [{ order: 9, read: readMypy }] },
  { name: "pytest", read: readPytest, programs: /^(pytest|py\.test)$/, mixed: [{ order: 6, read: readPytest }] },
  {
    name: "junit",
    read: readJunit,
    report: {
      order: 2,
      isIn: (output) => /^\s*(<\?xml[^>]*>\s*)?<testsuites?\b/.test(output),
      isOfAnyTool: true,
    },
    mixed: [{ order: 5, read: readJunit }],
  },
  { name: "go", read: readGo, programs: /^go$/, mixed: [{ order: 12, read: readGo }] },
  { name: "cargo", read: readCargo, programs: /^(cargo|rustc)$/, mixed: [{ order: 11, read: readCargo }] },
  { name: "dotnet", read: readDotnet, programs: /^(dotnet|msbuild)$/i, mixed: [{ order: 10, read: readDotnet }] },
  {
    name: "sarif",
    read: readSarif,
    report: { order: 1, isIn: (output) => hasJson(output, isSarif), isOfAnyTool: true },
    mixed: [{ order: 1, read: readSarif }],
  },
  { name: "text", read: readPlaces, mixed: [{ order: 14, read: readPlaces }] },
  { name: "mixed", read: (output) => readInTurn(output) },
  { name: "exit", read: nothing },
] as const satisfies readonly FormatRow[];

/** The name of an output format. */
export type VerifierFormatName = (typeof rows)[number]["name"];

const formats: readonly (FormatRow & { readonly name: VerifierFormatName })[] = rows;

/**
 * The names of the output formats that Emend can read. One may precede a command, as in
 * `tsc:npm run types`.
 */
export const verifierFormatNames: readonly VerifierFormatName[] = formats.map(({ name }) => name);

const reports = formats
  .flatMap(({ name, report }) => (report === undefined ? [] : [{ name, ...report }]))
  .sort((a, b) => a.order - b.order);

const mixedReaders = formats.flatMap(({ mixed = [] }) => mixed).sort((a, b) => a.order - b.order);

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

/** The format with this name. */
export function verifierFormat(name: VerifierFormatName): VerifierFormat {
  const isOfTool = name !== "mixed" && name !== "exit" && name !== "text";
  const { read } = formats.find((format) => format.name === name)!;
  return { name, read, isOfTool, isTrusted: isOfTool };
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

/** Programs that start another one, and their own words that may come between. */
const launchers =
  /^(npx|pnpx|bunx|pnpm|yarn|npm|bun|uv|uvx|poetry|pipenv|pdm|hatch|rye|time|env|nice|sudo|corepack|exec|run|dlx|tool|node|python[\d.]*|py|-m|-c|--?[\w-]+(=.*)?|\w+=.*)$/;

/**
 * Chooses how an output is read: by its form where many tools can write it (SARIF, JUnit), or else
 * by the tool that the command runs, or else by another form.
 *
 * An output with reports of several forms and any other, such as of a command that runs several
 * tools (`a && b`, a script of a package manager), is read by all readers in turn (`mixed`).
 */
export function detectVerifierFormat(command: string, output: string): VerifierFormat {
  const [report, ...others] = reports.filter(({ isIn }) => isIn(output));
  if (others.length > 0) return verifierFormat("mixed");
  // Many tools can write a report in the format of others.
  if (report?.isOfAnyTool) return verifierFormat(report.name);
  return verifierFormat(tryToolOf(command) ?? report?.name ?? "mixed");
}

function tryToolOf(command: string): VerifierFormatName | undefined {
  // A leading `cd` is ignored; any other operator means several commands.
  const alone = command.replace(/^\s*cd\s+("[^"]*"|'[^']*'|\S+)\s*(&&|;)\s*/, "").replace(/(?<!\s)\s+2>&1\s*$/, "");
  if (/&&|\|\||;|\||\n|&\s*$/.test(alone)) return undefined;
  for (const word of alone.trim().split(/\s+/)) {
    const name = word
      .replace(/^["']|["']$/g, "")
      .replace(/^.*[\\/]/, "")
      .replace(/\.(cmd|exe|js|mjs|ps1)$/i, "");
    const tool = formats.find(({ programs }) => programs?.test(name));
    if (tool !== undefined) return tool.name;
    if (!launchers.test(name)) return undefined;
  }
  return undefined;
}

function hasJson(output: string, isIt: (value: unknown) => boolean): boolean {
  return tryJsonInOutput(output, isIt) !== undefined;
}

/** Reads no finding; all lines are unread. */
function nothing(output: string): VerifierReading {
  const reading = new Reading();
  for (const line of outputLines(output)) reading.leave(line);
  return reading.end();
}

/**
 * Reads the output of several tools, such as that of a script which runs a type checker, a linter
 * and tests. Each reader gets the lines that the readers before it left unread; a reader without
 * findings passes on all of them.
 */
function readInTurn(output: string): VerifierReading {
  const reading = new Reading();
  let rest = output;
  for (const { read } of mixedReaders) {
    const part = read(rest);
    if (part.findings.length === 0) continue;
    for (const found of part.findings) reading.add(found);
    reading.isCut ||= part.isCut;
    rest = part.unread.join("\n");
  }
  for (const line of outputLines(rest)) reading.leave(line);
  return reading.end();
}
