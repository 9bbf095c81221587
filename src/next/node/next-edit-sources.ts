import { BlockReader, type Clock, type FileSystem } from "../../codebase/index.ts";
import { parseScriptTree } from "../../codebase/node/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { BracketSource } from "../brackets/bracket-source.ts";
import { ExampleSource } from "../example/example-source.ts";
import { KnownSyntaxErrors } from "../known-syntax-errors.ts";
import { NameSource } from "../names/name-source.ts";
import { NameTables } from "../names/name-tables.ts";
import type { NextEditSource } from "../next-edit-source.ts";
import type { TextIndex } from "../text-index.ts";
import type { TypeJudge } from "../type-judge.ts";
import { FixSource } from "../types/fix-source.ts";
import { ImpactSource } from "../types/impact-source.ts";
import { ScriptStates } from "../types/script-states.ts";
import { WitnessJudge } from "../types/witness-judge.ts";
import { type OpenedWitness, ScriptTypes, type ScriptTypesOptions } from "./script-types.ts";
import { WorkspaceDependencies } from "./workspace-dependencies.ts";

/** What sources of next edits are made with. */
export interface NextEditTools {
  readonly root: string | undefined;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly syntax: Syntax;
  /** Resolves when the files are read, as far as they can be. */
  readonly whenRead: Promise<void>;
  /** The documents that are open in an editor. */
  openPaths(): Iterable<string>;
  /** How types are opened; TypeScript's service, which ships, unless told, and none where it is `null`. */
  readonly openTypes?:
    | ((options: Parameters<NonNullable<ScriptTypesOptions["open"]>>[0]) => Promise<OpenedWitness>)
    | null
    | undefined;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
  onProblem(message: string): void;
}

/** Who proposes next edits in a workspace without a model, and what types say of them. */
export class NextEditSources implements AsyncDisposable {
  /** Those that answer at once first. */
  readonly all: readonly NextEditSource[];
  readonly judge: TypeJudge | undefined;
  /** The names of the texts that are asked about, read once for all. */
  readonly names: NameTables;
  readonly #types: ScriptTypes | undefined;
  readonly #dependencies: WorkspaceDependencies;
  readonly #reader: BlockReader;

  /** Resolves when the grammars of the files that were looked at are loaded. */
  #grammars: Promise<void> = Promise.resolve();

  constructor(tools: NextEditTools) {
    const { root, files, syntax, openTypes } = tools;
    this.#reader = new BlockReader({ parseScript: parseScriptTree, syntax });
    const states = new ScriptStates(this.#reader);
    const errors = new KnownSyntaxErrors(syntax);
    this.names = new NameTables({ parseScript: parseScriptTree, syntax });
    if (root !== undefined && openTypes !== null) {
      this.#types = new ScriptTypes({ ...tools, root, open: openTypes });
    }
    this.#dependencies = new WorkspaceDependencies({ ...tools, reader: this.#reader });
    const types = () => this.#types?.current;
    this.judge = this.#types && new WitnessJudge({ types, files, states });
    this.all = [
      new NameSource(this.names),
      new ExampleSource(),
      new BracketSource(errors),
      new FixSource({ types, states, syntax: errors }),
      new ImpactSource({
        ...{ graph: () => this.#dependencies.graph, states, syntax: errors },
        references: () => this.#types?.references,
      }),
    ];
  }

  /** A person looks at this file: what it takes to propose something there is made ready. */
  look(path: string): void {
    this.#types?.want(path);
    // So that the first question need not wait for it. A grammar that fails will fail again for whoever waits.
    const loading = this.#reader.load([path]).catch(() => undefined);
    this.#grammars = this.#grammars.then(() => loading);
  }

  /** A person edits: what others depend on is looked for. */
  edited(path: string): void {
    this.#dependencies.want(path);
  }

  /** A file has another text; `undefined` when it is gone. */
  tell(path: string, text: string | undefined): void {
    this.#types?.tell(path, text);
    this.#dependencies.tell(path);
  }

  /** Resolves when types are ready, if they were made ready; with `dependencies`, when it is known too what depends on what, which may take longer. */
  async settled({ dependencies = false } = {}): Promise<void> {
    await this.#grammars;
    await this.#types?.settled();
    if (dependencies) await this.#dependencies.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dependencies[Symbol.asyncDispose]();
    await this.#types?.[Symbol.asyncDispose]();
  }
}
