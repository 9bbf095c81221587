import {
  type FileSystem,
  FileSystemError,
  type HeldWitness,
  isScript,
  joinPath,
  type OverlaidWitness,
  type ReferenceSource,
} from "../../codebase/index.ts";
import {
  filesOfDisk,
  filesWithTexts,
  TypeScriptSource,
  type TypeScriptSourceOptions,
} from "../../codebase/node/index.ts";
import { EmendError } from "../../text/index.ts";
import type { TextIndex } from "../text-index.ts";
import { PastReferences } from "../types/past-references.ts";
import { PresentTypes } from "../types/present-types.ts";

/** How TypeScript is opened in a workspace. */
export interface ScriptTypesOptions {
  /** The absolute folder, links resolved. */
  readonly root: string;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  /** Resolves when the files are read, as far as they can be. */
  readonly whenRead: Promise<void>;
  /** The documents that are open in an editor: their texts may be others than the disk's. */
  openPaths(): Iterable<string>;
  /** TypeScript's service, which ships, unless told. */
  readonly open?: ((options: TypeScriptSourceOptions) => Promise<OpenedWitness>) | undefined;
  onProblem(message: string): void;
}

/** A checker that was opened, and is disposed of by whoever opened it. It may also know what names mean. */
export type OpenedWitness = OverlaidWitness & Partial<Pick<ReferenceSource, "referencesOf">> & AsyncDisposable;

/**
 * What TypeScript says of the scripts of a workspace. It is opened when a script is looked at for the first time, in the background: until it is, nothing is known.
 * Where it ends by itself it is opened again, a few times.
 */
export class ScriptTypes implements AsyncDisposable {
  readonly #options: ScriptTypesOptions;
  readonly #stopping = new AbortController();
  #starts = 0;
  #opening: Promise<void> | undefined;
  #witness: OpenedWitness | undefined;
  #types: PresentTypes | undefined;
  #references: PastReferences | undefined;
  /** What was told while it was being opened. */
  #missed: Set<string> | undefined;

  constructor(options: ScriptTypesOptions) {
    this.#options = options;
  }

  /** What is known now; `undefined` while it is not open. */
  get current(): PresentTypes | undefined {
    return this.#types;
  }

  /** What names mean, in the states that {@link current} knows; `undefined` while that is not open, and where the checker does not tell. */
  get references(): PastReferences | undefined {
    return this.#references;
  }

  /** A script is looked at: opens it, unless that was done or failed too often. */
  want(path: string): void {
    if (!isScript(path) || this.#opening !== undefined || this.#starts >= maxStarts) return;
    this.#starts += 1;
    this.#opening = this.#open().catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof EmendError)) throw error;
      this.#lose(error);
    });
    this.#opening.catch((error: unknown) => this.#options.onProblem(`Types are not known: ${String(error)}`));
  }

  /** A file has another text; `undefined` when it is gone. */
  tell(path: string, text: string | undefined): void {
    this.#missed?.add(path);
    this.#types?.update(path, text);
  }

  /** Resolves when it is open, if it is going to be. */
  async settled(): Promise<void> {
    await this.#opening?.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starts = maxStarts;
    this.#stopping.abort(new Error("the workspace is closed"));
    await this.settled();
    this.#types = undefined;
    this.#references = undefined;
    await this.#witness?.[Symbol.asyncDispose]();
    this.#witness = undefined;
  }

  async #open(): Promise<void> {
    const { root, files, whenRead, open = TypeScriptSource.open, openPaths } = this.#options;
    const { signal } = this.#stopping;
    await whenRead.catch(() => undefined);
    signal.throwIfAborted();
    const missed = new Set<string>();
    this.#missed = missed;
    const texts = new Map(textsOf(files));
    const overlaid = new Map<string, string | null>();
    for (const path of openPaths()) if (takes(path)) overlaid.set(joinPath(root, path), texts.get(path) ?? null);
    const witness = await open({
      ...{ root, paths: [...texts.keys()], signal },
      readText: async (path) => texts.get(path) ?? (await this.#readConfig(path)),
      files: filesWithTexts(filesOfDisk, overlaid),
    });
    if (signal.aborted) {
      await witness[Symbol.asyncDispose]();
      return;
    }
    this.#witness = witness;
    const types = new PresentTypes({ witness: this.#heard(witness), texts, takes });
    for (const path of missed) types.update(path, files.textOf(path));
    this.#missed = undefined;
    this.#types = types;
    const ask = witness.referencesOf?.bind(witness);
    this.#references =
      ask &&
      new PastReferences(types, {
        referencesOf: (paths, options) => this.#hear(witness, ask(paths, options)),
      });
  }

  /** The checker, whose failures are heard of on the way to who asked. */
  #heard(witness: OpenedWitness): OverlaidWitness {
    const hold = witness.hold?.bind(witness);
    return {
      update: (texts, options) => this.#hear(witness, witness.update(texts, options)),
      errorsOf: (paths, options) => this.#hear(witness, witness.errorsOf(paths, options)),
      ...(hold && { hold: async () => this.#heardHeld(witness, await this.#hear(witness, hold())) }),
    };
  }

  #heardHeld(witness: OpenedWitness, held: HeldWitness): HeldWitness {
    return {
      errorsOf: (paths, options) => this.#hear(witness, held.errorsOf(paths, options)),
      referencesOf: (paths, options) => this.#hear(witness, held.referencesOf(paths, options)),
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }

  async #hear<Answer>(witness: OpenedWitness, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof EmendError && this.#witness === witness) this.#lose(error);
      throw error;
    }
  }

  /** Goes on without types, until a script is looked at again. */
  #lose(error: EmendError): void {
    const witness = this.#witness;
    this.#witness = undefined;
    this.#types = undefined;
    this.#references = undefined;
    this.#missed = undefined;
    this.#opening = undefined;
    this.#options.onProblem(`Next edits are not checked by types: ${error.message}`);
    Promise.resolve(witness?.[Symbol.asyncDispose]()).catch(() => undefined);
  }

  /** A configuration that lies in a package, which the workspace does not know. */
  async #readConfig(path: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await this.#options.fileSystem.readFile(joinPath(this.#options.root, path)));
    } catch (error) {
      if (error instanceof FileSystemError) return undefined;
      throw error;
    }
  }
}

/** How often it is opened in all. */
const maxStarts = 3;

/** Scripts, what configures them, and the data that they import. */
function takes(path: string): boolean {
  return isScript(path) || path.endsWith(".json");
}

function* textsOf(files: TextIndex): Generator<readonly [string, string]> {
  for (const path of files.paths()) if (takes(path)) yield [path, files.textOf(path)!];
}
