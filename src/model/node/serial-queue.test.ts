import fc from "fast-check";
import { expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.ts";

test("a serial queue runs one task at a time, in order, and skips aborted tasks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { maxLength: 8 }), async (scheduler, stops) => {
      const turns = new SerialQueue();
      const said: string[] = [];
      const work = stops.map(async (stops, index) => {
        const controller = new AbortController();
        const reason = `stopped ${index}`;
        if (stops) void scheduler.schedule(Promise.resolve()).then(() => controller.abort(reason));
        let turn: Disposable;
        try {
          turn = await turns.take(controller.signal);
        } catch (error) {
          expect(error).toBe(reason);
          return;
        }
        said.push(`begin ${index}`);
        await scheduler.schedule(Promise.resolve());
        said.push(`end ${index}`);
        turn[Symbol.dispose]();
      });
      await scheduler.waitFor(Promise.all(work));
      const begun = said.filter((_, i) => i % 2 === 0).map((line) => Number(line.slice(6)));
      expect(said).toEqual(begun.flatMap((index) => [`begin ${index}`, `end ${index}`]));
      expect(begun).toEqual([...begun].sort((one, other) => one - other));
      expect(stops.flatMap((stops, index) => (stops ? [] : [index])).every((index) => begun.includes(index))).toBe(
        true,
      );
    }),
  );
});
