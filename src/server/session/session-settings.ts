import type { FileSystem } from "../../codebase/index.ts";
import type { GhostTextSettings } from "../../complete/index.ts";
import {
  type Config,
  type Environment,
  type FlagSetting,
  ghostTextSettingsOf,
  type LoadedConfig,
  loadConfig,
  promptBudgetOf,
  promptSettingsOf,
  tryModelSettings,
} from "../../config/index.ts";
import type { PromptBudget, PromptSettings } from "../../context/index.ts";
import type { Model, ModelSettings } from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
import { flagsOfEditor } from "./editor-settings.ts";

/** A model, and the way to let go of it where there is anything to let go of. */
export type OpenedModel = Model & Partial<Disposable>;

/** What holds in a workspace: the engine's settings, and who completes. */
export interface SessionSettings {
  readonly ghostText: GhostTextSettings;
  /** Whether next edits that only add behind the cursor come as ghost text. */
  readonly nextEditsAsGhostText: boolean;
  readonly prompt: PromptSettings;
  /** Whether models are told of the latest edits. */
  readonly recentEdits: boolean;
  /** Whether models are told what is not committed yet. */
  readonly gitDiff: boolean;
  /** The budget of a prompt for this model. */
  budgetOf(model: Model): PromptBudget;
  /** In order of preference; `builtin` stands for the workspace's own. */
  readonly models: readonly (OpenedModel | "builtin")[];
  /** Whether somebody named them, or they are those that are set unless told. */
  readonly areModelsNamed: boolean;
  /** What is wrong with the configuration, one line each. */
  readonly issues: readonly string[];
  /** Those of them that say why a model could not be opened, and what to do. */
  readonly modelIssues: readonly string[];
}

/** Where configuration comes from, and who opens models. */
export interface SettingsSource {
  readonly fileSystem: FileSystem;
  /** The folder of the user's own configuration, with `/` between names. */
  readonly userFolder: string;
  readonly environment: Environment;
  /** What the command line says; it counts more than all else. */
  readonly flags: readonly FlagSetting[];
  /** Whether the person said that workspaces are trusted; unless told the environment and the user's file decide. */
  readonly isTrusted?: boolean;
  /**
   * Opens the model with this name, not `builtin`. Throws or rejects with an `EmendError` that says what to do. One that
   * can be disposed of is, when a session has no more use for it.
   */
  openModel(name: string, settings: ModelSettings): OpenedModel | Promise<OpenedModel>;
}

/**
 * The settings of the workspace at `root`, `undefined` for files that lie in none. `editor` is what the editor's own
 * settings say.
 *
 * A model that cannot be opened is left out, and why is one of the issues.
 */
export async function loadSessionSettings(
  { fileSystem, userFolder, environment, flags, isTrusted, openModel }: SettingsSource,
  { root, editor }: { readonly root: string | undefined; readonly editor: unknown },
): Promise<SessionSettings> {
  const loaded = await loadConfig({
    ...{ root: root ?? userFolder, userFolder, environment, fileSystem, isTrusted },
    flags: [...flagsOfEditor(editor), ...flags],
  });
  const { config } = loaded;
  const modelIssues: string[] = [];
  const models: (OpenedModel | "builtin")[] = [];
  for (const name of config.model) {
    try {
      models.push(name === "builtin" ? name : await openModel(name, modelSettingsOf(config, name)));
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      modelIssues.push(error.message);
    }
  }
  return settingsOf(loaded, models, modelIssues);
}

/** What the configuration says of a model; nothing where it says nothing. */
export function modelSettingsOf(config: Config, name: string): ModelSettings {
  const said = Object.entries(tryModelSettings(config, name) ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as ModelSettings;
}

function settingsOf(
  { config, origins, issues }: LoadedConfig,
  models: readonly (OpenedModel | "builtin")[],
  modelIssues: readonly string[],
): SessionSettings {
  const ghostText = ghostTextSettingsOf(config);
  const answerTokens = ghostText.tokensPerLine * ghostText.maxBlockLines;
  return {
    ...{ ghostText, models, modelIssues },
    issues: [...issues.map(({ message }) => message), ...modelIssues],
    areModelsNamed: origins.has("model"),
    nextEditsAsGhostText: config.complete.nextEdits && config.next.enabled,
    prompt: promptSettingsOf(config),
    recentEdits: config.context.recentEdits,
    gitDiff: config.context.gitDiff,
    budgetOf: ({ contextTokens }) => promptBudgetOf(config, { contextTokens, answerTokens }),
  };
}
