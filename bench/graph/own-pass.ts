/**
 * The pass with our own graph, then edits: `tsx bench/graph/own-pass.ts DIR [--pairs] [--edits N]`,
 * prints a report as JSON.
 */

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { BlockReader, WorkspaceGraph } from "../../src/analysis/index.ts";
import { TypeScriptSource } from "../../src/analysis/node/index.ts";
import { parseScriptTree } from "../../src/names/node/index.ts";
import { openSyntax } from "../../src/syntax/node/index.ts";
import { bodyEdits, type FileEdit, signatureEdits } from "./file-edits.ts";
import { blockPairs, countEdges, type EditReport, type OwnReport } from "./pass-report.ts";
import { cpuMsOfAll, peakMbOfAll } from "./process-usage.ts";
import { openWorkspace } from "./workspace.ts";

const [root, ...flags] = process.argv.slice(2);
const edits = Number(flags[flags.indexOf("--edits") + 1] ?? 0) || 0;
const workspace = await openWorkspace(root!);
const reader = new BlockReader({ parseScript: parseScriptTree, syntax: openSyntax() });
await reader.load(workspace.scripts);
const textOf = (path: string) => readFileSync(`${root}/${path}`, "utf8");
// Libraries are loaded before the clock starts, as in the pass that this is compared with.
await Promise.all([import("typescript/unstable/async"), import("typescript/unstable/ast")]);
const started = { cpu: cpuMsOfAll(), wall: performance.now() };

const source = await TypeScriptSource.open(workspace);
const workspaceGraph = new WorkspaceGraph({ reader, sources: [source], yieldThread: () => setImmediate() });
await workspaceGraph.build([...source.scripts], workspace.readText);
const { graph } = workspaceGraph;

const took = { cpuMs: cpuMsOfAll() - started.cpu, wallMs: performance.now() - started.wall, peakMb: peakMbOfAll() };
const report: OwnReport = {
  ...{ files: graph.size.files, blocks: graph.size.blocks, edges: countEdges(graph), ...took },
  lines: [...graph.paths].reduce((sum, path) => sum + textOf(path).split("\n").length, 0),
  ...(flags.includes("--pairs") && { pairs: blockPairs(graph) }),
  ...(edits > 0 && {
    bodyEdits: await measured(bodyEdits(graph, textOf, edits)),
    signatureEdits: await measured(signatureEdits(graph, textOf, Math.ceil(edits / 4))),
  }),
};
console.log(JSON.stringify(report));
await source[Symbol.asyncDispose]();

/** Makes each edit and takes it back, which is another edit. */
async function measured(all: readonly FileEdit[]): Promise<EditReport[]> {
  const reports: EditReport[] = [];
  for (const { path, offset, inserted, block, dependentFiles } of all) {
    const text = textOf(path);
    for (const after of [text.slice(0, offset) + inserted + text.slice(offset), text]) {
      const before = { cpu: cpuMsOfAll(), wall: performance.now() };
      const { resolved } = await workspaceGraph.update(new Map([[path, after]]));
      const wallMs = performance.now() - before.wall;
      reports.push({
        ...{ path, block: block.name, dependentFiles, resolvedFiles: resolved.length },
        ...{ wallMs, cpuMs: cpuMsOfAll() - before.cpu },
      });
    }
  }
  return reports;
}
