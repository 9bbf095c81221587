import { BlockReader, ParseCache, type TypeCheckCache } from "../../analysis/index.ts";
import { WorkspaceTypes, type WorkspaceTypesOptions } from "../../analysis/node/index.ts";
import type { Clock } from "../../async/index.ts";
import { ComponentParsers, NameTables } from "../../names/index.ts";
import { parseBrokenScript, parseScriptTree } from "../../names/node/index.ts";
import { languageOf, type Syntax, SyntaxErrorCache } from "../../syntax/index.ts";
import type { FileSystem } from "../../workspace/index.ts";
import type { EditTypeCheck } from "../edit-checks/edit-type-check.ts";
import { TypeErrorCheck } from "../edit-checks/type-error-check.ts";
import { answerWithin } from "../engine/answer-within.ts";
import type { TextIndex } from "../engine/text-index.ts";
import { BracketProvider } from "../providers/brackets/bracket-provider.ts";
import { ExampleProvider } from "../providers/example/example-provider.ts";
import { FixProvider } from "../providers/fix/fix-provider.ts";
import { ImpactProvider } from "../providers/impact/impact-provider.ts";
import type { NextEditProvider } from "../providers/next-edit-provider.ts";
import { RenameProvider } from "../providers/rename/rename-provider.ts";
import { RenamedMembers } from "../providers/rename/renamed-members.ts";
import { maxTypedCharacters } from "../providers/types/past-change.ts";
import { MemberReferences } from "../providers/types/references.ts";
import { NamesApart } from "./names-apart.ts";
import { WorkspaceDependencies } from "./workspace-dependencies.ts";

/** The dependencies of {@link NextEditProviders}. */
export interface NextEditTools {
  readonly root: string | undefined;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly syntax: Syntax;
  /** Resolves when the files are read, as far as they can be. */
  readonly whenRead: Promise<void>;
  /** The paths of the documents open in an editor. */
  openPaths(): Iterable<string>;
  /**
   * Opens the type checker; default TypeScript's service, which ships with Emend. `null` for none.
   */
  readonly openTypes?: WorkspaceTypesOptions["open"] | null;
  /**
   * The most megabytes of memory of the type checker's process, by the present settings; default
   * 2,048.
   */
  maxTypesMemoryMb?(): number;
  /**
   * The most files that one recent edit is repeated in; default: 12, and 30 for all of them. Those
   * of a rename; default: 120, and 30 of languages other than scripts.
   */
  readonly maxSimilarFiles?: number | undefined;
  /** The time limit of an answer of the type checker, in milliseconds. */
  typesMs(): number;
  /** Lets other tasks of the thread run. */
  yieldThread(): Promise<void>;
  onProblem(message: string): void;
}

/** The providers of a workspace that need no model, and the type check of their proposals. */
export class NextEditProviders implements AsyncDisposable {
  /** The providers, the synchronous ones first. */
  readonly all: readonly NextEditProvider[];
  readonly judge: EditTypeCheck | undefined;
  /** Tells members of one name apart by their types; `undefined` without a type checker. */
  readonly members: RenamedMembers | undefined;
  /** The name tables of texts, shared by all providers. */
  readonly names: NameTables;
  /** The syntax errors of texts, shared by all providers and edit checks. */
  readonly syntaxErrors: SyntaxErrorCache;
  readonly #types: WorkspaceTypes | undefined;
  readonly #dependencies: WorkspaceDependencies;
  readonly #reader: BlockReader;
  /** The last file that the user viewed. */
  #viewed: string | undefined;
  readonly #apart = new NamesApart();
  readonly #examples: ExampleProvider;
  readonly #impact: ImpactProvider;
  readonly #states: ParseCache;

  /** Resolves when the grammars of the viewed files are loaded. */
  #grammars: Promise<void> = Promise.resolve();

  constructor(tools: NextEditTools) {
    const { root, files, syntax, clock, openTypes, maxSimilarFiles: most } = tools;
    this.#examples = new ExampleProvider({ searched: most === undefined ? undefined : { inAll: most, each: most } });
    this.#reader = new BlockReader({
      ...{ parseScript: parseScriptTree, syntax, maxCharacters: maxTypedCharacters },
      yieldThread: () => tools.yieldThread(),
    });
    const states = new ParseCache(this.#reader, { yieldThread: () => tools.yieldThread() });
    this.#states = states;
    const errors = new SyntaxErrorCache(syntax);
    this.syntaxErrors = errors;
    this.names = new NameTables({
      ...{ parseScript: parseScriptTree, parseBroken: parseBrokenScript, syntax, components: new ComponentParsers() },
      apart: (one) => this.#apart.read(one),
    });
    if (root !== undefined && openTypes !== null) {
      this.#types = new WorkspaceTypes({ ...tools, root, open: openTypes });
    }
    this.#dependencies = new WorkspaceDependencies(tools);
    const types = () => this.#types?.current;
    const within = answerWithin(clock, () => tools.typesMs());
    this.judge = this.#types && new TypeErrorCheck({ types, files, states });
    const renameProvider = new RenameProvider(this.names, { maxFiles: most });
    if (this.#types !== undefined) {
      const targets = new MemberReferences({ types, within });
      this.members = new RenamedMembers({
        renamesAt: (context) => renameProvider.renamesAt(context),
        tableOf: (path, language, text) => this.names.of(path, language, text),
        targets,
      });
    }
    this.#impact = new ImpactProvider({
      ...{ graph: () => this.#dependencies.graph, states, syntax: errors },
      types,
    });
    this.all = [
      renameProvider,
      this.#examples,
      new BracketProvider(errors),
      new FixProvider({ types, states, syntax: errors }),
      this.#impact,
    ];
  }

  /** Prepares for proposals in a file that the user views. */
  look(path: string): void {
    this.#viewed = path;
    // So that the first request need not wait. A failing grammar fails again for the request that
    // needs it.
    const loading = Promise.allSettled([this.#reader.load([path]), this.names.load(languageOf(path).id)]);
    this.#grammars = this.#grammars.then(async () => void (await loading));
  }

  /**
   * Opens the type checker for a request in a file, in the background. Resolves to the types as
   * soon as they are known, and to `undefined` where they cannot be.
   */
  async want(path: string): Promise<TypeCheckCache | undefined> {
    return this.#types?.want(path);
  }

  /** Whether the type checker is wanted and not open yet. */
  get isOpeningTypes(): boolean {
    return this.#types?.isOpening === true;
  }

  /** Prepares for proposals after an edit of a file: starts the search for its dependents. */
  edited(path: string): void {
    this.#dependencies.want(path);
  }

  /** Updates a file's text; `undefined` where it was removed. */
  update(path: string, text: string | undefined): void {
    this.#types?.update(path, text);
    this.#dependencies.update(path);
  }

  /**
   * Resolves when the grammars and types of the viewed file are ready, where it has some; with
   * `dependencies`, when the dependency graph is too, which may take longer.
   */
  async settled({ dependencies = false } = {}): Promise<void> {
    await this.#grammars;
    if (this.#viewed !== undefined) await this.#types?.want(this.#viewed, { isUrgent: true });
    await this.#types?.settled();
    if (dependencies) await this.#dependencies.settled();
  }

  /** Drops the caches of a document that was closed. */
  close(path: string): void {
    for (const memory of [this.names, this.#states, this.syntaxErrors, this.#examples, this.#impact])
      memory.forget(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#apart[Symbol.dispose]();
    await this.#dependencies[Symbol.asyncDispose]();
    await this.#types?.[Symbol.asyncDispose]();
  }
}
