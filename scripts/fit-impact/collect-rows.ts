import { CaseWorkspace } from "../../bench/impact/case-workspace.ts";
import { CommitTree } from "../../bench/impact/commit-tree.ts";
import type { ImpactCase } from "../../bench/impact/impact-case.ts";
import { seedTexts } from "../../bench/impact/seed-edit.ts";
import { cloneOf } from "../../bench/repositories.ts";
import { analyseImpact } from "../../src/analysis/impact/impact-analysis.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import { type ImpactRow, rowsOf } from "./impact-row.ts";

/**
 * Analyses one case as `npm run bench:impact` does, and gives its rows. `isAnalysed` is true for
 * the files in scope.
 */
export async function collectRows(
  one: ImpactCase,
  clones: string,
  isAnalysed: (path: string) => boolean,
  syntax: Syntax,
): Promise<ImpactRow[]> {
  const git = cloneOf(clones, one.repo);
  const before = new CommitTree(git, one.parent);
  const after = new CommitTree(git, one.commit);
  const workspace = await CaseWorkspace.open(before, isAnalysed, syntax);
  try {
    const texts = seedTexts(one, before, after, (path, text) => workspace.reader.tryBlocks(path, text) ?? []);
    const report = await analyseImpact({
      changed: new Map([...texts].map(([path, text]) => [path, { before: workspace.textOf(path), after: text }])),
      graphs: { before: workspace.graph },
      textOf: (path) => workspace.textOf(path),
      blocksOf: (path, text) => workspace.blocksOf(path, text),
      treeOf: (path, text) => workspace.reader.tryScript(path, text),
      checker: { checker: workspace.checker, before: workspace.errors },
    });
    return rowsOf(one, report, workspace.graph);
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}
