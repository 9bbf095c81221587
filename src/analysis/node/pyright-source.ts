import type { AbortOptions } from "../../async/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { getOrInsert, Lines } from "../../text/index.ts";
import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { NameReferences } from "../graph/name-references.ts";
import type { FileReferences, Reference, ReferenceSource, UnresolvedMemberName } from "../graph/reference.ts";
import type { PyrightPlace } from "./pyright-service.ts";
import type { PyrightExcess, PyrightRequests, RestartingPyright } from "./restarting-pyright.ts";

/** The options of a {@link PyrightSource}. The caller still owns everything but the service. */
export interface PyrightSourceOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  /**
   * Resolves names of all its languages by trees and names; pyright resolves the doubtful names of
   * Python.
   */
  readonly names: NameReferences;
  /**
   * The current text of a file, from the last update or the disk; `undefined` when there is none.
   */
  readonly textOf: (path: string) => string | undefined;
  /** The blocks of a file's current text. */
  readonly blocksOf: (path: string) => readonly CodeBlock[];
  /** Texts that differ from those on the disk; `undefined` hides a file. */
  readonly overlay?: ReadonlyMap<string, string | undefined>;
  /** Starts the service when it is first needed. The source disposes of it. */
  readonly open: (
    requestOptions: AbortOptions,
  ) => Promise<PyrightRequests & Partial<Pick<RestartingPyright, "leftOut">>>;
}

/**
 * Which doubtful names {@link PyrightSource.resolveMembers} resolves: all names of `paths`, those
 * within `blocks`, and those in `names` in any file.
 */
export interface MembersToResolve {
  readonly paths?: Iterable<string>;
  readonly blocks?: readonly CodeBlock[];
  readonly names?: ReadonlySet<string>;
  /**
   * The most names to look up; the others stay doubtful and are counted in `left`. Default: no
   * limit.
   */
  readonly maxQuestions?: number;
}

/** The result of {@link PyrightSource.resolveMembers}. */
export interface ResolvedMembers {
  /** The references of the files in which names were looked up. */
  readonly files: readonly FileReferences[];
  readonly queried: number;
  /** The number of names for which pyright found a declaration. */
  readonly known: number;
  /** The number of names that were not looked up because of `maxQuestions`. */
  readonly left: number;
}

/**
 * The references of names, with Python's doubtful names resolved by pyright.
 *
 * A lookup for each name of a repository would take minutes, and most names are resolved correctly
 * without it. So pyright is used only in {@link resolveMembers}, for the names that matter. The
 * results are kept until any text changes, because types depend on all files.
 */
export class PyrightSource implements ReferenceSource {
  readonly #options: PyrightSourceOptions;
  readonly #overlay: Map<string, string>;
  /**
   * The resolved names by path and start offset; `undefined` where pyright found nothing either.
   */
  readonly #settled = new Map<string, Map<number, Meaning | undefined>>();
  #service: ReturnType<PyrightSourceOptions["open"]> | undefined;
  /** The service once it has started. */
  #started: Awaited<ReturnType<PyrightSourceOptions["open"]>> | undefined;

  constructor(options: PyrightSourceOptions) {
    this.#options = options;
    this.#overlay = new Map(Array.from(options.overlay ?? [], ([path, text]) => [path, text ?? ""]));
  }

  /** The languages of the names that it resolves, not Python alone. */
  get languages(): readonly string[] {
    return this.#options.names.languages;
  }

  /**
   * The files that pyright leaves out, because its process ended on them, by path in the workspace,
   * or by absolute path outside it.
   */
  get leftOut(): ReadonlyMap<string, PyrightExcess> {
    const { root } = this.#options;
    return new Map(
      Array.from(this.#started?.leftOut ?? [], ([path, excess]) => [tryRelativePath(root, path) ?? path, excess]),
    );
  }

  /**
   * Passes new texts of files, by path in the workspace; `undefined` removes a file. All results of
   * {@link resolveMembers} are dropped. Rejects with the signal's reason on abort, and as {@link
   * PyrightService} does where it runs.
   */
  async update(texts: ReadonlyMap<string, string | undefined>, options: AbortOptions = {}): Promise<void> {
    await this.#options.names.update(texts, options);
    this.#settled.clear();
    await this.#setTexts(texts);
  }

  /**
   * The references of these files, in the order given, by names and with what {@link
   * resolveMembers} has resolved. Pyright is not used. Rejects with the signal's reason on abort.
   */
  async referencesOf(paths: readonly string[], options: AbortOptions = {}): Promise<readonly FileReferences[]> {
    const found = await this.#options.names.referencesOf(paths, options);
    return found.map((file) => this.#withSettled(file));
  }

  /**
   * Looks up the matching doubtful names that have not been looked up since the last update; the
   * results are kept for {@link referencesOf}. Starts pyright where there are any. Rejects as
   * {@link PyrightService} does, and with the signal's reason on abort.
   */
  async resolveMembers(request: MembersToResolve, requestOptions: AbortOptions = {}): Promise<ResolvedMembers> {
    const { names, paths, blocks = [], maxQuestions = Number.POSITIVE_INFINITY } = request;
    const wanted = new Set(paths);
    const isWanted = (path: string, { start, name }: UnresolvedMemberName) =>
      wanted.has(path) ||
      names?.has(name) === true ||
      blocks.some((block) => block.path === path && block.range.start <= start && start < block.range.end);
    const searched =
      names === undefined
        ? new Set([...wanted, ...blocks.map(({ path }) => path)])
        : this.languages.flatMap((language) => [...this.#options.names.paths(language)]);
    const found = await this.#options.names.referencesOf([...searched].filter(isPython), requestOptions);
    const counts = { queried: 0, known: 0, left: 0 };
    const files: FileReferences[] = [];
    for (const file of found) {
      const text = this.#options.textOf(file.path);
      const settled = this.#settledOf(file.path);
      const open = (file.unresolvedMembers ?? []).filter(
        (doubt) => !settled.has(doubt.start) && isWanted(file.path, doubt),
      );
      const doubts = open.slice(0, Math.max(0, maxQuestions - counts.queried));
      counts.left += open.length - doubts.length;
      if (text === undefined || doubts.length === 0) continue;
      counts.queried += doubts.length;
      const answers = await this.#definitions(file.path, text, doubts, requestOptions);
      for (const [index, doubt] of doubts.entries()) {
        const meaning = this.#meaningOf(doubt, answers[index]!);
        if (meaning !== undefined) counts.known += 1;
        settled.set(doubt.start, meaning);
      }
      files.push(this.#withSettled(file));
    }
    return { files, ...counts };
  }

  /** Whether `path` is a Python file. */
  isPython(path: string): boolean {
    return isPython(path);
  }

  /**
   * A type checker of the Python files among these only: its `errorsOf` ignores the paths that are
   * passed, starts pyright where needed, and rejects as {@link PyrightService} does. Texts that are
   * set on it do not change the references of this source.
   */
  checkerFor(paths: readonly string[]): OverlayTypeChecker {
    const { root, textOf } = this.#options;
    const checked = paths.filter(isPython);
    return {
      update: (texts) => this.#setTexts(texts),
      errorsOf: async (_, requestOptions = {}): Promise<readonly FileDiagnostic[]> => {
        const service = await this.#start(requestOptions);
        const unset = checked.filter((path) => !this.#overlay.has(path));
        await this.#setTexts(new Map(unset.map((path) => [path, textOf(path)] as const)));
        const found = await service.errors(
          checked.map((path) => joinPath(root, path)),
          requestOptions,
        );
        return found.flatMap((error) => {
          const path = tryRelativePath(root, error.path);
          return path === undefined ? [] : [{ ...error, path }];
        });
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.then(
      (one) => one.close(),
      () => undefined,
    );
  }

  #start(requestOptions: AbortOptions): ReturnType<PyrightSourceOptions["open"]> {
    this.#service ??= this.#options.open(requestOptions).then(async (service) => {
      this.#started = service;
      await service.setTexts(this.#absolute(this.#overlay));
      return service;
    });
    return this.#service;
  }

  /**
   * Sets texts in the server. A removed file is set to an empty text, because the protocol cannot
   * remove it.
   */
  async #setTexts(texts: ReadonlyMap<string, string | undefined>): Promise<void> {
    const python = Array.from(texts, ([path, text]) => [path, text ?? ""] as const).filter(([path]) => isPython(path));
    for (const [path, text] of python) this.#overlay.set(path, text);
    await (await this.#service)?.setTexts(this.#absolute(new Map(python)));
  }

  #absolute(texts: ReadonlyMap<string, string>): Map<string, string> {
    return new Map(
      Array.from(texts, ([path, text]) => [joinPath(this.#options.root, path), text] as const).filter(([path]) =>
        isPython(path),
      ),
    );
  }

  #settledOf(path: string): Map<number, Meaning | undefined> {
    return getOrInsert(this.#settled, path, () => new Map());
  }

  async #definitions(
    path: string,
    text: string,
    doubts: readonly UnresolvedMemberName[],
    requestOptions: AbortOptions,
  ): Promise<readonly (readonly PyrightPlace[])[]> {
    const service = await this.#start(requestOptions);
    await this.#setTexts(new Map([[path, text]]));
    const offsets = doubts.map(({ start }) => start);
    return service.definitions(joinPath(this.#options.root, path), offsets, requestOptions);
  }

  /**
   * The references of a name, by the declarations that pyright found; `undefined` when they are of
   * no use.
   */
  #meaningOf({ role, start }: UnresolvedMemberName, places: readonly PyrightPlace[]): Meaning | undefined {
    const { root } = this.#options;
    const references: Reference[] = [];
    let isElsewhere = false;
    for (const { path: absolute, position } of places) {
      const path = tryRelativePath(root, absolute);
      const text = path === undefined ? undefined : this.#options.textOf(path);
      if (path === undefined || text === undefined) {
        isElsewhere = true;
        continue;
      }
      const lines = Lines.of(text);
      const targetStart = position.line < lines.count ? lines.start(position.line) + position.column : -1;
      // A field is declared at each assignment to it, but it has one block only.
      const block = this.#options.blocksOf(path).find(({ nameRange }) => nameRange?.start === targetStart);
      if (block !== undefined) references.push({ start, role: roleOf(role, block), targetPath: path, targetStart });
    }
    return references.length > 0 || isElsewhere ? references : undefined;
  }

  #withSettled(file: FileReferences): FileReferences {
    const settled = this.#settled.get(file.path);
    if (settled === undefined) return file;
    const kept = file.references.filter(({ start, role }) => {
      const meaning = settled.get(start);
      return meaning === undefined || (role === "shape" && meaning.length > 0);
    });
    const added = [...settled.values()].flatMap((meaning) => meaning ?? []);
    const references = [...kept, ...added].sort((a, b) => a.start - b.start);
    return {
      ...file,
      references,
      unresolvedMembers: (file.unresolvedMembers ?? []).filter(({ start }) => !settled.has(start)),
    };
  }
}

/** The references of one name; empty when it is declared in a library. */
type Meaning = readonly Reference[];

function isPython(path: string): boolean {
  return languageOf(path).traits.server === "pyright";
}

function roleOf(role: UnresolvedMemberName["role"], { kind }: CodeBlock): Reference["role"] {
  if (role !== "call") return role;
  if (kind === "class") return "instantiate";
  return kind === "function" || kind === "method" || kind === "constructor" ? "call" : "value";
}
