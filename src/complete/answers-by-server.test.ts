import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Prompt } from "../context/index.ts";
import { openModel } from "../model/index.ts";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { wires } from "../model/node/fixtures/wire.ts";
import { webHost } from "../model/node/web-host.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { systemClock } from "../workspace/node/index.ts";
import { AcceptanceModel } from "./feedback/acceptance-model.ts";
import { GhostTextEngine } from "./ghost-text-engine.ts";
import type { GhostTextRequest } from "./request.ts";
import { defaultGhostTextSettings } from "./settings.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** llama.cpp's `/infill`. */
const [wire] = wires;

/**
 * The text that accepting the suggestion makes, or the last line of the trace where there is none.
 */
async function ask(path: string, language: string, marked: string, answer: string): Promise<string> {
  const frames = answer.match(/[\s\S]{1,3}/g)!;
  const server = await ScriptedServer.start(() => ({ headers: wire!.headers, chunks: wire!.frames(frames) }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const model = openModel(`llamacpp:${server.url}`, webHost({ environment: {}, settings: { retries: 0 } }));
  const engine = new GhostTextEngine({
    models: [model],
    prompt: (request) => promptOf(request),
    access: () => ({ kind: "allowed" }),
    ...{ syntax, clock: systemClock, settings: defaultGhostTextSettings, acceptance: new AcceptanceModel() },
  });
  try {
    const text = marked.replace("‸", "");
    const document = { uri: `file:///${path}`, language, version: 1, text };
    const outcome = await engine.complete({ document, path, offset: marked.indexOf("‸"), trigger: "invoked" });
    if (outcome.kind === "no-suggestion") return outcome.trace.at(-1)!.detail;
    const [{ edit }] = outcome.suggestions;
    return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  } finally {
    engine[Symbol.dispose]();
  }
}

const nothingLeft = "The model's answer was empty after text that is already there was removed.";

test.each([
  ["44", "a.ts", "typescript", "foo(bar(a‸));\n", "));", nothingLeft],
  ["44", "a.php", "php", "<?php\n$a = f(1‸);\n", ");", nothingLeft],
  ["45", "a.ts", "typescript", "list.‸length;\n", "length;", nothingLeft],
  ["46", "a.py", "python", "if ‸a:\n    pass\n", "not ", "if not a:\n    pass\n"],
  ["47", "a.py", "python", "import os\n‸\n", " import sys", "import os\nimport sys\n"],
  ["47", "a.ts", "typescript", "const value = ‸\n", " foo();", "const value = foo();\n"],
  ["48", "a.json", "json", '{\n  "alpha": 1‸\n}\n', ',\n  "b": 2\n}', '{\n  "alpha": 1,\n  "b": 2\n}\n'],
])("row %s: a server's answer: %s: %s %j + %j: %j", async (_, path, language, text, answer, expected) => {
  expect(await ask(path, language, text, answer)).toBe(expected);
});

test.each([
  [
    "const value = ‸\n",
    "\nfoo();",
    "The model has no suggestion here: its answer begins with a line break, and only the rest of the line is requested here.",
  ],
  ["const value = ‸;\n", "\nfoo();", "The model's answer begins with a line break, but the cursor's line continues."],
  ["call(‸);\n", "\r\n  foo()", "The model's answer begins with a line break, but the cursor's line continues."],
  ["f(1);\nlist.fil‸\n", "ter((((", "The model's answer only repeats itself."],
  ["f(1);\nlist.‸\n", "map((((((((", "The model's answer only repeats itself."],
  ["f(1);\nconst a = ‸\n", "[[[[[", "The model's answer only repeats itself."],
])("row 54: why there is no suggestion: %j + %j: %s", async (text, answer, expected) => {
  expect(await ask("a.ts", "typescript", text, answer)).toBe(expected);
});

test("row 54: brackets filled by an answer are suggested", async () => {
  expect(await ask("a.ts", "typescript", "const a = ‸\n", "f((((1 + 2))));")).toBe("const a = f((((1 + 2))));\n");
});

function promptOf({ document, offset }: GhostTextRequest): Prompt {
  return {
    ...{ prefix: document.text.slice(0, offset), suffix: document.text.slice(offset) },
    ...{ context: [], pieces: [], tokens: 1 },
    budget: { maxTokens: 100, suffixShare: 0.15 },
    counter: { name: "an estimate", isExact: false },
  };
}
