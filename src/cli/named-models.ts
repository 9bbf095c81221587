import type { FlagSetting } from "../config/index.ts";
import { type Model, type ModelSettings, parseModelName } from "../model/index.ts";
import { KeyCommands, type LocalModelOptions } from "../model/node/index.ts";
import { SharedModel, type SharedModelLease } from "../server/session/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";

/**
 * The models of `--model` in order of preference: the option may be repeated, and separates names
 * by commas, like `EMEND_MODEL`. A comma within the path of a model's file belongs to the path.
 */
export function modelNames(values: readonly string[]): readonly string[] {
  return values.flatMap((text) => {
    const names: string[] = [];
    for (const part of text.split(",")) {
      const before = names.at(-1);
      if (before === undefined || !isInPath(before, part)) names.push(part);
      else names[names.length - 1] = `${before},${part}`;
    }
    const trimmed = names.map((name) => name.trim()).filter((name) => name !== "");
    return trimmed.length === 0 ? [text] : trimmed;
  });
}

/**
 * The values of `--model` as one setting at `path`, in order of preference; see {@link modelNames}.
 * Empty where the option is not given.
 */
export function modelFlags(
  values: readonly string[] | undefined,
  path: readonly string[] = ["model"],
): readonly FlagSetting[] {
  return values === undefined ? [] : [{ flag: "--model", path, value: modelNames(values) }];
}

/**
 * Throws a {@link CommandFailure} for the first malformed name, with what to write instead, since a
 * model named for one command must not be replaced by another. A server, in contrast, continues
 * with the models that it has.
 */
export function checkModelNames(values: readonly string[] = []): void {
  for (const name of modelNames(values)) {
    const [issue] = parseModelName(name).issues;
    if (issue !== undefined) throw new CommandFailure("usage", issue.message, { exitCode: exitCodes.usage });
  }
}

/**
 * Whether the comma before `part` belongs to the path of the model file `before`: no model's name
 * follows it.
 */
function isInPath(before: string, part: string): boolean {
  return /^\s*gguf:/i.test(before) && part.trim() !== "" && parseModelName(part).name === undefined;
}

/** What models are opened with. */
export interface NamedModelsOptions {
  /** Keys and proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens a model file; `openLocalModel` by default. */
  readonly openLocal?: (path: string, options: LocalModelOptions) => Promise<Model & AsyncDisposable>;
}

/**
 * Opens models by name, once for the same settings, and closes those that run in this process.
 *
 * A model file takes much memory, and what was learnt of a server is worth keeping: how quick it
 * is, how long its tokens are, and what it has evaluated. A model is closed when all holders have
 * disposed of it; when settings are read again, the new holder comes before the old one goes.
 */
export class NamedModels implements AsyncDisposable {
  readonly #options: NamedModelsOptions;
  readonly #keyCommands: KeyCommands;
  readonly #opened = new Map<string, Promise<SharedModel>>();

  constructor(options: NamedModelsOptions) {
    this.#options = options;
    this.#keyCommands = new KeyCommands(options);
  }

  /**
   * Opens the model with this name. `builtin` is not allowed, since that one belongs to a
   * workspace. The caller disposes of it. Rejects with a `ModelError` whose message contains what
   * to do.
   */
  async open(name: string, settings: ModelSettings): Promise<SharedModelLease> {
    const read = parseModelName(name).name;
    if (read?.provider !== "gguf") {
      return await this.#hold(JSON.stringify([name, settings]), () => this.#openServed(name, settings));
    }
    const openLocal = this.#options.openLocal ?? (await import("../model/node/index.ts")).openLocalModel;
    const { template, contextTokens } = settings;
    const key = JSON.stringify([read.path, template, contextTokens]);
    return await this.#hold(key, () => openLocal(read.path, { template, contextTokens }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    this.#opened.clear();
    for (const one of opened) if (one.status === "fulfilled") await one.value.free();
  }

  /** The clients of servers are loaded where a model is named. */
  async #openServed(name: string, settings: ModelSettings): Promise<Model> {
    const [{ openModel }, { webHost }] = await Promise.all([
      import("../model/index.ts"),
      import("../model/node/index.ts"),
    ]);
    return openModel(
      name,
      webHost({ environment: this.#options.environment, settings, keyCommands: this.#keyCommands }),
    );
  }

  async #hold(key: string, open: () => Promise<OpenedModel>): Promise<SharedModelLease> {
    for (;;) {
      const opening = this.#opened.get(key) ?? this.#startOpening(key, open);
      const held = (await opening).tryHold();
      if (held !== undefined) return held;
    }
  }

  #startOpening(key: string, open: () => Promise<OpenedModel>): Promise<SharedModel> {
    const forget = () => this.#opened.delete(key);
    const opening = open().then((model) => new SharedModel(model, forget));
    this.#opened.set(key, opening);
    // The next attempt opens the model again.
    opening.catch(forget);
    return opening;
  }
}

/** A model, which is closed where it takes memory of this process. */
type OpenedModel = Model & Partial<AsyncDisposable>;
