import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TriggerFeatures } from "../../complete/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { AcceptanceModelStore } from "./acceptance-model-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-acceptance-"));
});
afterEach(() => removeFolder(folder));

const signals: TriggerFeatures = { language: "typescript", lineBefore: "  return ", rest: "", recent: [] };
const path = () => join(folder, "deep/acceptance.json");

test("restores what was learnt", async () => {
  const first = await AcceptanceModelStore.open(path());
  const before = first.model.score(signals).score;
  for (let i = 0; i < 5; i += 1) first.model.learn(signals, false);
  await first.save();
  const second = await AcceptanceModelStore.open(path());
  expect(second.model.state).toEqual(first.model.state);
  expect(second.model.score(signals).score).toBeLessThan(before);
});

test("writes nothing before something was learnt, and nothing twice", async () => {
  const store = await AcceptanceModelStore.open(path());
  await store.save();
  expect(readdirSync(folder)).toEqual([]);
  store.model.learn(signals, true);
  await store.save();
  const { mtimeMs } = statSync(path());
  await store.save();
  expect(statSync(path()).mtimeMs).toBe(mtimeMs);
});

test("writes a file without source text", async () => {
  const store = await AcceptanceModelStore.open(path());
  store.model.learn({ ...signals, lineBefore: "hunter2 " }, true);
  await store.save();
  expect(readFileSync(path(), "utf8")).not.toContain("hunter2");
  expect(readdirSync(join(folder, "deep"))).toEqual(["acceptance.json"]);
});

test.skipIf(process.platform === "win32")("writes a file that only its owner can read", async () => {
  const store = await AcceptanceModelStore.open(path());
  store.model.learn(signals, true);
  await store.save();
  expect(statSync(path()).mode & 0o077).toBe(0);
});

test.each(["", "{", "[]", '{"version":1}', '{"version":9,"answers":1,"weights":{}}'])(
  "starts from nothing when the file holds %j",
  async (text) => {
    const file = join(folder, "acceptance.json");
    writeFileSync(file, text);
    expect((await AcceptanceModelStore.open(file)).model.state.answers).toBe(0);
  },
);

test("keeps nothing without a path", async () => {
  const store = await AcceptanceModelStore.open(undefined);
  store.model.learn(signals, true);
  await store.save();
  expect(readdirSync(folder)).toEqual([]);
});

test("rejects when writing fails", async () => {
  writeFileSync(join(folder, "file"), "");
  const store = await AcceptanceModelStore.open(join(folder, "file/acceptance.json"));
  store.model.learn(signals, true);
  await expect(store.save()).rejects.toThrow();
});
