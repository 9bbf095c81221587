import {
  type AtomicChange,
  type CodeBlock,
  DependencyGraph,
  type FileReferences,
  folderDistance,
  type GraphFile,
  impactSteps,
  mayMean,
  type ReadableGraph,
} from "../../codebase/index.ts";
import type { Moment } from "../next-edit-source.ts";
import { namesModule } from "./files-that-feel.ts";
import { KnownReferences, nothingIn } from "./known-references.ts";
import type { PastChange } from "./past-change.ts";
import type { PastReferences } from "./past-references.ts";
import type { ScriptStates } from "./script-states.ts";

/** What {@link NearbyGraphs} works with. */
export interface NearbyGraphsParts {
  readonly states: Pick<ScriptStates, "blocksOf">;
  /** In how many other files dependents are looked for; 12 unless told. */
  readonly maxFiles?: number;
  /** How long these may be together, in UTF-16 units; 400,000 unless told. */
  readonly maxCharacters?: number;
}

/**
 * How scripts near some changed declarations depended on them before the change: those that say their names, the open ones first, then those nearest that name the
 * module. Only these are asked what their names mean.
 *
 * The last graph is kept: while somebody types on, nothing is asked anew.
 */
export class NearbyGraphs {
  readonly #parts: NearbyGraphsParts;
  readonly #known: KnownReferences;
  #last: { readonly references: readonly FileReferences[]; readonly graph: ReadableGraph } | undefined;

  constructor(parts: NearbyGraphsParts) {
    this.#parts = parts;
    this.#known = new KnownReferences(parts.states);
  }

  /** The graph around these changes; `undefined` where none of them is seen by anybody. Rejects as the checker does, and with the signal's reason. */
  async around(
    changes: readonly AtomicChange[],
    changed: ReadonlyMap<string, PastChange>,
    { files, references: known, signal }: NearbyQuestion,
  ): Promise<ReadableGraph | undefined> {
    const declarations = changes.flatMap(declarationsOf);
    if (declarations.length === 0) return undefined;
    const textOf = (path: string) => changed.get(path)?.before ?? files.textOf(path) ?? "";
    const defaults = defaultExports(declarations, textOf);
    const others = this.#filesSaying(declarations, defaults, changed, { files, references: known });
    const own = [...changed.keys()].filter((path) => known.types.knows(path));
    const names = declarations.map(({ name }) => name);
    const namesIn = (path: string) => new Set([...names, ...defaultImports(textOf(path), defaults)]);
    const references = await this.#ask([...own, ...others], namesIn, changed, { references: known, signal });
    const last = this.#last;
    if (last?.references.length === references.length && last.references.every((one, at) => one === references[at]))
      return last.graph;
    const graph = this.#graphOf(references, textOf);
    this.#last = { references, graph };
    return graph;
  }

  /** How these blocks depended on each other before the change. Only files are asked in which one of them says the name of another. Rejects as {@link around}. */
  async among(
    blocks: readonly CodeBlock[],
    changed: ReadonlyMap<string, PastChange>,
    { files, references: known, signal }: NearbyQuestion,
  ): Promise<ReadableGraph> {
    const textOf = (path: string) => changed.get(path)?.before ?? files.textOf(path) ?? "";
    const saysAnother = ({ path, own, simpleName }: CodeBlock) => {
      const said = new Set(textOf(path).slice(own.start, own.end).match(word));
      return blocks.some((other) => other.simpleName !== simpleName && said.has(other.simpleName));
    };
    const names = new Set(blocks.map(({ simpleName }) => simpleName).filter((name) => name !== ""));
    const saying = new Set(blocks.filter(saysAnother).map(({ path }) => path));
    const references = await this.#ask([...saying], () => names, changed, { references: known, signal });
    const others = new Set(blocks.map(({ path }) => path).filter((path) => !saying.has(path)));
    return this.#graphOf([...references, ...[...others].map(nothingIn)], textOf);
  }

  async #ask(
    paths: readonly string[],
    namesIn: (path: string) => ReadonlySet<string>,
    changed: ReadonlyMap<string, PastChange>,
    question: Omit<NearbyQuestion, "files">,
  ): Promise<readonly FileReferences[]> {
    const past = new Map([...changed].map(([path, { before }]) => [path, before] as const));
    const references: FileReferences[] = [];
    for (const path of paths) references.push(await this.#known.of(path, namesIn(path), past, question));
    return references;
  }

  #graphOf(references: readonly FileReferences[], textOf: (path: string) => string): ReadableGraph {
    const graph = new DependencyGraph();
    graph.update(
      references.map((one): GraphFile => {
        return { path: one.path, references: one, blocks: this.#parts.states.blocksOf(one.path, textOf(one.path)) };
      }),
    );
    return graph;
  }

  #filesSaying(
    declarations: readonly Declaration[],
    defaults: ReadonlySet<string>,
    changed: ReadonlyMap<string, PastChange>,
    { files, references }: Pick<NearbyQuestion, "files" | "references">,
  ): readonly string[] {
    const { maxFiles = 12, maxCharacters = 400_000 } = this.#parts;
    const ranks = new Map<string, number>();
    const look = (path: string, words: readonly string[], isMember: boolean) => {
      const near = files.saying(words).flatMap((other) => {
        const open = files.open.indexOf(other);
        return [{ other, rank: open < 0 ? 100 + folderDistance(path, other) : Math.min(open, 99) }];
      });
      // A name that is everywhere is looked for nearby alone.
      near.sort((one, two) => one.rank - two.rank || (one.other < two.other ? -1 : 1));
      for (const { other, rank } of near.slice(0, maxLooked)) {
        if (changed.has(other) || !references.types.knows(other)) continue;
        const isNamed = namesModule(files.textOf(other) ?? "", path);
        // Who has an object need not name the module of its class.
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

/** The files in which one of these is what they export by default, which others call as they like. */
function defaultExports(declarations: readonly Declaration[], textOf: (path: string) => string): ReadonlySet<string> {
  const isDefault = ({ path, name, isMember }: Declaration) => {
    const [, named, listed] = defaultExport.exec(textOf(path)) ?? [];
    return !isMember && (named === name || listed === name);
  };
  return new Set(declarations.filter(isDefault).map(({ path }) => path));
}

/** What a text calls that which may be one of these modules' default exports. */
function defaultImports(text: string, modules: ReadonlySet<string>): readonly string[] {
  if (modules.size === 0) return [];
  const may = (specifier: string) => [...modules].some((path) => mayMean(specifier, path));
  const names = Array.from(text.matchAll(defaultImport), ([, name, specifier]) => (may(specifier!) ? [name!] : []));
  return [...names.flat(), ...Array.from(text.matchAll(/\bdefault\s+as\s+([\w$]+)/g), ([, name]) => name!)];
}

/** The words by which imports name a file. */
function moduleWords(path: string): readonly string[] {
  const steps = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").split("/");
  return (steps.at(-1) === "index" ? (steps.at(-2) ?? "") : steps.at(-1)!).match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
}

const defaultExport =
  /\bexport\s+default\s+(?:(?:async|abstract)\s+)*(?:function\b\s*\*?|class\b)?\s*([\w$]+)|\b([\w$]+)\s+as\s+default\b/;
const defaultImport = /\bimport\s+(?:type\s+)?([\w$]+)\s*(?:,\s*\{[^}]*\}\s*)?from\s*["']([^"'\n]+)["']/g;

/** In how many files that say a name it is looked whether they may mean it. */
const maxLooked = 200;

/** A name. */
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** What is asked of {@link NearbyGraphs} beside the changes. */
export interface NearbyQuestion {
  readonly files: Moment["files"];
  readonly references: PastReferences;
  readonly signal?: AbortSignal | undefined;
}

/** A declaration that changed, and was there before. */
interface Declaration {
  readonly path: string;
  readonly name: string;
  readonly isMember: boolean;
  /** Whether other files cannot name it. */
  readonly isLocal: boolean;
}

/** Whether a change is one of a declaration that was there before, and that others may depend on. */
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
