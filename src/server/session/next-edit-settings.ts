import { loadConfig, nextEditSettingsOf, secretsOfConfig } from "../../config/index.ts";
import { type Model, maskOf } from "../../model/index.ts";
import type { RequestedModel } from "../../next/index.ts";
import type { NextEditChoice } from "../../next/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { flagsOfEditor, modelSettingsOf, type OpenedModel, type SettingsSource } from "./session-settings.ts";

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
 * Loads the settings of next edits in a workspace. `root` is the workspace's folder, or `undefined`
 * for files outside of all workspaces; `editor` are the editor's own settings.
 *
 * A model that cannot be opened is left out, and the reason is one of the `modelIssues`. Rejects as
 * {@link loadConfig} does, only when the disk fails in ways of its own.
 */
export async function loadNextEditSettings(
  { fileSystem, userFolder, environment, flags, isTrusted: isDeclaredTrusted, openModel }: SettingsSource,
  { root, editor }: { readonly root: string | undefined; readonly editor: unknown },
): Promise<NextEditSessionSettings> {
  const { config, isTrusted, issues } = await loadConfig({
    ...{ root: root ?? userFolder, userFolder, environment, fileSystem, isTrusted: isDeclaredTrusted },
    flags: [...flagsOfEditor(editor), ...flags],
  });
  const secrets = secretsOfConfig(config, environment);
  const mask = maskOf(secrets);
  const modelIssues: string[] = [];
  const opened: OpenedModel[] = [];
  for (const name of config.next.model) {
    try {
      opened.push(await openModel(name, modelSettingsOf(config, name, "next")));
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      modelIssues.push(mask(error.message));
    }
  }
  const [first, ...others] = opened.map(toRequestedModel);
  const models = config.next.model.map((name) => [name, modelSettingsOf(config, name, "next")]);
  return {
    settings: nextEditSettingsOf(config),
    ...(first && { model: { ...first, others } }),
    ...{ isTrusted, recordTo: config.next.recordTo, secrets, modelIssues },
    issues: issues.map(({ message }) => message),
    key: JSON.stringify([config.next, config.types, models, isTrusted]),
    [Symbol.dispose]() {
      for (const model of opened) model[Symbol.dispose]?.();
    },
  };
}

/** A model with what is known of it without a request. */
function toRequestedModel(model: Model): RequestedModel {
  const { name, fill, chat } = model;
  return { model, known: { name, can: { fill: fill !== undefined, chat: chat !== undefined } } };
}
