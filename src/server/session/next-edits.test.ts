import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { tryOpenRecording } from "./next-edits.ts";

test.each([
  ["from the root", (_: string) => "a.edits.json", ["a.edits.json"], []],
  ["absolute", (elsewhere: string) => join(elsewhere, "a.edits.json"), [], ["a.edits.json"]],
])("a recording has a name like %s", async (_, nameIn, inRoot, inElsewhere) => {
  const [root, elsewhere] = await Promise.all([mkdtemp(join(tmpdir(), "root-")), mkdtemp(join(tmpdir(), "else-"))]);
  const problems: string[] = [];
  try {
    const place = { root, path: nameIn(elsewhere), clock: new FakeClock(), mayRecord: () => true };
    const recording = await tryOpenRecording({ ...place, onProblem: (message) => problems.push(message) });
    await recording?.[Symbol.asyncDispose]();
    expect([problems, await readdir(root), await readdir(elsewhere)]).toEqual([[], inRoot, inElsewhere]);
  } finally {
    for (const folder of [root, elsewhere]) removeFolder(folder);
  }
});
