import { expect, test } from "vitest";
import { candidateFeatures, maxCandidates, placeFeatures } from "../../src/model/builtin/evidence.ts";
import { emptyRow, Rows } from "./rows.ts";
import { seededRandom } from "./seeded-random.ts";

test("rows come back as they were put in, over several pieces", () => {
  const random = seededRandom(1);
  const numbers = (size: number, share: number) =>
    Float32Array.from({ length: size }, () => (random() < share ? random() - 0.5 : 0));
  const rows = new Rows();
  const put = Array.from({ length: 600 }, (_, i) => {
    const count = i === 0 ? 0 : i === 1 ? maxCandidates : Math.floor(random() * (maxCandidates + 1));
    const share = i === 1 ? 2 : random();
    const evidence = {
      ...{ count, place: numbers(placeFeatures, share) },
      features: numbers(maxCandidates * candidateFeatures, share),
    };
    const truth = Math.floor(random() * (count + 1));
    rows.push(evidence, truth);
    return { ...evidence, truth };
  });
  expect(rows.length).toBe(put.length);
  expect(rows.byteLength).toBeGreaterThan(2 * 6 * (1 << 18));
  const row = emptyRow();
  for (const index of [...put.keys(), 3, 1, 0]) {
    const { count, truth, features, place } = put[index]!;
    expect(rows.read(index, row)).toEqual({ count, truth });
    const used = count * candidateFeatures;
    expect(Buffer.compare(bytesOf(row.features, used), bytesOf(features, used)), `features of ${index}`).toBe(0);
    const places = [row.place, place].map((numbers) => bytesOf(numbers, placeFeatures)) as [Uint8Array, Uint8Array];
    expect(Buffer.compare(...places), `place of ${index}`).toBe(0);
  }
});

function bytesOf({ buffer }: Float32Array, count: number): Uint8Array {
  return new Uint8Array(buffer, 0, count * 4);
}
