import type { GhostTextSettings } from "../../complete/index.ts";
import {
  type Config,
  type Environment,
  type FlagSetting,
  ghostTextSettingsOf,
  isPlainObject,
  type LoadedConfig,
  loadConfig,
  promptBudgetOf,
  promptSettingsOf,
  secretsOfConfig,
  tryModelSettings,
} from "../../config/index.ts";
import type { PromptBudget, PromptSettings } from "../../context/index.ts";
import {
  type Model,
  type ModelSettings,
  maskOf,
  mergeRequest,
  type PromptLimits,
  parseModelName,
  shownModelName,
} from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
import type { FileSystem } from "../../workspace/index.ts";

/** A model, which can be disposed of if it holds resources. */
export type OpenedModel = Model & Partial<Disposable>;

/** The settings of a workspace: those of the engine, and the models. */
export interface SessionSettings {
  readonly ghostText: GhostTextSettings;
  /** Whether next edits that only insert behind the cursor are shown as ghost text. */
  readonly nextEditsAsGhostText: boolean;
  readonly prompt: PromptSettings;
  /** Whether prompts contain the recent edits. */
  readonly recentEdits: boolean;
  /** Whether prompts contain the uncommitted changes. */
  readonly gitDiff: boolean;
  /** The budget of a prompt for a model with these limits. */
  budgetOf(limits: PromptLimits): PromptBudget;
  /** In order of preference; `builtin` is the workspace's own built-in model. */
  readonly models: readonly (OpenedModel | "builtin")[];
  /**
   * The models for edits by instruction in order of preference, as people are shown them: those of
   * servers, since the built-in model and model files complete code.
   */
  readonly editModels: readonly string[];
  /** The most megabytes of memory of a type checker's process. */
  readonly maxTypesMemoryMb: number;
  /** Whether the models are configured, rather than the defaults. */
  readonly areModelsNamed: boolean;
  /** The problems of the configuration, one line each. */
  readonly issues: readonly string[];
  /** Those issues about settings that are ignored because the workspace is not trusted. */
  readonly untrustedIssues: readonly string[];
  /** Those issues about models that could not be opened, with what to do. */
  readonly modelIssues: readonly string[];
  /** A text that is equal for equal settings. */
  readonly key: string;
}

/** The sources of the configuration, and how models are opened. */
export interface SettingsSource {
  readonly fileSystem: FileSystem;
  /** The folder of the user's own configuration, with `/` between names. */
  readonly userFolder: string;
  readonly environment: Environment;
  /** The settings of the command line; they override all others. */
  readonly flags: readonly FlagSetting[];
  /**
   * Whether the person has declared workspaces as trusted; by default the environment and the
   * user's file decide.
   */
  readonly isTrusted?: boolean;
  /** How a person trusts a workspace with this client; see {@link LoadConfigOptions}. */
  readonly trustAdvice?: (root: string) => string;
  /**
   * Opens the model with this name, not `builtin`. Throws or rejects with an `EmendError` whose
   * message contains what to do. The session disposes of the model.
   */
  openModel(name: string, settings: ModelSettings): OpenedModel | Promise<OpenedModel>;
}

/** Where settings are for, and those of the editor there. */
export interface SettingsPlace {
  /** The folder of the workspace; `undefined` for files outside of all workspaces. */
  readonly root: string | undefined;
  /** The editor's own settings. */
  readonly editor: unknown;
}

/**
 * Loads the settings of a workspace. Rejects as {@link loadConfig} does.
 *
 * A model that cannot be opened is left out, and the reason is one of the issues.
 */
export async function loadSessionSettings(source: SettingsSource, place: SettingsPlace): Promise<SessionSettings> {
  const loaded = await loadConfigAt(source, place);
  const { config } = loaded;
  const { models, issues } = await openModels(config.model, (name) =>
    name === "builtin" ? name : source.openModel(name, modelSettingsOf(config, name, "complete")),
  );
  const mask = maskOf(secretsOfConfig(config, source.environment));
  return settingsOf(
    loaded,
    models,
    issues.map((issue) => mask(issue)),
  );
}

/** Loads the configuration of a place. Rejects as {@link loadConfig} does. */
export function loadConfigAt(
  { fileSystem, userFolder, environment, flags, isTrusted, trustAdvice }: Omit<SettingsSource, "openModel">,
  { root, editor }: SettingsPlace,
): Promise<LoadedConfig> {
  return loadConfig({
    ...{ root: root ?? userFolder, userFolder, environment, fileSystem, isTrusted, trustAdvice },
    flags: [...flagsOfEditor(editor), ...flags],
  });
}

/**
 * Opens models one after the other. Each that cannot be opened is left out; the message of its
 * `EmendError` is one of the issues. Rejects for any other error.
 */
export async function openModels<T>(
  names: readonly string[],
  open: (name: string) => T | Promise<T>,
): Promise<{ readonly models: readonly T[]; readonly issues: readonly string[] }> {
  const models: T[] = [];
  const issues: string[] = [];
  for (const name of names) {
    try {
      models.push(await open(name));
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      issues.push(error.message);
    }
  }
  return { models, issues };
}

/** The names of the models for edits by instruction, in order of preference. */
export function editModelNamesOf({ edit, model }: Config): readonly string[] {
  return edit.model.length > 0 ? edit.model : model;
}

function editModelsOf(config: Config): readonly string[] {
  const names = editModelNamesOf(config).flatMap((text) => parseModelName(text).name ?? []);
  return names.filter(({ provider }) => provider !== "builtin" && provider !== "gguf").map(shownModelName);
}

/**
 * The configured settings of a model for one use, with the request options of that use; empty where
 * there are none.
 */
export function modelSettingsOf(config: Config, name: string, use: "complete" | "next" | "edit"): ModelSettings {
  const { request: own = {}, ...settings } = tryModelSettings(config, name) ?? {};
  const request = mergeRequest(own, use === "complete" ? {} : config[use].request);
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(entries) as ModelSettings), ...(Object.keys(request).length > 0 && { request }) };
}

function settingsOf(
  { config, origins, issues }: LoadedConfig,
  models: readonly (OpenedModel | "builtin")[],
  modelIssues: readonly string[],
): SessionSettings {
  const ghostText = ghostTextSettingsOf(config);
  const answerTokens = ghostText.tokensPerLine * ghostText.maxBlockLines;
  const areModelsNamed = origins.has("model");
  return {
    ...{ ghostText, models, modelIssues, areModelsNamed, maxTypesMemoryMb: config.types.maxMemoryMb },
    issues: [...issues.map(({ message }) => message), ...modelIssues],
    untrustedIssues: issues.flatMap(({ code, message }) => (code === "not-trusted" ? [message] : [])),
    key: JSON.stringify([config, areModelsNamed, issues, modelIssues]),
    editModels: editModelsOf(config),
    nextEditsAsGhostText: config.complete.nextEdits && config.next.enabled,
    prompt: promptSettingsOf(config),
    recentEdits: config.context.recentEdits,
    gitDiff: config.context.gitDiff,
    budgetOf: (limits) => promptBudgetOf(config, { ...limits, answerTokens }),
  };
}

/**
 * Converts the editor's own settings to flags, key by key: `{ complete: { maxLines: 3 } }` sets
 * `complete.maxLines`. Like flags, they override all files. Anything that is not an object gives no
 * flags.
 */
export function flagsOfEditor(settings: unknown): readonly FlagSetting[] {
  const flags: FlagSetting[] = [];
  const collect = (value: unknown, path: readonly string[]): void => {
    if (isPlainObject(value)) for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
    // Editors send settings without a value as null.
    else if (path.length > 0 && value != null)
      flags.push({ flag: `emend.${path.join(".")} of the editor`, path, value });
  };
  collect(settings, []);
  return flags;
}
