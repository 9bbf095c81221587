import { expect, test } from "vitest";
import { maxRequests, RequestFigures } from "./request-log.ts";

/**
 * The figures of requests, each as `12 cache` for what was offered, or `12 -empty` for what was
 * not.
 */
function figuresOf(requests: readonly string[]) {
  const figures = new RequestFigures();
  for (const request of requests) {
    const [took, end = ""] = request.split(" ");
    const isSilent = end.startsWith("-");
    const tookMs = Number(took);
    figures.add({ tookMs, origin: isSilent ? undefined : end, reasonKind: isSilent ? end.slice(1) : undefined });
  }
  return figures.status;
}

test("has no figures before the first request", () => {
  expect(figuresOf([])).toEqual({ count: 0, byOrigin: {}, byReason: {} });
});

test("counts requests, answers, latencies and origins", () => {
  expect(figuresOf(["10 model", "20 model", "1 cache", "5 -empty"])).toEqual({
    ...{ count: 4, p50Ms: 5, p95Ms: 20, suggestionShare: 0.75 },
    ...{ byOrigin: { model: 2, cache: 1 }, byReason: { empty: 1 } },
  });
});

test("leaves out cancelled requests", () => {
  expect(figuresOf(["900 -cancelled", "900 -superseded", "7 model"])).toMatchObject({ count: 1, p95Ms: 7 });
});

test("forgets the oldest requests", () => {
  const status = figuresOf(["1000 cache", ...new Array<string>(maxRequests).fill("1 model")]);
  expect(status).toMatchObject({ count: maxRequests, p95Ms: 1, byOrigin: { model: maxRequests } });
});
