import { Parser, Language as WasmGrammar } from "web-tree-sitter";
import { SerialQueue } from "../async/index.ts";
import type { GrammarName } from "../languages/index.ts";
import { EmendError, errorMessage, getOrInsert } from "../text/index.ts";

/**
 * Loads grammars: from the disk in `emend/syntax/node`, from the network in a page, from a map in a
 * test.
 */
export interface GrammarSource {
  /** Reads the wasm file of a grammar; called once for each grammar. */
  readGrammar(name: GrammarName): Promise<Uint8Array>;
  /**
   * The bytes of `web-tree-sitter.wasm`, for bundles where that package cannot locate its own file.
   */
  readRuntime?(): Promise<Uint8Array>;
}

/** Parsers by grammar, each loaded at its first use and cached. The owner disposes them. */
export class Grammars implements Disposable {
  readonly #source: GrammarSource;
  readonly #loading = new Map<GrammarName, Promise<Parser>>();
  readonly #parsers = new Map<GrammarName, Parser>();
  #disposed = false;

  constructor(source: GrammarSource) {
    this.#source = source;
  }

  /**
   * The parser of this grammar if it has been loaded, else `undefined`. Its owner is this object.
   */
  get(name: GrammarName): Parser | undefined {
    return this.#parsers.get(name);
  }

  /**
   * Loads a grammar once and returns its parser.
   *
   * Rejects with {@link EmendError} `grammar-unreadable` when its file cannot be read or is no
   * grammar, and `disposed` when this object was disposed meanwhile; a later call tries again.
   */
  load(name: GrammarName): Promise<Parser> {
    return getOrInsert(this.#loading, name, () =>
      this.#load(name).catch((cause: unknown) => {
        this.#loading.delete(name);
        if (cause instanceof EmendError) throw cause;
        const reason = errorMessage(cause);
        throw new EmendError("grammar-unreadable", `The grammar ${name} could not be loaded: ${reason}`, { cause });
      }),
    );
  }

  async #load(name: GrammarName): Promise<Parser> {
    await startRuntime(this.#source);
    const grammar = await inTurn(await this.#source.readGrammar(name));
    if (this.#disposed)
      throw new EmendError("disposed", `The grammar ${name} was asked for after its owner was closed.`);
    const parser = new Parser();
    parser.setLanguage(grammar);
    this.#parsers.set(name, parser);
    return parser;
  }

  /**
   * Deletes the loaded parsers. A load that is under way, or that follows, rejects with `disposed`.
   */
  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const parser of this.#parsers.values()) parser.delete();
    this.#parsers.clear();
    this.#loading.clear();
  }
}

// Concurrent loads mix up the symbols of their modules ("bad export type for
// `tree_sitter_tsx_external_scanner_create`", tree-sitter/tree-sitter#2338). All grammars of the
// process share the runtime, so loads are serialized.
const loads = new SerialQueue();

function inTurn(bytes: Uint8Array): Promise<WasmGrammar> {
  return loads.run(() => WasmGrammar.load(bytes));
}

// The runtime is one module for the whole process: a second initialization would invalidate all
// loaded grammars.
let runtime: Promise<void> | undefined;

function startRuntime(source: GrammarSource): Promise<void> {
  const start = async () => {
    const wasmBinary = await source.readRuntime?.();
    await Parser.init(wasmBinary === undefined ? undefined : { wasmBinary });
  };
  runtime ??= start().catch((cause: unknown) => {
    runtime = undefined;
    throw cause;
  });
  return runtime;
}
