/**
 * CodePlan's own public tasks:
 * `npm run bench:codeplan -- ARTIFACT --repositories CLONES [--model NAME]`.
 *
 * `bench/README.md` describes what is measured.
 */

import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BlockReader } from "../src/analysis/graph/block-reader.ts";
import type { CodeBlock } from "../src/analysis/graph/code-block.ts";
import { parseScriptTree } from "../src/names/node/parse-script-tree.ts";
import { openSyntax } from "../src/syntax/node/open-syntax.ts";
import { errorMessage } from "../src/text/index.ts";
import { type FoundBlocks, findBlocks, plainFound, printFound, printFoundTable } from "./codeplan/find-blocks.ts";
import { type OpenTask, openTask } from "./codeplan/open-task.ts";
import { type Script, serveScripted } from "./codeplan/scripted-model.ts";
import { tasks } from "./codeplan/tasks.ts";
import { plainModelResult, printModelResult, tryModel } from "./codeplan/try-model.ts";

const options = readOptions();
const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
await reader.load(["a.py", "a.cs"]);
const known = new Map<string, readonly CodeBlock[]>();
const plain: unknown[] = [];
const found: FoundBlocks[] = [];
let at = "";
try {
  for (const task of tasks.filter(({ id }) => options.only === undefined || options.only === id)) {
    at = task.title;
    const open = openTask(task, options, blocksOf);
    if (options.model === undefined) await find(open);
    else await plan(open, options.model);
    // What is done is kept, for a model may take hours.
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(plain, undefined, 2)}\n`);
  }
  if (found.length > 0) console.log(printFoundTable(found));
} catch (error) {
  // A missing part is reported as it is: a clone, a commit, a list of the artifact, a model.
  fail(`${at}: ${errorMessage(error)}`);
} finally {
  syntax[Symbol.dispose]();
}

async function find(open: OpenTask): Promise<void> {
  const result = await findBlocks(open, { ...options, blocksOf, syntax });
  found.push(result);
  plain.push(plainFound(result));
  console.log(printFound(result, options));
}

async function plan(open: OpenTask, name: string): Promise<void> {
  const script = /^scripted:(target|garbage)$/.exec(name)?.[1] as Script | undefined;
  const scripted = script && (await serveScripted(script, open, blocksOf));
  try {
    const result = await tryModel(open, { ...options, blocksOf, model: scripted?.name ?? name, ...outputOptions() });
    plain.push(plainModelResult(result));
    console.log(
      `\n${printModelResult({ ...result, model: script === undefined ? name : `scripted, not a model: ${script}` })}`,
    );
  } finally {
    await scripted?.[Symbol.asyncDispose]();
  }
}

/** With `--verbose`, a plan reports its progress. */
function outputOptions() {
  return options.isVerbose ? { onOutput: (text: string) => void process.stderr.write(text) } : {};
}

function blocksOf(path: string, text: string): readonly CodeBlock[] {
  const key = `${path}\n${text}`;
  const blocks = known.get(key) ?? reader.tryBlocks(path, text) ?? [];
  known.set(key, blocks);
  return blocks;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ repositories: { type: "string" }, model: { type: "string" }, json: { type: "string" } },
      ...{ only: { type: "string" }, verbose: { type: "boolean" }, verify: { type: "string" } },
      ...{ "every-seed": { type: "boolean" }, pyright: { type: "boolean" }, "max-steps": { type: "string" } },
    },
  });
  const [artifact] = positionals;
  const { repositories: clones, only, json, model, verify: verifier } = values;
  if (artifact === undefined || clones === undefined)
    return fail(
      "Usage: npm run bench:codeplan -- ARTIFACT --repositories CLONES [--only t1|t2|t3|ext1|ext2] [--every-seed] [--pyright] [--model NAME [--max-steps N] [--verify CMD]] [--verbose] [--json FILE]",
    );
  if (!existsSync(artifact)) return fail(`There is no ${artifact}. Clone microsoft/CodePlan there.`);
  if (only !== undefined && !tasks.some(({ id }) => id === only))
    return fail(`There is no task ${only}. Name one of ${tasks.map(({ id }) => id).join(", ")}.`);
  const maxSteps = values["max-steps"] === undefined ? undefined : Number(values["max-steps"]);
  if (maxSteps !== undefined && !(Number.isInteger(maxSteps) && maxSteps > 0))
    return fail(`--max-steps is ${values["max-steps"]}. Give a whole number from 1 on.`);
  if (model === undefined && (maxSteps !== undefined || verifier !== undefined))
    return fail("--max-steps and --verify are for a plan with a model: name one with --model.");
  return {
    ...{ artifact, clones, only, json, model, maxSteps, verifier },
    isVerbose: values.verbose === true,
    isEverySeed: values["every-seed"] === true,
    usesPyright: values.pyright === true,
  };
}
