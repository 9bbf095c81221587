import type { Config } from "../config/index.ts";
import { ModelError, type ModelProblem, type ModelReport, parseModelName, probeModel } from "../model/index.ts";
import { webHost } from "../model/node/index.ts";
import { modelSettingsOf } from "../server/session/index.ts";
import { NamedModels } from "./named-models.ts";

/** What a model is tried with. */
export interface CheckModelOptions {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What the model is tried for; `fill` by default. */
  readonly capability?: "fill" | "chat";
}

/**
 * Tries a model by its name: the built-in model always works, a file is opened, a server is
 * requested. Problems are in the report. Rejects only with the signal's own reason.
 */
export async function checkModel(
  name: string,
  { config, environment, signal, capability = "fill" }: CheckModelOptions,
): Promise<ModelReport> {
  const settings = modelSettingsOf(config, name);
  const provider = parseModelName(name).name?.provider;
  if (provider === "builtin") {
    return { name: "builtin", isReachable: true, can: { fill: true, chat: false, next: true }, problems: [] };
  }
  if (provider !== "gguf") return probeModel(name, webHost({ environment, settings }), { signal, face: capability });
  const models = new NamedModels({ environment });
  try {
    const model = await models.open(name, settings);
    const can = { fill: model.fill !== undefined, chat: model.chat !== undefined, next: model.next !== undefined };
    const { contextTokens } = model;
    const report = { name, isReachable: true, server: "llama.cpp, in this process", can, problems: [] };
    return { ...report, ...(contextTokens !== undefined && { contextTokens }) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const problem: ModelProblem = { code: error.code, message: error.message };
    return { name, isReachable: false, can: { fill: false, chat: false, next: false }, problems: [problem] };
  } finally {
    await models[Symbol.asyncDispose]();
  }
}
