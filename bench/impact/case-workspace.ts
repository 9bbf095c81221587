import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FileDiagnostic } from "../../src/analysis/diagnostics/type-checker.ts";
import { BlockReader } from "../../src/analysis/graph/block-reader.ts";
import { changedGraph, type ReadableGraph } from "../../src/analysis/graph/changed-graph.ts";
import type { CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { DependencyGraph } from "../../src/analysis/graph/dependency-graph.ts";
import { filesOfTree, TypeScriptSource } from "../../src/analysis/node/index.ts";
import { parseScriptTree } from "../../src/names/node/index.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import type { ChangedText } from "../../src/workspace/texts/text-overlay.ts";
import type { CommitTree } from "./commit-tree.ts";

/**
 * A repository as it was at a commit: nothing is checked out, and no package is installed but
 * Node's own types.
 */
export class CaseWorkspace implements AsyncDisposable {
  readonly graph: DependencyGraph;
  readonly checker: TypeScriptSource;
  /** What the type checker reports of the text before. */
  readonly errors: readonly FileDiagnostic[];
  readonly reader: BlockReader;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #blocks = new Map<string, { readonly text: string; readonly blocks: readonly CodeBlock[] }>();

  private constructor(parts: OpenedParts) {
    this.graph = new DependencyGraph();
    this.checker = parts.checker;
    this.errors = parts.errors;
    this.reader = parts.reader;
    this.#texts = parts.texts;
  }

  /**
   * Opens the files of a commit that `isAnalysed` takes; all its scripts can be imported by them.
   * Without `graph` the graph stays empty.
   */
  static async open(
    tree: CommitTree,
    isAnalysed: (path: string) => boolean,
    syntax: Syntax,
    { graph = true }: { readonly graph?: boolean } = {},
  ): Promise<CaseWorkspace> {
    const readable = tree.paths.filter((path) => /\.([cm]?[tj]sx?|json)$/.test(path));
    tree.load(readable);
    const texts = new Map(nodeTypes());
    for (const path of readable) texts.set(path, tree.text(path)!);
    const scripts = readable.filter(isAnalysed);
    const configs = readable.filter(
      (path) => /(^|\/)([tj]sconfig[^/]*|package)\.json$/.test(path) && !outside.test(path),
    );
    const checker = await TypeScriptSource.open({
      root: "/repository",
      paths: [...scripts, ...configs],
      readText: async (path) => texts.get(path),
      files: filesOfTree("/repository", texts),
    });
    const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
    await reader.load(scripts);
    const errors = await checker.errorsOf(undefined);
    const workspace = new CaseWorkspace({ checker, errors, reader, texts });
    if (!graph) return workspace;
    const references = await checker.referencesOf(scripts);
    workspace.graph.update(
      scripts.map((path, index) => ({
        path,
        blocks: workspace.blocksOf(path, texts.get(path)!),
        references: references[index]!,
      })),
    );
    return workspace;
  }

  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** The blocks of a text; those requested last of each file are kept. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const known = this.#blocks.get(path);
    if (known?.text === text) return known.blocks;
    const blocks = this.reader.tryBlocks(path, text) ?? [];
    this.#blocks.set(path, { text, blocks });
    return blocks;
  }

  /** The graph as a change would leave it. */
  graphAfter(changed: ReadonlyMap<string, ChangedText>): Promise<ReadableGraph> {
    return changedGraph({
      ...{ graph: this.graph, changed, sources: [this.checker] },
      textOf: (path) => this.textOf(path),
      blocksOf: (path, text) => this.blocksOf(path, text),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.checker[Symbol.asyncDispose]();
  }
}

interface OpenedParts {
  readonly checker: TypeScriptSource;
  readonly errors: readonly FileDiagnostic[];
  readonly reader: BlockReader;
  readonly texts: ReadonlyMap<string, string>;
}

const outside = /(^|\/)(node_modules|fixtures|examples|templates|playground)\//;

/** The types of Node, as the repositories' own installations would have them. */
export function nodeTypes(): Map<string, string> {
  const texts = new Map<string, string>();
  const read = (folder: string, place: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) read(join(folder, entry.name), `${place}/${entry.name}`);
      else texts.set(`${place}/${entry.name}`, readFileSync(join(folder, entry.name), "utf8"));
    }
  };
  const require = createRequire(import.meta.url);
  for (const name of ["@types/node", "undici-types"]) {
    read(dirname(require.resolve(`${name}/package.json`)), `node_modules/${name}`);
  }
  return texts;
}
