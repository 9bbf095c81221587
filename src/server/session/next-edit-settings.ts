import { loadConfig, nextEditSettingsOf } from "../../config/index.ts";
import type { Model } from "../../model/index.ts";
import type { AskedModel } from "../../next/index.ts";
import type { NextEditChoice } from "../../next/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { flagsOfEditor } from "./editor-settings.ts";
import { modelSettingsOf, type OpenedModel, type SettingsSource } from "./session-settings.ts";

/** What holds for next edits in a workspace. Whoever loads it disposes it, and its models with it. */
export interface NextEditSessionSettings extends NextEditChoice, Disposable {
  /** The file, from the workspace's root, to which the session is recorded; empty where it is not. */
  readonly recordTo: string;
  /** What is wrong with the models, one line each. What is wrong with the rest of the configuration is told elsewhere. */
  readonly modelIssues: readonly string[];
  /** The same text for the same settings. */
  readonly key: string;
}

/** The settings of next edits in the workspace at `root`, `undefined` for files that lie in none. A model that cannot be opened is left out, and why is one of the issues. */
export async function loadNextEditSettings(
  { fileSystem, userFolder, environment, flags, isTrusted, openModel }: SettingsSource,
  { root, editor }: { readonly root: string | undefined; readonly editor: unknown },
): Promise<NextEditSessionSettings> {
  const { config } = await loadConfig({
    ...{ root: root ?? userFolder, userFolder, environment, fileSystem, isTrusted },
    flags: [...flagsOfEditor(editor), ...flags],
  });
  const modelIssues: string[] = [];
  const opened: OpenedModel[] = [];
  for (const name of config.next.model) {
    try {
      opened.push(await openModel(name, modelSettingsOf(config, name)));
    } catch (error) {
      if (!(error instanceof EmendError)) throw error;
      modelIssues.push(error.message);
    }
  }
  const [first, ...others] = opened.map(toAsked);
  const models = config.next.model.map((name) => [name, modelSettingsOf(config, name)]);
  return {
    settings: nextEditSettingsOf(config),
    ...(first && { model: { ...first, others } }),
    ...{ recordTo: config.next.recordTo, modelIssues },
    key: JSON.stringify([config.next, models]),
    [Symbol.dispose]() {
      for (const model of opened) model[Symbol.dispose]?.();
    },
  };
}

/** A model with what it says of itself without being asked anything. */
function toAsked(model: Model): AskedModel {
  const { name, fill, chat } = model;
  return { model, known: { name, can: { fill: fill !== undefined, chat: chat !== undefined } } };
}
