/**
 * The pass with TypeScript 6's API, in a process of its own:
 * `tsx bench/graph/typescript6-pass.ts DIR [--pairs]`, prints a report as JSON.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ts } from "@ts-morph/common";
import { BlockReader, DependencyGraph } from "../../src/analysis/index.ts";
import { scriptProject } from "../../src/names/index.ts";
import { parseScriptTree } from "../../src/names/node/index.ts";
import { openSyntax } from "../../src/syntax/node/index.ts";
import { blockPairs, countEdges, type PassReport } from "./pass-report.ts";
import { TypeScript6References } from "./typescript6-references.ts";
import { openWorkspace } from "./workspace.ts";

const [root, ...flags] = process.argv.slice(2);
const workspace = await openWorkspace(root!);
const reader = new BlockReader({ parseScript: parseScriptTree, syntax: openSyntax() });
await reader.load(workspace.scripts);
const started = { cpu: process.cpuUsage(), wall: performance.now() };

// Both are given the same project and the same libraries, so that both see the same types.
const { config, scripts } = await scriptProject(workspace);
const { options } = ts.convertCompilerOptionsFromJson(JSON.parse(config).compilerOptions, root!);
const native = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
const libraries = join(
  dirname(native.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
  "lib",
);
const host = ts.createCompilerHost(options);
host.getDefaultLibLocation = () => libraries;
host.getDefaultLibFileName = (all) => join(libraries, ts.getDefaultLibFileName(all));
host.getCurrentDirectory = () => root!;
const program = ts.createProgram(
  scripts.map((path) => `${root}/${path}`),
  options,
  host,
);
const known = new Map(scripts.map((path) => [`${root}/${path}`, path]));
const references = new TypeScript6References(program, (path) => known.get(path));
const graph = new DependencyGraph();
let lines = 0;
const files = scripts.flatMap((path) => {
  const found = references.of(`${root}/${path}`);
  const text = program.getSourceFile(`${root}/${path}`)?.text;
  if (found === undefined || text === undefined) return [];
  lines += text.split("\n").length;
  return [{ path, blocks: reader.tryBlocks(path, text) ?? [], references: found }];
});
graph.update(files);

const { user, system } = process.cpuUsage(started.cpu);
const report: PassReport = {
  ...{ files: graph.size.files, lines, blocks: graph.size.blocks, edges: countEdges(graph) },
  cpuMs: (user + system) / 1000,
  wallMs: performance.now() - started.wall,
  peakMb: process.resourceUsage().maxRSS / 1024,
  ...(flags.includes("--pairs") && { pairs: blockPairs(graph) }),
};
console.log(JSON.stringify(report));
