import { mkdtempSync, readFileSync } from "node:fs";
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

test("tryReadOpenSteps reads what writeOpenSteps stored, and nothing for a plan without open steps", async () => {
  const folder = makeFolder();
  await writeOpenSteps(folder, "new", [step]);
  expect(await tryReadOpenSteps(folder, "new")).toEqual([step]);
  expect(await tryReadOpenSteps(folder, "none")).toBeUndefined();
});

test("row 4: writePlanRecord stores no key in a model's address", async () => {
  const folder = makeFolder();
  const models = ["openai-compatible:http://h/v1?key=hush-secret&v=2#m", "ollama:m"];
  await writePlanRecord(folder, "p", { verifiers: [], models, limits: {}, start: [], left: [], isWritten: false });
  expect(readFileSync(join(folder, "p", "record.json"), "utf8")).not.toContain("hush-secret");
  const read = await readPlanRecord(folder, "p");
  expect(read.models).toEqual(["openai-compatible:http://h/v1?key=…&v=2#m", "ollama:m"]);
});
