import { type Model, type ModelSettings, openModel, parseModelName } from "../model/index.ts";
import { KeyCommands, type LocalModelOptions, openLocalModel, webHost } from "../model/node/index.ts";
import { SharedModel, type SharedModelLease } from "../server/session/index.ts";

/** What models are opened with. */
export interface NamedModelsOptions {
  /** Keys and proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens a model file; `openLocalModel` by default. */
  readonly openLocal?: (path: string, options: LocalModelOptions) => Promise<Model & AsyncDisposable>;
}

/**
 * Opens models by name, and closes those that run in this process.
 *
 * A model file takes much memory, so it is opened only once for the same settings, and closed when
 * all holders have disposed of it.
 */
export class NamedModels implements AsyncDisposable {
  readonly #options: NamedModelsOptions;
  readonly #keyCommands: KeyCommands;
  readonly #local = new Map<string, Promise<SharedModel>>();

  constructor(options: NamedModelsOptions) {
    this.#options = options;
    this.#keyCommands = new KeyCommands(options);
  }

  /**
   * Opens the model with this name. `builtin` is not allowed, since that one belongs to a
   * workspace. The caller disposes of a model file. Throws or rejects with a `ModelError` whose
   * message contains what to do.
   */
  open(name: string, settings: ModelSettings): Model | Promise<SharedModelLease> {
    const read = parseModelName(name).name;
    return read?.provider === "gguf"
      ? this.#openLocal(read.path, settings)
      : openModel(name, webHost({ environment: this.#options.environment, settings, keyCommands: this.#keyCommands }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#local.values());
    this.#local.clear();
    for (const one of opened) if (one.status === "fulfilled") await one.value.free();
  }

  async #openLocal(path: string, { template, contextTokens }: ModelSettings): Promise<SharedModelLease> {
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
    // The next attempt opens the file again.
    opening.catch(forget);
    return opening;
  }
}
