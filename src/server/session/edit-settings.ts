import type { Config } from "../../config/index.ts";
import { parseModelName, shownModelName } from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
import {
  editModelNamesOf,
  loadConfigAt,
  modelSettingsOf,
  type OpenedModel,
  openModels,
  type SettingsPlace,
  type SettingsSource,
} from "./session-settings.ts";

/** The settings of edits by instruction. */
export interface EditSettings extends Pick<Config["edit"], "format" | "maxRetries" | "formatter"> {
  /** The verification command, if there is one. */
  readonly verify: string | undefined;
  /** Whether code of the workspace may run. */
  readonly isTrusted: boolean;
  /** The names of the models to request, in order of preference. */
  readonly modelNames: readonly string[];
  /** The problems of the configuration, one line each. */
  readonly issues: readonly string[];
  /** All settings; those of the models are taken from here. */
  readonly config: Config;
}

/**
 * Loads the settings for edits in a workspace. Opens no model. Rejects as {@link loadConfigAt}
 * does; invalid settings are among the issues.
 */
export async function loadEditSettings(
  source: Omit<SettingsSource, "openModel">,
  place: SettingsPlace,
): Promise<EditSettings> {
  const { config, issues, isTrusted } = await loadConfigAt(source, place);
  const { format, maxRetries, formatter, verify } = config.edit;
  return {
    ...{ format, maxRetries, formatter, isTrusted, config },
    verify: verify.trim() === "" ? undefined : verify,
    modelNames: editModelNamesOf(config),
    issues: issues.map(({ message }) => message),
  };
}

/** The opened models that can take instructions, and why the others cannot. */
export interface ChatModels extends Disposable {
  /** In order of preference. */
  readonly models: readonly OpenedModel[];
  /** One line for each of the others. */
  readonly issues: readonly string[];
}

/**
 * Opens those models of the settings that can chat; the caller disposes of them. Rejects only for
 * errors other than `EmendError`: a model that cannot be opened becomes one of the issues.
 */
export async function openChatModels(
  { modelNames, config }: Pick<EditSettings, "modelNames" | "config">,
  openModel: SettingsSource["openModel"],
): Promise<ChatModels> {
  const cannotChat = (message: string) => new EmendError("model-cannot-chat", message);
  const { models, issues } = await openModels(modelNames, async (name) => {
    if (parseModelName(name).name?.provider === "builtin")
      throw cannotChat("`builtin` completes code and cannot chat, so it takes no instructions.");
    const model = await openModel(name, modelSettingsOf(config, name, "edit"));
    if (model.chat !== undefined) return model;
    model[Symbol.dispose]?.();
    throw cannotChat(`\`${nameOf(name)}\` cannot chat, so it takes no instructions.`);
  });
  return {
    models,
    issues,
    [Symbol.dispose]() {
      for (const model of models) model[Symbol.dispose]?.();
    },
  };
}

function nameOf(text: string): string {
  const { name } = parseModelName(text);
  return shownModelName(name ?? text);
}
