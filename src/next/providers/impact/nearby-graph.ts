import {
  type AtomicChange,
  type CodeBlock,
  DependencyGraph,
  type FileReferences,
  type GraphFile,
  impactSteps,
  mayResolveTo,
  type ParseCache,
  type ReadableGraph,
  type TypeCheckCache,
} from "../../../analysis/index.ts";
import { anyIdentifier } from "../../../text/index.ts";
import { folderDistance, overlayAt } from "../../../workspace/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { namesModule } from "../types/dependents.ts";
import type { PastChange } from "../types/past-change.ts";
import { nothingIn, ReferenceCache } from "../types/references.ts";

/** The dependencies of {@link NearbyGraphs}. */
export interface NearbyGraphsParts {
  readonly states: Pick<ParseCache, "blocksOf" | "blocksInSlices">;
  /** The most other files in which dependents are searched. Default: 12. */
  readonly maxFiles?: number;
  /** The most UTF-16 units of these files together. Default: 400,000. */
  readonly maxCharacters?: number;
}

/**
 * Builds dependency graphs of the scripts near changed declarations, as they were before the
 * change: the files that contain the names and name the module, open files first, then the nearest.
 * Only these files' references are requested.
 *
 * The last graph is cached: while the person types on, no reference is requested again.
 */
export class NearbyGraphs {
  readonly #parts: NearbyGraphsParts;
  readonly #known: ReferenceCache;
  #last: { readonly references: readonly FileReferences[]; readonly graph: ReadableGraph } | undefined;

  constructor(parts: NearbyGraphsParts) {
    this.#parts = parts;
    this.#known = new ReferenceCache(parts.states);
  }

  /**
   * Returns the graph around these changes; `undefined` where no other code can see any of them.
   * Rejects as the checker does, and with the signal's reason.
   */
  async around(
    changes: readonly AtomicChange[],
    changed: ReadonlyMap<string, PastChange>,
    { files, types, signal }: NearbyQuestion,
  ): Promise<ReadableGraph | undefined> {
    const declarations = changes.flatMap(declarationsOf);
    if (declarations.length === 0) return undefined;
    const textOf = (path: string) => changed.get(path)?.before ?? files.textOf(path) ?? "";
    const defaults = defaultExports(declarations, textOf);
    const others = this.#filesUsing(declarations, defaults, changed, { files, types });
    const own = [...changed.keys()].filter((path) => types.knows(path));
    types.expect([...own, ...others]);
    const names = declarations.map(({ name }) => name);
    const namesIn = (path: string) => new Set([...names, ...defaultImports(textOf(path), defaults)]);
    const references = await this.#referencesOf([...own, ...others], namesIn, changed, { types, signal });
    const last = this.#last;
    if (last?.references.length === references.length && last.references.every((one, at) => one === references[at]))
      return last.graph;
    const graph = await this.#graphOf(references, textOf, signal);
    this.#last = { references, graph };
    return graph;
  }

  /** Drops what is known of a file. */
  forget(path: string): void {
    this.#known.forget(path);
    this.#last = undefined;
  }

  /**
   * Returns the dependencies between these blocks before the change. References are requested only
   * for files in which one of the blocks contains the name of another. Rejects as {@link around}
   * does.
   */
  async among(
    blocks: readonly CodeBlock[],
    changed: ReadonlyMap<string, PastChange>,
    { files, types, signal }: NearbyQuestion,
  ): Promise<ReadableGraph> {
    const textOf = (path: string) => changed.get(path)?.before ?? files.textOf(path) ?? "";
    const namesAnother = ({ path, ownRange, simpleName }: CodeBlock) => {
      const words = new Set(textOf(path).slice(ownRange.start, ownRange.end).match(anyIdentifier));
      return blocks.some((other) => other.simpleName !== simpleName && words.has(other.simpleName));
    };
    const names = new Set(blocks.map(({ simpleName }) => simpleName).filter((name) => name !== ""));
    const filesUsing = new Set(blocks.filter(namesAnother).map(({ path }) => path));
    const references = await this.#referencesOf([...filesUsing], () => names, changed, { types, signal });
    const others = new Set(blocks.map(({ path }) => path).filter((path) => !filesUsing.has(path)));
    return this.#graphOf([...references, ...[...others].map(nothingIn)], textOf, signal);
  }

  async #referencesOf(
    paths: readonly string[],
    namesIn: (path: string) => ReadonlySet<string>,
    changed: ReadonlyMap<string, PastChange>,
    question: Omit<NearbyQuestion, "files">,
  ): Promise<readonly FileReferences[]> {
    const past = overlayAt("before", changed);
    const references: FileReferences[] = [];
    for (const path of paths) references.push(await this.#known.of(path, namesIn(path), past, question));
    return references;
  }

  async #graphOf(
    references: readonly FileReferences[],
    textOf: (path: string) => string,
    signal: AbortSignal | undefined,
  ): Promise<ReadableGraph> {
    const files: GraphFile[] = [];
    for (const one of references) {
      const blocks = await this.#parts.states.blocksInSlices(one.path, textOf(one.path), { signal });
      files.push({ path: one.path, references: one, blocks });
    }
    const graph = new DependencyGraph();
    graph.update(files);
    return graph;
  }

  #filesUsing(
    declarations: readonly Declaration[],
    defaults: ReadonlySet<string>,
    changed: ReadonlyMap<string, PastChange>,
    { files, types }: Pick<NearbyQuestion, "files" | "types">,
  ): readonly string[] {
    const { maxFiles = 12, maxCharacters = 400_000 } = this.#parts;
    const ranks = new Map<string, number>();
    const look = (path: string, words: readonly string[], isMember: boolean) => {
      const near = files.containing(words).flatMap((other) => {
        const open = files.open.indexOf(other);
        return [{ other, rank: open < 0 ? 100 + folderDistance(path, other) : Math.min(open, 99) }];
      });
      // A name that many files contain is searched in the nearest ones only.
      near.sort((one, two) => one.rank - two.rank || (one.other < two.other ? -1 : 1));
      for (const { other, rank } of near.slice(0, maxLooked)) {
        if (changed.has(other) || !types.knows(other)) continue;
        const isNamed = namesModule(files.textOf(other) ?? "", path);
        // Code that uses an object's member need not import the module of its class.
        if (!isNamed && !isMember) continue;
        ranks.set(other, Math.min(rank + (isNamed ? 0 : 1_000), ranks.get(other) ?? Number.POSITIVE_INFINITY));
      }
    };
    for (const { path, name, isMember, isLocal } of declarations) if (!isLocal) look(path, [name], isMember);
    for (const path of defaults) look(path, moduleWords(path), false);
    const sorted = [...ranks].sort(([one, a], [two, b]) => a - b || (one < two ? -1 : 1)).map(([path]) => path);
    const found: string[] = [];
    let characters = 0;
    for (const path of sorted) {
      const { length } = files.textOf(path) ?? "";
      if (found.length === maxFiles) break;
      if (characters + length > maxCharacters) continue;
      characters += length;
      found.push(path);
    }
    return found;
  }
}

/**
 * Returns the files whose default export is one of these declarations; importers may give it any
 * name.
 */
function defaultExports(declarations: readonly Declaration[], textOf: (path: string) => string): ReadonlySet<string> {
  const isDefault = ({ path, name, isMember }: Declaration) => {
    const [, named, listed] = defaultExport.exec(textOf(path)) ?? [];
    return !isMember && (named === name || listed === name);
  };
  return new Set(declarations.filter(isDefault).map(({ path }) => path));
}

/** Returns the names that a text gives to what may be a default export of one of these modules. */
function defaultImports(text: string, modules: ReadonlySet<string>): readonly string[] {
  if (modules.size === 0) return [];
  const may = (specifier: string) => [...modules].some((path) => mayResolveTo(specifier, path));
  const names = Array.from(text.matchAll(defaultImport), ([, name, specifier]) => (may(specifier!) ? [name!] : []));
  return [...names.flat(), ...Array.from(text.matchAll(/\bdefault\s+as\s+([\w$]+)/g), ([, name]) => name!)];
}

/** Returns the words by which imports name a file. */
function moduleWords(path: string): readonly string[] {
  const steps = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").split("/");
  return (steps.at(-1) === "index" ? (steps.at(-2) ?? "") : steps.at(-1)!).match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
}

const defaultExport =
  /\bexport\s+default\s+(?:(?:async|abstract)\s+)*(?:function\b\s*(?:\*\s*)?|class\b\s*)?([\w$]+)|(?<![\w$])([\w$]+)\s+as\s+default\b/;
const defaultImport = /\bimport\s+(?:type\s+)?([\w$]+)\s*(?:,\s*\{[^{}]*\}\s*)?from\s*["']([^"'\n]+)["']/g;

/** The most files containing a name that are searched for a use of it. */
const maxLooked = 200;

/** A name. */

/** The input of {@link NearbyGraphs} beside the changes. */
export interface NearbyQuestion {
  readonly files: NextEditContext["files"];
  readonly types: TypeCheckCache;
  readonly signal?: AbortSignal | undefined;
}

/** A declaration that changed and existed before. */
interface Declaration {
  readonly path: string;
  readonly name: string;
  readonly isMember: boolean;
  /** Whether other files cannot refer to it. */
  readonly isLocal: boolean;
}

/** Whether a change is one of a declaration that existed before and that others may depend on. */
export function isSeenByOthers(change: AtomicChange): boolean {
  return declarationsOf(change).length > 0;
}

function declarationsOf(change: AtomicChange): readonly Declaration[] {
  const { before, removedNames, changedNames } = change;
  if (before === undefined || impactSteps(change).length === 0) return [];
  const { kind, owner, path, isExported, parts = [] } = before;
  if (/^(import|export|statement|test|namespace)$/.test(kind)) return [];
  const name = kind === "constructor" ? (owner?.split(".").at(-1) ?? "") : before.simpleName;
  const isLocal = owner === undefined && !isExported;
  const others = new Set([...removedNames, ...changedNames]);
  const members = parts.filter((part) => part.kind === "member" && others.has(part.name));
  const isMember = owner !== undefined && kind !== "constructor";
  return [
    ...(name === "" ? [] : [{ path, name, isMember, isLocal }]),
    ...members.map((part) => ({ path, name: part.name, isMember: true, isLocal })),
  ];
}
