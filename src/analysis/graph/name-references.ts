import { LRUCache } from "lru-cache";
import { type AbortOptions, runStepsInTurns } from "../../async/index.ts";
import { languageById, languages } from "../../languages/index.ts";
import { FactsDraft, factReaders, type NameFacts, NameIndex, unknown } from "../../names/index.ts";
import { languageOf, type PlainNode, plainTreeInSlices, type Syntax, type SyntaxTree } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import type { ParsedBlocks } from "./block-reader.ts";
import type { CodeBlock } from "./code-block.ts";
import type { FileReferences, ReferenceSource } from "./reference.ts";
import { resolveNames } from "./resolve-names.ts";
import { treeBlocksInSlices } from "./tree-blocks.ts";

/** Dependencies of {@link NameReferences}. */
export interface NameReferencesOptions {
  /** Not disposed. */
  readonly syntax: Pick<Syntax, "load" | "tryParseInSlices">;
  /** The text of a file that was never updated, or `undefined` if it doesn't exist. */
  readonly readText?: (path: string) => Promise<string | undefined>;
  /** The files that {@link NameReferencesOptions.readText} can read. */
  readonly paths?: readonly string[];
  /**
   * Lets timers, signals and I/O run; called between files, and in long ones. Without it, many
   * files in memory block the event loop.
   */
  readonly yieldThread?: () => Promise<void>;
}

/** Number of files that are resolved before timers and signals run. */
const filesAtOnce = 8;

/** The length of a text, in UTF-16 units, whose names take some 5 milliseconds. */
const longCharacters = 50_000;

/**
 * The most UTF-16 units of replaced texts whose names are kept, which take several times as much.
 */
const maxReplacedCharacters = 500_000;

/** A text and its names; `undefined` where it has no tree. */
interface KnownText {
  readonly text: string;
  readonly facts: NameFacts | undefined;
}

/**
 * Resolves names by syntax and name alone, for languages without a type checker. It can return too
 * many references, but by design not too few within a workspace: see {@link resolveNames}.
 *
 * Each file is parsed once for each text, and not again for the text before the present one: a
 * change is laid over a workspace, removed and applied. Its names are resolved with the facts of
 * all files. Law: the answers depend only on the last texts, not on the updates that led to them.
 */
export class NameReferences implements ReferenceSource {
  readonly languages = languages.filter(({ binder }) => binder !== undefined).map(({ id }) => id);
  readonly #options: NameReferencesOptions;
  /** The text before the present one, of the files that were updated last. */
  readonly #replaced = new LRUCache<string, KnownText>({
    maxSize: maxReplacedCharacters,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  /** By language, then by path: names of different languages never match each other. */
  readonly #present = new Map<string, Map<string, KnownText>>();
  /** By path, texts that were read before they are set. */
  readonly #prepared = new Map<string, KnownText>();
  readonly #indexes = new Map<string, NameIndex>();
  #unread: readonly string[];

  constructor(options: NameReferencesOptions) {
    this.#options = options;
    this.#unread = options.paths ?? [];
  }

  /**
   * Reads the names of a text that may be set next, from its tree and blocks: it is not parsed
   * again then. The tree is not kept.
   */
  async prepare(path: string, { tree, blocks }: ParsedBlocks): Promise<void> {
    const language = languageOf(path).id;
    const { text } = tree;
    const known = [this.#present.get(language)?.get(path), this.#replaced.peek(path), this.#prepared.get(path)];
    if (!this.languages.includes(language) || known.some((one) => one?.text === text)) return;
    this.#prepared.set(path, { text, facts: await this.#factsOf(path, language, tree, blocks) });
  }

  /**
   * Passes new texts of files, and parses them; `undefined` removes a file, and files of other
   * languages are ignored. The first call also reads all other files of the options. Rejects with
   * the signal's reason on abort; texts that were not parsed until then are not taken over.
   */
  async update(texts: ReadonlyMap<string, string | undefined>, { signal }: AbortOptions = {}): Promise<void> {
    const unread = new Set(this.#unread);
    this.#unread = [];
    try {
      for (const path of unread) {
        if (texts.has(path)) continue;
        await this.#options.yieldThread?.();
        signal?.throwIfAborted();
        await this.#take(path, await this.#options.readText?.(path));
        unread.delete(path);
      }
      for (const [path, text] of texts) {
        await this.#options.yieldThread?.();
        signal?.throwIfAborted();
        await this.#take(path, text);
        unread.delete(path);
      }
    } finally {
      // What an abort left unread is read by the next call.
      this.#unread = [...unread];
    }
  }

  /**
   * The references of these files, in the order given, with the facts of all files. Unknown files,
   * and those of other languages, have none. Rejects with the signal's reason on abort.
   */
  async referencesOf(paths: readonly string[], options: AbortOptions = {}): Promise<readonly FileReferences[]> {
    if (this.#unread.length > 0) await this.update(new Map(), options);
    const found: FileReferences[] = [];
    for (const [index, path] of paths.entries()) {
      if (index % filesAtOnce === filesAtOnce - 1) await this.#options.yieldThread?.();
      options.signal?.throwIfAborted();
      const language = languageOf(path).id;
      const facts = this.#present.get(language)?.get(path)?.facts;
      if (facts === undefined) found.push({ path, references: [], unresolved: 0, precision: "names" });
      else found.push(await this.#resolve(facts, this.#indexOf(language), options.signal));
    }
    return found;
  }

  #resolve(facts: NameFacts, index: NameIndex, signal: AbortSignal | undefined): Promise<FileReferences> {
    return runStepsInTurns(resolveNames(facts, index), async () => {
      await this.#options.yieldThread?.();
      signal?.throwIfAborted();
    });
  }

  /** The paths of the known files of a language, by its id in the registry. */
  paths(language: string): Iterable<string> {
    return [...(this.#present.get(language) ?? [])].flatMap(([path, { facts }]) => (facts === undefined ? [] : [path]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const known of [this.#indexes, this.#present, this.#prepared, this.#replaced]) known.clear();
  }

  #indexOf(language: string): NameIndex {
    return getOrInsert(this.#indexes, language, () => {
      // Sorted by path, so that the result doesn't depend on the order of updates.
      const files = [...this.#present.get(language)!].sort(([a], [b]) => (a < b ? -1 : 1));
      const facts = files.flatMap(([path, one]) => (one.facts === undefined ? [] : [[path, one.facts] as const]));
      return new NameIndex(new Map(facts), languageById(language)!.binder!);
    });
  }

  async #take(path: string, text: string | undefined): Promise<void> {
    const language = languageOf(path).id;
    if (!this.languages.includes(language)) return;
    const files = getOrInsert(this.#present, language, () => new Map<string, KnownText>());
    const present = files.get(path);
    if (text !== undefined && present?.text === text) return;
    this.#indexes.delete(language);
    const next = text === undefined ? undefined : await this.#known(path, text, language);
    if (present !== undefined) this.#replaced.set(path, present);
    if (next === undefined) files.delete(path);
    else files.set(path, next);
  }

  async #known(path: string, text: string, language: string): Promise<KnownText> {
    const read = [this.#replaced.get(path), this.#prepared.get(path)].find((one) => one?.text === text);
    this.#prepared.delete(path);
    return read ?? { text, facts: await this.#read(path, text, language) };
  }

  async #read(path: string, text: string, language: string): Promise<NameFacts | undefined> {
    await this.#options.syntax.load(language);
    const tree = await this.#options.syntax.tryParseInSlices({ language, text });
    if (tree === undefined) return undefined;
    try {
      return await this.#factsOf(path, language, tree);
    } finally {
      tree[Symbol.dispose]();
    }
  }

  async #factsOf(path: string, language: string, tree: SyntaxTree, known?: readonly CodeBlock[]): Promise<NameFacts> {
    const rest = async () => this.#options.yieldThread?.();
    const root = await runStepsInTurns(plainTreeInSlices(tree), rest);
    const { text } = tree;
    const reader = languageById(language)?.binder?.reader;
    if (reader !== undefined) return factReaders[reader](path, text, root);
    const blocks = known ?? (await runStepsInTurns(treeBlocksInSlices(path, tree), rest));
    const names = plainNames({ path, language, text, root, blocks });
    if (text.length >= longCharacters) await rest();
    return names;
  }
}

/** Input for a file whose language has blocks but no reader of names. */
interface PlainSource {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly root: PlainNode;
  readonly blocks: readonly CodeBlock[];
}

/**
 * Reads a file of any language by name alone: blocks are declarations, and every other identifier
 * is a mention, of an unknown object if a member operator such as a dot precedes it. A name behind
 * that of an import is one of the imported module, as `Format` of `money.Format`; behind an
 * imported name with a capital, and behind `::`, members are looked up, too. Local names aren't
 * distinguished from others, so short and common names get too many references.
 */
function plainNames({ path, language, text, root, blocks }: PlainSource): NameFacts {
  const draft = new FactsDraft();
  const indexes = new Map<string, number>();
  const starts = new Set<number>();
  for (const { kind, name, simpleName, nameRange, owner, parts } of blocks) {
    if (nameRange === undefined || simpleName === "") continue;
    starts.add(nameRange.start);
    const isType = /^(class|interface|enum|type)$/.test(kind);
    const at = owner === undefined ? undefined : indexes.get(owner);
    const index = draft.declare({
      kind: isType ? "class" : memberKind(kind, at),
      name: kind === "constructor" ? ".ctor" : simpleName,
      start: nameRange.start,
      ...(at !== undefined && { owner: at }),
      ...(parts !== undefined && { parameters: parts.map((part) => part.name) }),
    });
    if (isType) indexes.set(name, index);
  }
  const within = [...blocks].filter(({ name }) => indexes.has(name));
  const imported = new Set(
    blocks.flatMap(
      ({ kind, range }) => (kind === "import" ? text.slice(range.start, range.end).match(words) : null) ?? [],
    ),
  );
  for (const leaf of leavesOf(root)) {
    if (!/identifier$|^(name|constant)$/.test(leaf.type) || starts.has(leaf.start)) continue;
    const before = text.slice(Math.max(0, leaf.start - maxBefore), leaf.start);
    const isMember = /(\.|->|::)\s*$/.test(before);
    const module = /(?<![\p{L}\p{N}_])([\p{L}\p{N}_]+)(?:\.|::)$/u.exec(before)?.[1];
    const isOfImport = module !== undefined && imported.has(module);
    // An imported name with a capital is mostly a type, whose members are meant.
    const isOfModule = isOfImport && !/^\p{Lu}/u.test(module);
    const isCall = /^\s*[(!]/.test(text.slice(leaf.end, leaf.end + 4));
    const around = within.findLast(({ range }) => range.start <= leaf.start && leaf.end <= range.end);
    const place = around === undefined ? {} : { within: indexes.get(around.name)! };
    const role = isCall ? "call" : leaf.type === "type_identifier" ? "type" : "value";
    const parts = { start: leaf.start, name: text.slice(leaf.start, leaf.end), role } as const;
    draft.mention(place, parts, isMember && !isOfModule ? { of: unknown } : {});
    if (!isOfModule && (isOfImport || before.endsWith("::"))) draft.mention(place, parts, {});
  }
  return draft.facts(path, language);
}

const words = /[\p{L}\p{N}_]+/gu;

/** How much of the text before a name is read for what qualifies it, in UTF-16 units. */
const maxBefore = 80;

function memberKind(
  kind: CodeBlock["kind"],
  owner: number | undefined,
): "method" | "constructor" | "field" | "function" | "variable" {
  if (kind === "constructor") return "constructor";
  const isCode = kind === "function" || kind === "method";
  if (owner !== undefined) return isCode ? "method" : "field";
  return isCode ? "function" : "variable";
}

function* leavesOf(node: PlainNode): Generator<PlainNode> {
  if (node.children.length === 0) yield node;
  else for (const child of node.children) yield* leavesOf(child);
}
