import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { OpenStep } from "../open-step.ts";
import { readPlanRecord, tryReadOpenSteps, writeOpenSteps, writePlanRecord } from "./plan-record.ts";

const step: OpenStep = {
  ...{ id: 1, path: "a.ts", line: 3, kind: "function", name: "f", status: "pending", reasons: ["called-by"] },
  prompt: [{ role: "user", text: "_authToken=npm_0123456789" }],
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "emend-record-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

test("row 5: tryReadOpenSteps leaves out prompts of a version without redaction and keeps the steps", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old", "open.json"), JSON.stringify([step, { ...step, id: 2 }]));
  const { prompt: _, ...bare } = step;
  expect(await tryReadOpenSteps(folder, "old")).toEqual([bare, { ...bare, id: 2 }]);
  expect(await tryReadOpenSteps(folder, "none")).toBeUndefined();
});

test("tryReadOpenSteps reads prompts of the current version", async () => {
  const folder = makeFolder();
  await writeOpenSteps(folder, "new", [step]);
  expect(await tryReadOpenSteps(folder, "new")).toEqual([step]);
});

test("row 4: writePlanRecord stores no key in a model's address", async () => {
  const folder = makeFolder();
  const models = ["openai-compatible:http://h/v1?key=hush-secret&v=2#m", "ollama:m"];
  await writePlanRecord(folder, "p", { oracles: [], models, limits: {}, start: [], left: [], isWritten: false });
  expect(readFileSync(join(folder, "p", "record.json"), "utf8")).not.toContain("hush-secret");
  const read = await readPlanRecord(folder, "p");
  expect(read.models).toEqual(["openai-compatible:http://h/v1?key=…&v=2#m", "ollama:m"]);
});
