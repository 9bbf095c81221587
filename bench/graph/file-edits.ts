import type { CodeBlock, DependencyGraph } from "../../src/analysis/index.ts";

/** One edit of one file: what is put in at an offset. */
export interface FileEdit {
  readonly path: string;
  readonly block: CodeBlock;
  readonly offset: number;
  readonly inserted: string;
  /** How many files depend on the file. */
  readonly dependentFiles: number;
}

/**
 * A statement at the start of a function's body, in up to `count` files, spread evenly over all.
 */
export function bodyEdits(graph: DependencyGraph, textOf: (path: string) => string, count: number): FileEdit[] {
  const all = [...graph.paths].flatMap((path) => {
    const block = graph.blocksOf(path).find((one) => bodyStart(one, textOf(path)) !== undefined);
    if (block === undefined) return [];
    const offset = bodyStart(block, textOf(path))! + 1;
    return [{ path, block, offset, inserted: " void 0;", dependentFiles: graph.dependentFiles(path).size }];
  });
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]!);
}

/**
 * One more optional parameter of the functions that most files depend on, one in each of up to
 * `count` files.
 */
export function signatureEdits(graph: DependencyGraph, textOf: (path: string) => string, count: number): FileEdit[] {
  const files = Array.from(graph.paths, (path) => ({ path, dependentFiles: graph.dependentFiles(path).size }));
  files.sort((a, b) => b.dependentFiles - a.dependentFiles || (a.path < b.path ? -1 : 1));
  const edits: FileEdit[] = [];
  for (const { path, dependentFiles } of files) {
    if (edits.length === count) break;
    for (const block of graph.blocksOf(path)) {
      const last = block.parts?.findLast(({ kind }) => kind === "parameter")?.range.end;
      const text = textOf(path);
      const isPlain = block.kind === "function" || block.kind === "method";
      if (!isPlain || !block.isExported || last === undefined || text[last] !== ")") continue;
      edits.push({ path, block, offset: last, inserted: ", added?: number", dependentFiles });
      break;
    }
  }
  return edits;
}

function bodyStart({ kind, signature }: CodeBlock, text: string): number | undefined {
  const end = signature.at(-1)!.end;
  return (kind === "function" || kind === "method") && text[end] === "{" ? end : undefined;
}
