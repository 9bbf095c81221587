import { nextEditSettingsOf, secretsOfConfig } from "../../config/index.ts";
import { type Model, maskOf } from "../../model/index.ts";
import type { RequestedModel } from "../../next/index.ts";
import type { NextEditChoice } from "../../next/node/index.ts";
import {
  loadConfigAt,
  modelSettingsOf,
  openModels,
  type SettingsPlace,
  type SettingsSource,
} from "./session-settings.ts";

/**
 * The settings of next edits in a workspace. The caller disposes of them, and thereby of the
 * models.
 */
export interface NextEditSessionSettings extends NextEditChoice, Disposable {
  /**
   * The path of the recording, from the workspace's root; empty where the session is not recorded.
   */
  readonly recordTo: string;
  /** The configured secrets, which are masked in recordings. */
  readonly secrets: readonly string[];
  /** Why models could not be opened, one line each. */
  readonly modelIssues: readonly string[];
  /**
   * Other problems of the configuration, one line each; a session reports them with its settings of
   * ghost text.
   */
  readonly issues: readonly string[];
  /** A text that is equal for equal settings. */
  readonly key: string;
}

/**
 * Loads the settings of next edits in a workspace.
 *
 * A model that cannot be opened is left out, and the reason is one of the `modelIssues`. Rejects as
 * {@link loadConfigAt} does, only when the disk fails in ways of its own.
 */
export async function loadNextEditSettings(
  source: SettingsSource,
  place: SettingsPlace,
): Promise<NextEditSessionSettings> {
  const { config, isTrusted, issues } = await loadConfigAt(source, place);
  const secrets = secretsOfConfig(config, source.environment);
  const mask = maskOf(secrets);
  const settingsOf = (name: string) => modelSettingsOf(config, name, "next");
  const opened = await openModels(config.next.model, (name) => source.openModel(name, settingsOf(name)));
  const [first, ...others] = opened.models.map(toRequestedModel);
  const models = config.next.model.map((name) => [name, settingsOf(name)]);
  return {
    settings: nextEditSettingsOf(config),
    ...(first && { model: { ...first, others } }),
    ...{ isTrusted, recordTo: config.next.recordTo, secrets, modelIssues: opened.issues.map((issue) => mask(issue)) },
    issues: issues.map(({ message }) => message),
    key: JSON.stringify([config.next, config.types, models, isTrusted]),
    [Symbol.dispose]() {
      for (const model of opened.models) model[Symbol.dispose]?.();
    },
  };
}

/** A model with what is known of it without a request. */
function toRequestedModel(model: Model): RequestedModel {
  const { name, fill, chat } = model;
  return { model, known: { name, can: { fill: fill !== undefined, chat: chat !== undefined } } };
}
