import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { initialWeights, mixerWeights } from "../../src/model/builtin/mixer.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { joinWeights, readWeights, writeWeights } from "./weights-file.ts";

const folder = mkdtempSync(join(tmpdir(), "emend-weights-"));
afterAll(() => removeFolder(folder));

test("weights of one mixer and of several come back", () => {
  const file = join(folder, "weights.bin");
  const members = [initialWeights(1), initialWeights(2)];
  for (const weights of [members[0]!, joinWeights(members)]) {
    writeWeights(file, weights);
    expect(readWeights(file)).toEqual(weights);
  }
  expect(joinWeights(members)[mixerWeights]).toBe(members[1]![0]);
});

test("a file of another size is refused, with both numbers", () => {
  const file = join(folder, "short.bin");
  writeWeights(file, new Float32Array(3));
  expect(() => readWeights(file)).toThrow(`holds 3 weights, and a mixer has ${mixerWeights}`);
  writeWeights(file, new Float32Array(0));
  expect(() => readWeights(file)).toThrow("holds 0 weights");
});
