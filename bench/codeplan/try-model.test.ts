import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BlockReader } from "../../src/analysis/graph/block-reader.ts";
import { blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { GitRepository } from "../../src/cli/fixtures/git-repository.ts";
import { parseScriptTree } from "../../src/names/node/parse-script-tree.ts";
import { openSyntax } from "../../src/syntax/node/open-syntax.ts";
import type { OpenTask } from "./open-task.ts";
import { scorePrediction } from "./score-prediction.ts";
import { type Script, serveScripted } from "./scripted-model.ts";
import { TargetBlocks } from "./target-blocks.ts";
import { isCounted } from "./task-blocks.ts";
import { diffText } from "./text-scores.ts";
import { carryOutTask } from "./try-model.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.cs"]));
afterAll(() => syntax[Symbol.dispose]());

const blocksOf = (path: string, text: string): readonly CodeBlock[] => reader.tryBlocks(path, text) ?? [];

// A clock asks for a zone, which a log keeps in a new field that its new constructor fills, and
// which its user names.
const source = {
  "Clock.cs":
    "namespace Shop\n{\n    public class Clock\n    {\n        public int Now()\n        {\n            return 1;\n        }\n    }\n}\n",
  "Log.cs":
    "namespace Shop\n{\n    public class Log\n    {\n        private Clock _clock = new Clock();\n\n        public string Line(string text)\n        {\n            return _clock.Now() + text;\n        }\n    }\n}\n",
  "Shop.cs":
    'namespace Shop\n{\n    public class Till\n    {\n        public string Sell()\n        {\n            return new Log().Line("sold");\n        }\n\n        public int Count()\n        {\n            return 2;\n        }\n    }\n}\n',
};
const target = {
  "Clock.cs": source["Clock.cs"].replace("Now()", "Now(string zone)").replace("1;", "zone.Length;"),
  "Log.cs": source["Log.cs"]
    .replace("Now()", "Now(_zone)")
    .replace(
      "        public string Line",
      "        private string _zone;\n\n        public Log(string zone)\n        {\n            _zone = zone;\n        }\n\n        public string Line",
    ),
  "Shop.cs": source["Shop.cs"].replace("new Log()", 'new Log("UTC")'),
};

/** A small task that begins with the clock. */
function openSmallTask(): OpenTask {
  const repository = GitRepository.of(source);
  onTestFinished(() => repository.remove());
  const texts = { source: new Map(Object.entries(source)), target: new Map(Object.entries(target)) };
  const blocks = new TargetBlocks(texts, blocksOf);
  const changed = blocks.changes.filter(({ before, after }) => isCounted(after ?? before!));
  const targets = new Map(
    changed.map(({ before, after }) => {
      const id = blockId(before ?? after!);
      return [id, { id, block: after ?? before!, isNew: before === undefined, isSame: false }];
    }),
  );
  const paper = { run: "none", matched: 0, targets: 0, spurious: 0 };
  return {
    task: { id: "t1", title: "a clock with zones", extension: ".cs", manner: "plain", paper, seeds: {} },
    tree: { git: repository.folder, name: "HEAD" },
    ...{ texts, target: blocks, targets: [...targets.values()], unplaced: [], seeds: ["Clock.cs|method:Clock.Now"] },
  };
}

async function planWith(script: Script) {
  const open = openSmallTask();
  const model = await serveScripted(script, open, blocksOf);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const carried = await carryOutTask(open, { blocksOf, model: model.name, maxSteps: 20, verifier: undefined });
  const prediction = { texts: open.texts, predicted: carried.predicted, targets: open.targets, unplaced: 0 };
  return { ...carried, model: model.name, scores: scorePrediction(prediction, { blocksOf, diffOf: diffText }) };
}

describe("a plan with a server that", () => {
  test("knows the target comes to it", { timeout: 60_000 }, async () => {
    const { scores, state, predicted, modelCalls, model } = await planWith("target");
    expect(model).toMatch(/#scripted-target$/);
    expect(Object.fromEntries(predicted)).toEqual(target);
    expect(scores).toMatchObject({
      matched: [
        "Clock.cs|method:Clock.Now",
        "Log.cs|field:Log._zone",
        "Log.cs|constructor:Log.Log",
        "Log.cs|method:Log.Line",
        "Shop.cs|method:Till.Sell",
      ],
      ...{ missed: [], spurious: [], publishedDiffBleu: 1, honestDiffBleu: 1, levenshtein: 0 },
    });
    expect(modelCalls).toBeGreaterThan(1);
    expect(state.ended?.why).toBe("done");
  });

  test("without a usable answer leaves the rest to a person", { timeout: 60_000 }, async () => {
    const { scores, state, predicted } = await planWith("garbage");
    expect(scores.matched).toEqual(["Clock.cs|method:Clock.Now"]);
    expect(scores.missed).toHaveLength(4);
    expect(scores.honestDiffBleu).toBeCloseTo(1 / 3);
    expect(scores.publishedDiffBleu).toBeCloseTo(1);
    expect(predicted.get("Log.cs")).toBe(source["Log.cs"]);
    expect(state.ended?.why).toBe("obligations");
  });
});
