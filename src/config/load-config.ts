import { maskOf, maskTexts } from "../model/index.ts";
import { looksSecret } from "../syntax/index.ts";
import { type FileSystem, joinPath } from "../workspace/index.ts";
import { secretsOfConfig } from "./config-secrets.ts";
import { defaultConfig } from "./default-config.ts";
import { type ConfigIssue, type Entry, type Origin, printKey, printOrigin } from "./entries.ts";
import { type Environment, settingVariablesOf } from "./environment.ts";
import { type FolderConfig, findConfig, loadCode } from "./find-config.ts";
import type { CheckedSettings } from "./schema/check-settings.ts";
import type { FlagSetting } from "./schema/merge-settings.ts";
import type { Config } from "./schema/settings.ts";
import { isTrustedFolder, trustedByVariable, tryBuiltinAlone, tryNeedOfTrust } from "./trust.ts";

/** Where configuration is looked for. */
export interface LoadConfigOptions {
  /** The workspace: an absolute folder, with `/` between names. */
  readonly root: string;
  /** The folder of the user's own file, with `/` between names; see `userConfigFolder`. */
  readonly userFolder: string;
  readonly environment: Environment;
  /** What flags set, in the order given; later ones count more. */
  readonly flags?: readonly FlagSetting[];
  readonly fileSystem: FileSystem;
  /**
   * Whether the host, such as an editor with the consent of the user, trusts the workspace. By
   * default `EMEND_TRUST` and the user's own `trust` decide.
   */
  readonly isTrusted?: boolean | undefined;
  /**
   * How a person trusts the workspace at an absolute folder, as a sentence in the issues about
   * settings that need it. By default on the command line.
   */
  readonly trustAdvice?: ((root: string) => string) | undefined;
  /** Runs a configuration file with code and returns its default export. Default: `jiti`. */
  readonly loadCode?: (path: string, source: string) => Promise<unknown>;
}

/** The configuration, where it came from, and what is wrong with it. */
export interface LoadedConfig {
  /** Complete, whatever the issues. */
  readonly config: Config;
  /**
   * Who had the last word on each key that somebody set, by the key as written, such as
   * `complete.maxLines`.
   */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly issues: readonly ConfigIssue[];
  /** The absolute paths of the files that were used, to be watched. */
  readonly files: readonly string[];
  readonly isTrusted: boolean;
}

/**
 * Reads, merges and checks the configuration: the workspace's file, over it the user's own, the
 * environment, and flags. Whatever is wrong with it is an issue, with secrets masked.
 *
 * A workspace's file that runs code is run only when the workspace is trusted; without trust its
 * JSON names no model but `builtin` and sends no headers. Rejects only with an error of the file
 * system that is not a `FileSystemError`.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { root, userFolder, environment, fileSystem, loadCode: run = loadCode } = options;
  const user = await findConfig(userFolder, { fileSystem, loadCode: run, usesPackageFile: false });
  const folders = [...trustedByVariable(environment), ...trustedBy(user)];
  const isTrusted = options.isTrusted ?? (await isTrustedFolder(root, folders, { fileSystem, environment }));
  // A folder of dotfiles that is also opened as a workspace has one configuration, not two.
  const workspace: FolderConfig =
    root === userFolder
      ? { entries: [], issues: [] }
      : await findConfig(root, {
          fileSystem,
          loadCode: run,
          usesPackageFile: true,
          ...(isTrusted ? {} : { refusal: (path) => refuseCode(path, options) }),
        });

  const issues: ConfigIssue[] = [...workspace.issues, ...user.issues, ...(await variableIssues(environment))];
  const keep = (entries: readonly Entry[], complaint: (entry: Entry) => ConfigIssue | undefined): readonly Entry[] =>
    entries.filter((entry) => {
      const issue = complaint(entry);
      if (issue !== undefined) issues.push(issue);
      return issue === undefined;
    });
  const models = isTrusted ? { kept: workspace.entries, ignored: [] } : withBuiltinAlone(workspace.entries);
  const entries = [
    ...keep(models.kept, (entry) => refuseKey(entry, root) ?? refuseWorkspace(entry, options, isTrusted)),
    ...keep(user.entries, (entry) => refuseKey(entry, root)),
  ];
  const flags = options.flags?.filter(({ flag, path, value }) => {
    const issue = refuseKeyCommand({ path, value, origin: { kind: "flag", name: flag } }, options);
    if (issue !== undefined) issues.push(issue);
    return issue === undefined;
  });
  const checked = await checkEntries(entries, { ...options, ...(flags && { flags }) });
  const origins = new Map(checked.kept.map(({ path, origin }) => [printKey(path), origin]));
  // Who names models elsewhere misses nothing.
  const missed = models.ignored.filter(({ path, origin }) => {
    const used = origins.get(printKey(path));
    return used === undefined || (used.kind === "file" && origin.kind === "file" && used.path === origin.path);
  });
  if (missed.length > 0) issues.push(ignoredModels(missed, options, user.path));
  return {
    config: checked.config,
    origins,
    issues: maskTexts([...issues, ...checked.issues], maskOf(secretsOfConfig(checked.config, environment))),
    files: [workspace.path, user.path].filter((path) => path !== undefined),
    isTrusted,
  };
}

/**
 * Whether the workspace is trusted, as {@link loadConfig} decides it. The user's own file is read,
 * and run if it is code; nothing of the workspace is.
 */
export async function isTrustedWorkspace(
  options: Pick<LoadConfigOptions, "root" | "userFolder" | "environment" | "fileSystem" | "isTrusted" | "loadCode">,
): Promise<boolean> {
  const { root, userFolder, environment, fileSystem, isTrusted, loadCode: run = loadCode } = options;
  if (isTrusted !== undefined) return isTrusted;
  const user = await findConfig(userFolder, { fileSystem, loadCode: run, usesPackageFile: false });
  const folders = [...trustedByVariable(environment), ...trustedBy(user)];
  return isTrustedFolder(root, folders, { fileSystem, environment });
}

/** What is wrong with the variables that are no settings: `EMEND_TRUST` and `EMEND_HEADERS`. */
async function variableIssues(environment: Environment): Promise<readonly ConfigIssue[]> {
  const folders = trustedByVariable(environment);
  const headers = (environment["EMEND_HEADERS"] ?? "").split(/\r?\n/);
  if (folders.length === 0 && headers.every((line) => line.trim() === "")) return [];
  const { tryHeaderIssue, tryTrustIssue } = await import("./schema/pattern-issues.ts");
  const issue = (name: string, message: string): ConfigIssue => {
    const origin = { kind: "variable", name } as const;
    return { code: "wrong-value", severity: "error", key: name, origin, message };
  };
  return [
    ...folders.flatMap((folder) => {
      const problem = tryTrustIssue(folder);
      return problem === undefined ? [] : [issue("EMEND_TRUST", `\`${folder}\` in EMEND_TRUST: ${problem}`)];
    }),
    // A header may hold a key, so the message names its line only.
    ...headers.flatMap((line, index) => {
      const [name = "", value] = line.split(/:(.*)/, 2);
      const isBlank = line.trim() === "";
      const form = "A header is written as `Name: value`, each on a line of its own.";
      const problem = isBlank ? undefined : value === undefined ? form : tryHeaderIssue(name.trim(), value.trim());
      return problem === undefined ? [] : [issue("EMEND_HEADERS", `EMEND_HEADERS, line ${index + 1}: ${problem}`)];
    }),
  ];
}

/**
 * The schema takes longer to load than most commands to run, and mostly there is nothing to hold
 * against it.
 */
async function checkEntries(entries: readonly Entry[], options: LoadConfigOptions): Promise<CheckedSettings> {
  const { root, environment, flags = [] } = options;
  const hasSettings = entries.length > 0 || flags.length > 0 || settingVariablesOf(environment).length > 0;
  if (!hasSettings) return { config: defaultConfig, kept: [], issues: [] };
  const { mergeSettings } = await import("./schema/merge-settings.ts");
  return mergeSettings(entries, { root, environment, flags });
}

function trustedBy({ entries }: FolderConfig): readonly string[] {
  const value = entries.findLast(({ path }) => path.length === 1 && path[0] === "trust")?.value;
  return Array.isArray(value) ? value.filter((folder) => typeof folder === "string") : [];
}

function refuseKey(entry: Entry, root: string): ConfigIssue | undefined {
  if (!holdsKey(entry)) return undefined;
  const key = printKey(entry.path);
  const message = `\`${key}\` (${printOrigin(entry.origin, root)}) holds what looks like a key; keys come from the environment only, or from a command in your own file. Take it out of the file, and set the variable that the model's server wants, write \${NAME} in a header, or set \`models["…"].keyCommand\`.`;
  return { code: "key-in-file", severity: "error", key, origin: entry.origin, message };
}

/** What only the user may decide, and only for workspaces that are trusted. */
function refuseWorkspace(entry: Entry, options: LoadConfigOptions, isTrusted: boolean): ConfigIssue | undefined {
  const { root, userFolder } = options;
  const { path, origin } = entry;
  const key = printKey(path);
  const place = `\`${key}\` (${printOrigin(origin, root)})`;
  if (path[0] === "trust") {
    const message = `${place}: a workspace cannot trust itself. Write it into ${joinPath(userFolder, "emend.config.json")}.`;
    return { code: "not-yours", severity: "error", key, origin, message };
  }
  const command = refuseKeyCommand(entry, options);
  if (command !== undefined) return command;
  const need = isTrusted ? undefined : tryNeedOfTrust(entry);
  if (need === undefined) return undefined;
  const message = `${place} is put aside: it ${need}, and this workspace is not trusted. ${howToTrust(options)}`;
  return { code: "not-trusted", severity: "warning", key, origin, message };
}

/** Only the user's own file may choose the program that prints a key. */
function refuseKeyCommand({ path, origin }: Entry, { root, userFolder }: LoadConfigOptions): ConfigIssue | undefined {
  if (path[0] !== "models" || path[2] !== "keyCommand") return undefined;
  const key = printKey(path.slice(0, 3));
  const place = `\`${key}\` (${printOrigin(origin, root)})`;
  const message = `${place} is not run: such a command counts in your own file alone. Write it into ${joinPath(userFolder, "emend.config.json")}.`;
  return { code: "not-yours", severity: "error", key, origin, message };
}

/**
 * The entries of a workspace that is not trusted, in which `builtin` is the only model, and those
 * of which something is ignored for that. What holds a key is left for its own complaint.
 */
function withBuiltinAlone(entries: readonly Entry[]): {
  readonly kept: readonly Entry[];
  readonly ignored: readonly Entry[];
} {
  const ignored: Entry[] = [];
  const kept = entries.flatMap((entry) => {
    const builtin = holdsKey(entry) ? undefined : tryBuiltinAlone(entry);
    if (builtin === undefined) return [entry];
    ignored.push(entry);
    return "value" in builtin ? [{ ...entry, value: builtin.value }] : [];
  });
  return { kept, ignored };
}

/**
 * One issue for all settings that name models of which something is ignored. `userFile` is the
 * user's own file, where there is one.
 */
function ignoredModels(
  ignored: readonly Entry[],
  options: LoadConfigOptions,
  userFile: string | undefined,
): ConfigIssue {
  const { path, origin } = ignored[0]!;
  const places = ignored.map((entry) => `\`${printKey(entry.path)}\` (${printOrigin(entry.origin, options.root)})`);
  const file = userFile ?? joinPath(options.userFolder, "emend.config.json");
  const what = `${places.join(", ")} ${places.length === 1 ? "is" : "are"} put aside`;
  const why = "of the models of a workspace that is not trusted only `builtin` counts.";
  const message = `${what}: ${why} ${howToTrust(options)} Or put the same lines into your own file, ${file}.`;
  return { code: "not-trusted", severity: "warning", key: printKey(path), origin, message };
}

function refuseCode(path: string, options: LoadConfigOptions): string {
  const file = printOrigin({ kind: "file", path }, options.root);
  return `${file} is not run, since this workspace is not trusted. ${howToTrust(options)} Or write emend.config.json, which runs nothing.`;
}

function howToTrust({ root, trustAdvice }: LoadConfigOptions): string {
  return trustAdvice?.(root) ?? `If you trust it, use --trust, or run \`${trustCommand(root)}\`.`;
}

/** The command that trusts the workspace at an absolute folder. */
export function trustCommand(root: string): string {
  return `emend trust ${/[^\w@%+=:,./-]/.test(root) ? JSON.stringify(root) : root}`;
}

/**
 * Whether an entry of a file holds a key or password: by its name, or by what it looks like.
 *
 * A value that only names an environment variable, as in `Bearer ${TEAM_KEY}`, holds none.
 */
function holdsKey({ path, value }: Entry): boolean {
  const name = path.at(-1) ?? "";
  if (typeof value === "string") {
    const written = value.replace(/\$\{\w+\}/g, "").trim();
    if (keyNames.test(name)) return !/^(bearer|basic|token)?$/i.test(written);
    return looksSecret(written);
  }
  return Array.isArray(value) && value.some((item) => typeof item === "string" && looksSecret(item));
}

const keyNames =
  /^((x[-_])?(goog[-_]|auth[-_])?(api|access|auth|secret)?[-_]?(key|token)|(proxy[-_])?authorization|password|secret|cookie)$/i;
