import { type FileSystem, joinPath } from "../codebase/index.ts";
import type { ConfigIssue } from "./config-issue.ts";
import { defaultConfig } from "./default-config.ts";
import type { Entry } from "./entries.ts";
import { type Environment, settingVariablesOf } from "./environment.ts";
import { type FolderConfig, findConfig } from "./find-config.ts";
import type { FlagSetting } from "./flag-setting.ts";
import { holdsKey } from "./holds-key.ts";
import { loadCode } from "./load-code.ts";
import { type Origin, printKey, printOrigin } from "./origin.ts";
import type { CheckedSettings } from "./schema/check-settings.ts";
import type { Config } from "./schema/settings.ts";
import { isTrustedFolder, trustedByVariable, tryNeedOfTrust } from "./trust.ts";

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
   * Whether the host, such as an editor that asked the user, trusts the workspace. Unless told, `EMEND_TRUST` and the
   * user's own `trust` decide.
   */
  readonly isTrusted?: boolean | undefined;
  /** Runs a file with code, and answers what it exports as default; by `jiti` unless told. */
  readonly loadCode?: (path: string, source: string) => Promise<unknown>;
}

/** The configuration, where it came from, and what is wrong with it. */
export interface LoadedConfig {
  /** Complete, whatever the issues. */
  readonly config: Config;
  /** Who had the last word on each key that somebody set, by the key as written, such as `complete.maxLines`. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly issues: readonly ConfigIssue[];
  /** The absolute paths of the files that were used, to be watched. */
  readonly files: readonly string[];
  readonly isTrusted: boolean;
}

/**
 * Reads, merges and checks the configuration: the workspace's file, over it the user's own, the environment, and flags.
 *
 * A workspace's file that runs code is run only when the workspace is trusted; without trust its JSON chooses no server
 * and sends no headers. Never rejects for what is written, only when the disk fails in ways of its own.
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

  const issues: ConfigIssue[] = [...workspace.issues, ...user.issues];
  const keep = (entries: readonly Entry[], complaint: (entry: Entry) => ConfigIssue | undefined): readonly Entry[] =>
    entries.filter((entry) => {
      const issue = complaint(entry);
      if (issue !== undefined) issues.push(issue);
      return issue === undefined;
    });
  const entries = [
    ...keep(workspace.entries, (entry) => refuseKey(entry, root) ?? refuseWorkspace(entry, options, isTrusted)),
    ...keep(user.entries, (entry) => refuseKey(entry, root)),
  ];
  const checked = await checkTold(entries, options);
  return {
    config: checked.config,
    origins: new Map(checked.kept.map(({ path, origin }) => [printKey(path), origin])),
    issues: [...issues, ...checked.issues],
    files: [workspace.path, user.path].filter((path) => path !== undefined),
    isTrusted,
  };
}

/** The schema takes longer to load than most commands to run, and mostly there is nothing to hold against it. */
async function checkTold(entries: readonly Entry[], options: LoadConfigOptions): Promise<CheckedSettings> {
  const { root, environment, flags = [] } = options;
  const isTold = entries.length > 0 || flags.length > 0 || settingVariablesOf(environment).length > 0;
  if (!isTold) return { config: defaultConfig, kept: [], issues: [] };
  const { toldSettings } = await import("./schema/told-settings.ts");
  return toldSettings(entries, { root, environment, flags });
}

function trustedBy({ entries }: FolderConfig): readonly string[] {
  const value = entries.findLast(({ path }) => path.length === 1 && path[0] === "trust")?.value;
  return Array.isArray(value) ? value.filter((folder) => typeof folder === "string") : [];
}

function refuseKey(entry: Entry, root: string): ConfigIssue | undefined {
  if (!holdsKey(entry)) return undefined;
  const key = printKey(entry.path);
  const message = `\`${key}\` (${printOrigin(entry.origin, root)}) holds what looks like a key; keys come from the environment only. Take it out of the file, and set the variable that the model's server wants, or write \${NAME} in a header.`;
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
  const need = isTrusted ? undefined : tryNeedOfTrust(entry);
  if (need === undefined) return undefined;
  const message = `${place} is put aside: it ${need}, and this workspace is not trusted. ${howToTrust(options)}`;
  return { code: "not-trusted", severity: "warning", key, origin, message };
}

function refuseCode(path: string, options: LoadConfigOptions): string {
  const file = printOrigin({ kind: "file", path }, options.root);
  return `${file} is not run, since this workspace is not trusted. ${howToTrust(options)} Or write emend.config.json, which runs nothing.`;
}

function howToTrust({ root, userFolder }: LoadConfigOptions): string {
  const file = joinPath(userFolder, "emend.config.json");
  return `If you trust it, use --trust, set EMEND_TRUST=${root}, or add ${JSON.stringify(root)} to \`trust\` in ${file}.`;
}
