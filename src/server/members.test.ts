import { afterEach, expect, test } from "vitest";
import { filesOfTree, TypeScriptService } from "../analysis/node/index.ts";
import type { Model } from "../model/index.ts";
import { systemClock } from "../workspace/node/index.ts";
import { TestClient } from "./fixtures/test-client.ts";
import { TypeScriptMembers } from "./session/index.ts";

const files = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [], lib: ["es2022"] } }),
  "box.ts": "export interface Box { right: number; left: number }\n",
};

const uri = "file:///w/use.ts";
const typed = "import type { Box } from './box';\n\nexport function width(box: Box) {\n  return box.|\n}\n";

let client: TestClient | undefined;
afterEach(() => client?.[Symbol.asyncDispose]());

/** An editor whose model has one answer, and what is offered then, by key. */
async function offered(answer: string, members: "on" | "off"): Promise<readonly string[]> {
  const model: Model = {
    name: "ollama:scripted",
    async *fill() {
      yield { kind: "text-delta", text: answer };
      return { reason: "finished" };
    },
  };
  const config = { "/w/emend.config.json": JSON.stringify({ complete: { members } }) };
  const onDisk = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/w/${path}`, text]));
  client = await TestClient.start({
    files: { ...onDisk, ...config },
    model,
    host: {
      openMembers: (root, limits) =>
        new TypeScriptMembers({
          ...{ root, clock: systemClock, timeoutMs: 30_000, ...limits },
          open: () => new TypeScriptService({ root, files: filesOfTree(root, new Map(Object.entries(files))) }),
        }),
    },
  });
  const place = await client.open(uri, typed, "typescript");
  const items = await client.complete(place, { context: { triggerKind: 1 } });
  return items.map(({ insertText }) => (typeof insertText === "string" ? insertText : insertText.value));
}

test.each([
  ["a member that there is", "left - box.right;", "on", ["  return box.left - box.right;"]],
  ["one that is not", "middle;", "on", []],
  ["what comes before one that is not", "left - box.middle;", "on", ["  return box.left - box"]],
  ["anything, unless it is switched on", "middle;", "off", ["  return box.middle;"]],
] as const)("an editor is offered %s", async (_, answer, members, expected) => {
  const all = await offered(answer, members);
  expect(all.map((text) => (text.startsWith("  return") ? text : `  return box.${text}`))).toEqual(expected);
});
