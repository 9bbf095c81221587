import { expect, test } from "vitest";
import { EmendError } from "../../text/index.ts";
import { RestartingService } from "./restarting-service.ts";

const ended = new EmendError("ended", "It ended.");

/** A service that ends on the texts `bad` of files that are not left out. */
interface Service {
  readonly number: number;
  hasEnded: boolean;
}

function start({ maxRestarts = 3, reopened = async (_: AbortSignal | undefined) => {} } = {}) {
  const log: string[] = [];
  const open = (): Service => {
    const number = log.filter((line) => line.startsWith("open")).length + 1;
    log.push(`open ${number}`);
    return { number, hasEnded: false };
  };
  const restarting: RestartingService<Service, string> = new RestartingService(open(), {
    maxRestarts,
    hasEnded: (service) => service.hasEnded,
    async reopen({ paths = [], signal }) {
      await reopened(signal);
      signal?.throwIfAborted();
      for (const path of paths) restarting.leftOut.set(path, { excess: "memory", text: restarting.texts.get(path) });
      return open();
    },
    close: async ({ number }) => void log.push(`close ${number}`),
  });
  /** The number of the service that checks a file. */
  const check = (path: string, signal?: AbortSignal) =>
    restarting.run([path], { signal }, async (service) => {
      await Promise.resolve();
      service.hasEnded ||= restarting.texts.get(path) === "bad" && !restarting.leftOut.has(path);
      if (service.hasEnded) throw ended;
      return service.number;
    });
  return { restarting, log, check };
}

test("requests that fail together restart the service once", async () => {
  const { restarting, log, check } = start();
  restarting.setTexts(new Map([["a", "bad"]]));
  expect(await Promise.all([check("a"), check("b"), check("c")])).toEqual([2, 2, 2]);
  expect(log).toEqual(["open 1", "close 1", "open 2"]);
  expect([...restarting.excesses]).toEqual([["a", "memory"]]);
});

test("a file is left out until another text is set for it", async () => {
  const { restarting, check } = start();
  restarting.setTexts(new Map([["a", "bad"]]));
  expect(await check("a")).toBe(2);
  restarting.setTexts(new Map([["a", "bad"]]));
  expect(restarting.leftOut.has("a")).toBe(true);
  restarting.setTexts(new Map([["a", "good"]]));
  expect([restarting.leftOut.has("a"), await check("a")]).toEqual([false, 2]);
});

test("after the most restarts all requests reject with the last error", async () => {
  const { restarting, log, check } = start({ maxRestarts: 1 });
  restarting.setTexts(new Map(["a", "b"].map((path) => [path, "bad"] as const)));
  expect(await check("a")).toBe(2);
  await expect(check("b")).rejects.toBe(ended);
  await expect(check("c")).rejects.toBe(ended);
  expect(log).toEqual(["open 1", "close 1", "open 2"]);
});

test("a restart that one request aborts is repeated by the other", async () => {
  const stop = new AbortController();
  const { restarting, log, check } = start({
    async reopened(signal) {
      if (signal !== undefined) stop.abort(new Error("enough"));
    },
  });
  restarting.setTexts(new Map([["a", "bad"]]));
  const [aborted, other] = await Promise.allSettled([check("a", stop.signal), check("a")]);
  expect([aborted, other]).toMatchObject([{ reason: new Error("enough") }, { value: 2 }]);
  expect(log).toEqual(["open 1", "close 1", "close 1", "open 2"]);
});

test("a service that is opened while the owner closes is closed", async () => {
  const { restarting, log, check } = start({ reopened: () => restarting.close() });
  restarting.setTexts(new Map([["a", "bad"]]));
  await expect(check("a")).rejects.toBe(ended);
  expect(log.at(-1)).toBe("close 2");
});
