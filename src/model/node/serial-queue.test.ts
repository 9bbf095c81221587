import fc from "fast-check";
import { expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.ts";

test("a serial queue runs one task at a time, in order, and skips aborted tasks", async () => {
  let allSkipped = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { maxLength: 8 }), async (scheduler, stops) => {
      const turns = new SerialQueue();
      const said: string[] = [];
      const skipped: [index: number, reason: unknown][] = [];
      const work = stops.map(async (stops, index) => {
        const controller = new AbortController();
        if (stops) void scheduler.schedule(Promise.resolve()).then(() => controller.abort(`stopped ${index}`));
        const turn = await turns.take(controller.signal).catch((error: unknown) => void skipped.push([index, error]));
        if (turn === undefined) return;
        said.push(`begin ${index}`);
        await scheduler.schedule(Promise.resolve());
        said.push(`end ${index}`);
        turn[Symbol.dispose]();
      });
      await scheduler.waitFor(Promise.all(work));
      const begun = said.filter((_, i) => i % 2 === 0).map((line) => Number(line.slice(6)));
      expect(said).toEqual(begun.flatMap((index) => [`begin ${index}`, `end ${index}`]));
      expect(begun).toEqual([...begun].sort((one, other) => one - other));
      // Each task has either run or been skipped with the reason of its own signal.
      const left = [...stops.keys()].filter((index) => stops[index] && !begun.includes(index));
      expect(skipped.toSorted(([one], [other]) => one - other)).toEqual(
        left.map((index) => [index, `stopped ${index}`]),
      );
      expect(begun.length + skipped.length).toBe(stops.length);
      allSkipped += skipped.length;
    }),
  );
  expect(allSkipped).toBeGreaterThan(20);
});
