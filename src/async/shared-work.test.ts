import { expect, test } from "vitest";
import { SharedWork } from "./shared-work.ts";

test.each([
  ["wait", "abandoned", "the only caller stops waiting"],
  ["wait wait", "running", "one of two callers stops waiting"],
])("shared work with the callers %s is %s after %s", async (callers, state) => {
  const controllers = callers.split(" ").map(() => new AbortController());
  const shared = new SharedWork<string>(() => new Promise(() => undefined));
  const waits = controllers.map(({ signal }) => shared.wait(signal).catch((reason: unknown) => reason));
  controllers[0]!.abort("left");
  expect(await waits[0]).toBe("left");
  expect(shared.isAbandoned ? "abandoned" : "running").toBe(state);
});

test("shared work passes its result and its failure to every caller", async () => {
  const done = new SharedWork(async () => 1);
  expect(await Promise.all([done.wait(undefined), done.wait(new AbortController().signal)])).toEqual([1, 1]);
  const failed = new SharedWork(async () => {
    throw new Error("failed");
  });
  await expect(failed.wait(undefined)).rejects.toThrow("failed");
  await expect(failed.wait(undefined)).rejects.toThrow("failed");
  expect(failed.isAbandoned).toBe(false);
});

test("the signal of shared work aborts with the reason of the last caller", async () => {
  let signal: AbortSignal | undefined;
  const shared = new SharedWork((stop) => {
    signal = stop;
    return new Promise(() => undefined);
  });
  const controllers = [new AbortController(), new AbortController()];
  const waits = controllers.map((one) => shared.wait(one.signal).catch(() => undefined));
  for (const [index, one] of controllers.entries()) one.abort(`left ${index}`);
  await Promise.all(waits);
  expect(signal!.reason).toBe("left 1");
});
