import fc from "fast-check";
import { expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.ts";

test("turns of a serial queue are given one at a time, in order, and not to aborted callers", async () => {
  let allSkipped = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { maxLength: 8 }), async (scheduler, stops) => {
      const queue = new SerialQueue();
      const events: string[] = [];
      const skipped: [index: number, reason: unknown][] = [];
      const work = stops.map(async (stops, index) => {
        const controller = new AbortController();
        if (stops) void scheduler.schedule(Promise.resolve()).then(() => controller.abort(`stopped ${index}`));
        const turn = await queue.take(controller.signal).catch((error: unknown) => void skipped.push([index, error]));
        if (turn === undefined) return;
        events.push(`begin ${index}`);
        await scheduler.schedule(Promise.resolve());
        events.push(`end ${index}`);
        turn[Symbol.dispose]();
      });
      await scheduler.waitFor(Promise.all(work));
      const begun = events.filter((_, i) => i % 2 === 0).map((line) => Number(line.slice(6)));
      expect(events).toEqual(begun.flatMap((index) => [`begin ${index}`, `end ${index}`]));
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

test("a serial queue runs work in order, also after a failure and without aborted work", async () => {
  const queue = new SerialQueue();
  const events: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      events.push(`begin ${name}`);
      await Promise.resolve();
      events.push(`end ${name}`);
      if (fails) throw new Error(name);
      return name;
    };
  const stopped = new AbortController();
  const results = [
    queue.run(work("a")),
    queue.run(work("b", true)),
    queue.run(work("c"), stopped.signal),
    queue.run(work("d")),
  ];
  stopped.abort("stop");
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: "a" },
    { reason: new Error("b") },
    { reason: "stop" },
    { value: "d" },
  ]);
  await queue.settled();
  expect(events).toEqual(["a", "b", "d"].flatMap((name) => [`begin ${name}`, `end ${name}`]));
});
