import { languageOf } from "../../syntax/language.ts";
import { Lines } from "../../text/lines.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { NameReferences } from "../graph/name-references.ts";
import type { DoubtfulName, FileReferences, Reference, ReferenceSource, TypeFinding } from "../graph/reference.ts";
import type { OverlaidWitness } from "../impact/type-waves.ts";
import { joinPath, tryRelativePath } from "../workspace-path.ts";
import type { PyrightPlace, PyrightQuestion, PyrightService } from "./pyright-service.ts";

/** What a {@link PyrightSource} is made from. All but the service stays its owner's. */
export interface PyrightSourceOptions {
  /** The absolute path of the workspace, links resolved, with `/`. */
  readonly root: string;
  /** It answers for all languages that it knows; of Python's names pyright settles the doubtful ones. */
  readonly names: NameReferences;
  /** The text of a file as it was told last, or as the disk has it; `undefined` where there is none. */
  readonly textOf: (path: string) => string | undefined;
  /** The blocks of a file as it was told last. */
  readonly blocksOf: (path: string) => readonly CodeBlock[];
  /** Texts that differ from those of the disk; `undefined` hides a file. */
  readonly told?: ReadonlyMap<string, string | undefined>;
  /** Starts the service, when it is first needed. The source disposes it. */
  readonly open: (question: PyrightQuestion) => Promise<PyrightService>;
}

/** Which doubtful names are to be settled: all of some files, those in ranges of a file, or those of these names anywhere. */
export interface SettleRequest {
  readonly paths?: Iterable<string>;
  readonly blocks?: readonly CodeBlock[];
  readonly names?: ReadonlySet<string>;
  /** The most questions; what is above stays doubtful, and is counted. As many as needed unless told. */
  readonly maxQuestions?: number;
}

/** What came of settling. */
export interface Settled {
  /** The references of the files in which some were settled. */
  readonly files: readonly FileReferences[];
  readonly asked: number;
  /** Names of which pyright knew where they are declared. */
  readonly known: number;
  /** Names that were not asked for, because there were too many. */
  readonly left: number;
}

/**
 * What the names of Python mean by trees and names, made exact by pyright where names alone are guesses.
 *
 * A question for each name of a repository would take minutes, and most names mean what they say. So nothing is asked until
 * {@link settle} says which of the doubtful names matter. What is settled holds until any text changes, for types flow through all files.
 */
export class PyrightSource implements ReferenceSource {
  readonly #options: PyrightSourceOptions;
  readonly #told: Map<string, string>;
  /** By path: what was settled of its doubtful names, by where they start; `undefined` where pyright does not know either. */
  readonly #settled = new Map<string, Map<number, Meaning | undefined>>();
  #service: Promise<PyrightService> | undefined;

  constructor(options: PyrightSourceOptions) {
    this.#options = options;
    this.#told = new Map(Array.from(options.told ?? [], ([path, text]) => [path, text ?? ""]));
  }

  get languages(): readonly string[] {
    return this.#options.names.languages;
  }

  async update(
    texts: ReadonlyMap<string, string | undefined>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    await this.#options.names.update(texts, options);
    this.#settled.clear();
    await this.#tell(texts);
  }

  async referencesOf(
    paths: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly FileReferences[]> {
    const found = await this.#options.names.referencesOf(paths, options);
    return found.map((file) => this.#withSettled(file));
  }

  /** Asks what doubtful names mean that were not asked for since the last update. Rejects as {@link PyrightService} does. */
  async settle(request: SettleRequest, question: PyrightQuestion = {}): Promise<Settled> {
    const { names, paths, blocks = [], maxQuestions = Number.POSITIVE_INFINITY } = request;
    const wanted = new Set(paths);
    const isWanted = (path: string, { start, name }: DoubtfulName) =>
      wanted.has(path) ||
      names?.has(name) === true ||
      blocks.some((block) => block.path === path && block.range.start <= start && start < block.range.end);
    const searched =
      names === undefined
        ? new Set([...wanted, ...blocks.map(({ path }) => path)])
        : this.#options.names.paths("python");
    const found = await this.#options.names.referencesOf([...searched].filter(isPython), questionOf(question));
    const counts = { asked: 0, known: 0, left: 0 };
    const files: FileReferences[] = [];
    for (const file of found) {
      const text = this.#options.textOf(file.path);
      const settled = this.#settledOf(file.path);
      const open = (file.doubts ?? []).filter((doubt) => !settled.has(doubt.start) && isWanted(file.path, doubt));
      const asked = open.slice(0, Math.max(0, maxQuestions - counts.asked));
      counts.left += open.length - asked.length;
      if (text === undefined || asked.length === 0) continue;
      counts.asked += asked.length;
      const answers = await this.#definitions(file.path, text, asked, question);
      for (const [index, doubt] of asked.entries()) {
        const meaning = this.#meaningOf(doubt, answers[index]!);
        if (meaning !== undefined) counts.known += 1;
        settled.set(doubt.start, meaning);
      }
      files.push(this.#withSettled(file));
    }
    return { files, ...counts };
  }

  /** Whether pyright reads a file. */
  isPython(path: string): boolean {
    return isPython(path);
  }

  /** A type checker of these files alone, which hears of other texts without the source changing its mind. */
  witness(paths: readonly string[]): OverlaidWitness {
    const { root, textOf } = this.#options;
    const looked = paths.filter(isPython);
    return {
      update: (texts) => this.#tell(texts),
      errorsOf: async (_, question = {}): Promise<readonly TypeFinding[]> => {
        const service = await this.#start(question);
        const untold = looked.filter((path) => !this.#told.has(path));
        await this.#tell(new Map(untold.map((path) => [path, textOf(path)] as const)));
        const found = await service.errors(
          looked.map((path) => joinPath(root, path)),
          question,
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

  #start(question: PyrightQuestion): Promise<PyrightService> {
    this.#service ??= this.#options.open(question).then(async (service) => {
      await service.tell(this.#absolute(this.#told));
      return service;
    });
    return this.#service;
  }

  /** The server cannot be told that a file is gone; an empty one has nothing that others could name. */
  async #tell(texts: ReadonlyMap<string, string | undefined>): Promise<void> {
    const python = Array.from(texts, ([path, text]) => [path, text ?? ""] as const).filter(([path]) => isPython(path));
    for (const [path, text] of python) this.#told.set(path, text);
    await (await this.#service)?.tell(this.#absolute(new Map(python)));
  }

  #absolute(texts: ReadonlyMap<string, string>): Map<string, string> {
    return new Map(
      Array.from(texts, ([path, text]) => [joinPath(this.#options.root, path), text] as const).filter(([path]) =>
        isPython(path),
      ),
    );
  }

  #settledOf(path: string): Map<number, Meaning | undefined> {
    let settled = this.#settled.get(path);
    if (settled === undefined) {
      settled = new Map();
      this.#settled.set(path, settled);
    }
    return settled;
  }

  async #definitions(
    path: string,
    text: string,
    asked: readonly DoubtfulName[],
    question: PyrightQuestion,
  ): Promise<readonly (readonly PyrightPlace[])[]> {
    const service = await this.#start(question);
    await this.#tell(new Map([[path, text]]));
    const offsets = asked.map(({ start }) => start);
    return service.definitions(joinPath(this.#options.root, path), offsets, question);
  }

  /** What a name means by where pyright found it declared; `undefined` where that helps nobody. */
  #meaningOf({ role, start }: DoubtfulName, places: readonly PyrightPlace[]): Meaning | undefined {
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
      // A field is declared wherever it is assigned; the block of it is one alone.
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
    const told = [...settled.values()].flatMap((meaning) => meaning ?? []);
    const references = [...kept, ...told].sort((a, b) => a.start - b.start);
    return { ...file, references, doubts: (file.doubts ?? []).filter(({ start }) => !settled.has(start)) };
  }
}

/** The references of one name: none where it is declared in a library. */
type Meaning = readonly Reference[];

function isPython(path: string): boolean {
  return languageOf(path).id === "python";
}

function roleOf(role: DoubtfulName["role"], { kind }: CodeBlock): Reference["role"] {
  if (role !== "call") return role;
  if (kind === "class") return "instantiate";
  return kind === "function" || kind === "method" || kind === "constructor" ? "call" : "value";
}

function questionOf({ signal }: PyrightQuestion): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
