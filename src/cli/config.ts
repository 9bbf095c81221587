import { disk } from "../codebase/node/index.ts";
import {
  type Config,
  type ConfigIssue,
  loadConfig,
  type Origin,
  printKey,
  printOrigin,
  userConfigFolder,
} from "../config/index.ts";
import { configJsonSchema } from "../config/schema/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { openFolder } from "./open-file.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend config`. */
export interface ConfigOptions {
  readonly json: boolean;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** What `--json` prints. Fields may be added; none changes its meaning. */
export interface ConfigReport {
  readonly root: string;
  readonly isTrusted: boolean;
  /** All settings, complete. */
  readonly config: Config;
  /** Who had the last word, by the key as written, of each key that somebody set. */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly issues: readonly ConfigIssue[];
  /** The absolute paths of the files that were used. */
  readonly files: readonly string[];
}

/** Runs `emend config [FOLDER]`: prints the settings that hold there, and where each came from. */
export async function config(
  folder: string | undefined,
  options: ConfigOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workingFolder, environment, colour } = terminal;
  const root = await openFolder(folder ?? ".", { workingFolder, fileSystem: disk });
  const loaded = await loadConfig({
    ...{ root, userFolder: userConfigFolder(), environment, fileSystem: disk },
    ...(options.trust && { isTrusted: true }),
  });
  const { config, issues, files, isTrusted } = loaded;
  const report: ConfigReport = {
    ...{ root, isTrusted, config, issues, files },
    origins: Object.fromEntries(loaded.origins),
  };
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else {
    for (const { message } of issues) terminal.err(`${printable(message)}\n`);
    terminal.out(`${print(report, colour)}\n`);
  }
  return exitCodes.done;
}

/** Runs `emend config schema`: prints the JSON schema of a configuration file. */
export function configSchema(terminal: Terminal): ExitCode {
  terminal.out(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
  return exitCodes.done;
}

/** A line for each setting; what nobody set is dim. */
function print({ config, origins, root }: ConfigReport, colour: boolean): string {
  const rows = leavesOf(config).map(({ path, value }) => ({
    key: printKey(path),
    value: JSON.stringify(value),
    origin: originOf(path, origins),
  }));
  const widthOf = (field: "key" | "value") => Math.min(50, Math.max(...rows.map((row) => row[field].length)));
  const widths = { key: widthOf("key"), value: widthOf("value") };
  return rows
    .map(({ key, value, origin }) => {
      const line = `${key.padEnd(widths.key)}  ${value.padEnd(widths.value)}  ${printOrigin(origin, root)}`;
      return origin.kind === "default" ? styled(printable(line), "dim", colour) : printable(line);
    })
    .join("\n");
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** What has no keys of its own: texts, numbers, lists, and sections that are empty. */
function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, value }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ path, value }];
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** Who set a key: itself, or all of a section that it is in. */
function originOf(path: readonly string[], origins: ConfigReport["origins"]): Origin {
  for (let length = path.length; length > 0; length--) {
    const key = printKey(path.slice(0, length));
    if (Object.hasOwn(origins, key)) return origins[key]!;
  }
  return { kind: "default" };
}
