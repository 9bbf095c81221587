/** A setting of git for one call. */
export interface GitSetting {
  readonly key: string;
  readonly value: string;
}

/** The options of {@link gitCommand}. */
export interface GitCommandOptions {
  /** The environment variables of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Settings that override every configuration, such as those of {@link settingsAgainstPrograms}.
   */
  readonly settings: readonly GitSetting[];
  /** Whether git may access other repositories, as `clone` does; default: `false`. */
  readonly mayFetch?: boolean;
  /** The absolute path of a file that replaces the index. */
  readonly indexFile?: string | undefined;
}

/** A call of git: its arguments and its complete environment. */
export interface GitCommand {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The safe form of a git call with `args`: no program runs that a repository names, git does not
 * prompt and takes no optional lock, and its output is plain English. Every call of git in this
 * project uses it.
 *
 * Programs that the configuration names under a key of their own, such as filters, need
 * {@link settingsAgainstPrograms} in addition.
 */
export function gitCommand(args: readonly string[], options: GitCommandOptions): GitCommand {
  const { environment, settings, mayFetch = false, indexFile } = options;
  return {
    args: [...fixedArguments, ...args],
    environment: {
      ...withSettings(cleanEnvironment(environment), settings),
      ...{ GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", LANGUAGE: "C" },
      // A partial clone fetches a missing object through the programs that its remote names. Git
      // before 2.44 ignores the first of these variables; the second allows only a protocol that
      // does not exist.
      GIT_NO_LAZY_FETCH: "1",
      ...(!mayFetch && { GIT_ALLOW_PROTOCOL: "none" }),
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    },
  };
}

/**
 * The settings that disable programs which a configuration names under keys of their own: filter
 * drivers, unless `runsFilters`, and hooks (git 2.54). `keys` are the configuration's keys, as
 * `git config --list --name-only -z` prints them.
 *
 * To git an empty command is no command, and `required` has to be off for it to continue without
 * one. Source: gitattributes(5), "filter"; git-hook(1).
 */
export function settingsAgainstPrograms(
  keys: readonly string[],
  { runsFilters }: { readonly runsFilters: boolean },
): readonly GitSetting[] {
  const settings = new Map<string, GitSetting>();
  for (const key of keys) {
    // The name of a driver may contain dots and any character but a line break.
    const [, section, name] = /^([^.]*)\.(.*)\.[^.]*$/s.exec(key) ?? [];
    const off = section === "filter" && !runsFilters ? filterOff : section === "hook" ? hookOff : [];
    for (const [variable, value] of off) {
      const setting = { key: `${section}.${name}.${variable}`, value };
      settings.set(setting.key, setting);
    }
  }
  return [...settings.values()];
}

const filterOff = [
  ["clean", ""],
  ["smudge", ""],
  ["process", ""],
  ["required", "false"],
] as const;
const hookOff = [["enabled", "false"]] as const;

const fixedArguments = [
  "--no-optional-locks",
  "--no-pager",
  ...[
    // Only `.git` makes a folder a repository; a folder of the work tree that looks like a bare one
    // does not.
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=off",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "status.showStash=false",
    "status.relativePaths=false",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
  ].flatMap((setting) => ["-c", setting]),
];

/**
 * The environment without the variables that lead git to another repository or change the meaning
 * of arguments.
 */
function cleanEnvironment(environment: GitCommandOptions["environment"]): GitCommand["environment"] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !misleading.test(name)));
}

/**
 * Includes what `git rev-parse --local-env-vars` prints, except `GIT_CONFIG_COUNT`, which the user
 * may have set.
 */
const misleading = new RegExp(
  `^GIT_(${[
    ...["DIR", "WORK_TREE", "IMPLICIT_WORK_TREE", "COMMON_DIR", "NAMESPACE", "PREFIX", "INTERNAL_SUPER_PREFIX"],
    ...["INDEX_FILE", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "QUARANTINE_PATH"],
    ...["GRAFT_FILE", "SHALLOW_FILE", "REPLACE_REF_BASE", "NO_REPLACE_OBJECTS"],
    // `GIT_CONFIG` makes `git config` read one file only; `GIT_CONFIG_PARAMETERS` overrides
    // `GIT_CONFIG_COUNT`.
    ...["CONFIG", "CONFIG_PARAMETERS", "ATTR_SOURCE"],
    ...["(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS", "DIFF_OPTS", "TRACE.*"],
  ].join("|")})$`,
  "i",
);

/**
 * Adds settings as environment variables. `-c` splits at the first `=` and could not set a driver
 * named `x=y`.
 */
function withSettings(
  environment: GitCommand["environment"],
  settings: readonly GitSetting[],
): GitCommand["environment"] {
  if (settings.length === 0) return environment;
  const given = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  const first = Number.isInteger(given) && given > 0 ? given : 0;
  const added = settings.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(first + settings.length) };
}
