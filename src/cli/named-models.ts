import { type Model, type ModelSettings, openModel, parseModelName } from "../model/index.ts";
import { type LocalModelOptions, openLocalModel, webHost } from "../model/node/index.ts";
import { type HeldModel, SharedModel } from "../server/session/index.ts";

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
 * A model file is opened once however often it is asked for with the same settings, since it takes much memory, and
 * closed when all who asked have disposed of it.
 */
export class NamedModels implements AsyncDisposable {
  readonly #options: NamedModelsOptions;
  readonly #local = new Map<string, Promise<SharedModel>>();

  constructor(options: NamedModelsOptions) {
    this.#options = options;
  }

  /**
   * The model with this name, which is not `builtin`: that one belongs to a workspace. A model file may be disposed of.
   * Throws or rejects with a `ModelError` that says what to do.
   */
  open(name: string, settings: ModelSettings): Model | Promise<HeldModel> {
    const read = parseModelName(name).name;
    return read?.provider === "gguf"
      ? this.#openLocal(read.path, settings)
      : openModel(name, webHost({ environment: this.#options.environment, settings }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#local.values());
    this.#local.clear();
    for (const one of opened) if (one.status === "fulfilled") await one.value.free();
  }

  async #openLocal(path: string, { template, contextTokens }: ModelSettings): Promise<HeldModel> {
    const key = JSON.stringify([path, template, contextTokens]);
    for (;;) {
      const opening = this.#local.get(key) ?? this.#startOpening(key, path, { template, contextTokens });
      const held = (await opening).tryHold();
      if (held !== undefined) return held;
    }
  }

  #startOpening(key: string, path: string, options: LocalModelOptions): Promise<SharedModel> {
    const { openLocal = openLocalModel } = this.#options;
    const forget = () => this.#local.delete(key);
    const opening = openLocal(path, options).then((model) => new SharedModel(model, forget));
    this.#local.set(key, opening);
    // The file may be there the next time.
    opening.catch(forget);
    return opening;
  }
}
