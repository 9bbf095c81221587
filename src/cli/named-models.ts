import { type Model, type ModelSettings, openModel, parseModelName } from "../model/index.ts";
import { type LocalModelOptions, openLocalModel, webHost } from "../model/node/index.ts";

/** What models are opened with. */
export interface NamedModelsOptions {
  /** Keys and proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens a model file; by `openLocalModel` unless told. */
  readonly openLocal?: (path: string, options: LocalModelOptions) => Promise<Model & AsyncDisposable>;
}

/**
 * Opens models by the names that people write, and closes those that run in this process.
 *
 * A model file is opened once however often it is asked for with the same settings, since it takes much memory.
 */
export class NamedModels implements AsyncDisposable {
  readonly #options: NamedModelsOptions;
  readonly #local = new Map<string, Promise<Model & AsyncDisposable>>();

  constructor(options: NamedModelsOptions) {
    this.#options = options;
  }

  /**
   * The model with this name, which is not `builtin`: that one belongs to a workspace. Throws or rejects with a
   * `ModelError` that says what to do.
   */
  open(name: string, settings: ModelSettings): Model | Promise<Model> {
    const read = parseModelName(name).name;
    return read?.provider === "gguf"
      ? this.#openLocal(read.path, settings)
      : openModel(name, webHost({ environment: this.#options.environment, settings }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#local.values());
    this.#local.clear();
    for (const one of opened) if (one.status === "fulfilled") await one.value[Symbol.asyncDispose]();
  }

  #openLocal(path: string, { template, contextTokens }: ModelSettings): Promise<Model & AsyncDisposable> {
    const { openLocal = openLocalModel } = this.#options;
    const key = JSON.stringify([path, template, contextTokens]);
    const known = this.#local.get(key);
    if (known !== undefined) return known;
    const opening = openLocal(path, { template, contextTokens });
    this.#local.set(key, opening);
    // The file may be there the next time.
    opening.catch(() => this.#local.delete(key));
    return opening;
  }
}
