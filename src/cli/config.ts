import {
  type Config,
  type ConfigIssue,
  loadConfig,
  type Origin,
  printKey,
  printOrigin,
  secretsOfConfig,
  userConfigFolder,
} from "../config/index.ts";
import { configJsonSchema } from "../config/schema/index.ts";
import { maskOf, maskTexts } from "../model/index.ts";
import { disk } from "../workspace/node/index.ts";
import { openRoot } from "./open-file.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";
import { printable, styled, type Terminal } from "./terminal/terminal.ts";

/** The options of `emend config`. */
export interface ConfigOptions {
  readonly json: boolean;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface ConfigReport {
  readonly root: string;
  readonly isTrusted: boolean;
  /** All settings, complete. */
  readonly config: Config;
  /** The origin of each key that is set, by the key as written. */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly issues: readonly ConfigIssue[];
  /** The absolute paths of the files that were read. */
  readonly files: readonly string[];
}

/**
 * Runs `emend config [FOLDER]`: prints the settings of a workspace, and the origin of each. Without
 * `folder`, the workspace is that of the working folder.
 *
 * The exit code is `failed` where the configuration has errors, which are printed with the settings
 * that count without them; warnings leave it `done`. Throws a `CommandFailure` where there is no
 * such folder, and rejects with a `FileSystemError` where it may not be read.
 */
export async function config(
  folder: string | undefined,
  options: ConfigOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workingFolder, environment, colour } = terminal;
  const root = await openRoot({ workspace: folder, workingFolder, fileSystem: disk }).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || folder === undefined || /[./\\]/.test(folder)) throw error;
    const message = `${error.message} The only subcommand is \`emend config schema\`.`;
    throw new CommandFailure(error.code, message, { exitCode: error.exitCode });
  });
  const loaded = await loadConfig({
    ...{ root, userFolder: userConfigFolder(), environment, fileSystem: disk },
    ...(options.trust && { isTrusted: true }),
  });
  const { config, issues, files, isTrusted } = loaded;
  const mask = maskOf(secretsOfConfig(loaded.config, environment));
  const report: ConfigReport = maskTexts(
    {
      ...{ root, isTrusted, config: withoutHeaderValues(config), issues, files },
      origins: Object.fromEntries(loaded.origins),
    },
    mask,
  );
  if (options.json) terminal.out(`${JSON.stringify(report)}\n`);
  else {
    for (const { message } of issues) terminal.err(`${printable(message)}\n`);
    terminal.out(`${print(report, colour)}\n`);
  }
  return hasErrors(issues) ? exitCodes.failed : exitCodes.done;
}

/** Whether any problem of a configuration is an error: a setting that does not count as written. */
export function hasErrors(issues: readonly ConfigIssue[]): boolean {
  return issues.some(({ severity }) => severity === "error");
}

/**
 * The settings without the values of headers, which are secrets; names of environment variables
 * stay.
 */
function withoutHeaderValues(config: Config): Config {
  const models = Object.entries(config.models).map(([name, { headers, ...settings }]) => {
    const shown = Object.entries(headers ?? {}).map(([header, value]) => [
      header,
      value.replace(/(\$\{\w+\})|[^$]+|\$/g, (_, variable: string | undefined) => variable ?? "…"),
    ]);
    return [name, { ...settings, ...(headers === undefined ? {} : { headers: Object.fromEntries(shown) }) }];
  });
  return { ...config, models: Object.fromEntries(models) };
}

/** Runs `emend config schema`: prints the JSON schema of a configuration file. */
export function configSchema(terminal: Terminal): ExitCode {
  terminal.out(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
  return exitCodes.done;
}

/** A line for each setting: first those that are set, then the defaults, which are dim. */
function print({ config, origins, root }: ConfigReport, colour: boolean): string {
  const rows = leavesOf(config).map(({ path, value }) => ({
    key: printKey(path),
    value: JSON.stringify(value),
    origin: originOf(path, origins),
  }));
  const widthOf = (field: "key" | "value") => Math.min(50, Math.max(...rows.map((row) => row[field].length)));
  const widths = { key: widthOf("key"), value: widthOf("value") };
  const print = ({ key, value, origin }: (typeof rows)[number]) =>
    printable(`${key.padEnd(widths.key)}  ${value.padEnd(widths.value)}  ${printOrigin(origin, root)}`);
  const isDefault = ({ origin }: (typeof rows)[number]) => origin.kind === "default";
  const set = rows.filter((row) => !isDefault(row)).map(print);
  const defaults = rows.filter(isDefault).map((row) => styled(print(row), "dim", colour));
  return [...(set.length === 0 ? ["Nothing is set."] : set), "", "Defaults:", ...defaults].join("\n");
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The settings without keys of their own: texts, numbers, lists, and empty sections. */
function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, value }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ path, value }];
  return entries.flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** The origin of a key: its own, or that of a section it is in. */
function originOf(path: readonly string[], origins: ConfigReport["origins"]): Origin {
  for (let length = path.length; length > 0; length--) {
    const key = printKey(path.slice(0, length));
    if (Object.hasOwn(origins, key)) return origins[key]!;
  }
  return { kind: "default" };
}
