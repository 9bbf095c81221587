import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorsIn, ScriptedTypeChecker } from "../fixtures/scripted-type-checker.ts";
import { TypeCheckCache } from "./type-check-cache.ts";

function opened(texts: Record<string, string>) {
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const checker = new ScriptedTypeChecker(Object.entries(texts), pause);
  return { checker, types: new TypeCheckCache({ checker, texts: Object.entries(texts) }) };
}

describe("requests to the checker", () => {
  test("errors of the present texts are requested once until a text changes", async () => {
    const { checker, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    await types.errorsOf(["a.ts"]);
    await types.errorsOf(["a.ts", "b.ts"]);
    types.update("b.ts", "bad2");
    types.update("b.ts", "bad3");
    await types.errorsOf(["a.ts"]);
    expect(checker.log).toEqual(["errors a.ts", "errors b.ts", "update b.ts", "errors a.ts"]);
  });

  test("the checker returns to the present texts only with the next request", async () => {
    const { checker, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    await types.errorsOf(["a.ts"]);
    await types.errorsWith(new Map([["a.ts", "ok"]]), ["a.ts"]);
    await types.errorsOf(["a.ts"]);
    await types.errorsWith(new Map([["a.ts", "bad4"]]), ["a.ts"]);
    await types.errorsOf(["b.ts"]);
    expect(checker.log).toEqual([
      "errors a.ts",
      "update a.ts",
      "errors a.ts",
      "update a.ts",
      "errors a.ts",
      "update a.ts",
      "errors b.ts",
    ]);
  });

  test("equal concurrent requests share an answer, and each can be aborted alone", async () => {
    const { checker, types } = opened({ "a.ts": "bad1" });
    const giving = new AbortController();
    const first = types.errorsOf(["a.ts"], { signal: giving.signal });
    const second = types.errorsOf(["a.ts"]);
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await second).toHaveLength(1);
    expect(checker.log).toEqual(["errors a.ts"]);
  });

  test("another query runs once per key and state, with the overlaid texts", async () => {
    const { checker, types } = opened({ "a.ts": "one" });
    const past = new Map([["a.ts", "two"]]);
    let count = 0;
    const query = async () => {
      count += 1;
      return checker.texts.get("a.ts");
    };
    expect(
      await Promise.all([
        types.runQuery(past, { path: "a.ts", key: "key" }, query),
        types.runQuery(past, { path: "a.ts", key: "key" }, query),
      ]),
    ).toEqual(["two", "two"]);
    expect(await types.runQuery(new Map(), { path: "a.ts", key: "key" }, query)).toBe("one");
    types.update("a.ts", "three");
    expect(await types.runQuery(past, { path: "a.ts", key: "key" }, query)).toBe("two");
    expect(count).toBe(2);
    expect(await types.runQuery(past, { path: "a.ts", key: "other key" }, query)).toBe("two");
    expect(count).toBe(3);
  });

  test("aborting a query leaves the answer to other callers, and a failed query runs again", async () => {
    const { types } = opened({ "a.ts": "one" });
    const giving = new AbortController();
    const busy = types.errorsOf(["a.ts"]);
    const first = types.runQuery(new Map(), { path: "a.ts", key: "key" }, async () => "answer", {
      signal: giving.signal,
    });
    const second = types.runQuery(new Map(), { path: "a.ts", key: "key" }, async () => "never run");
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await second).toBe("answer");
    await busy;
    await expect(
      types.runQuery(new Map(), { path: "a.ts", key: "fails" }, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    expect(await types.runQuery(new Map(), { path: "a.ts", key: "fails" }, async () => "now")).toBe("now");
  });

  test("a request that every caller aborted is not sent, and the next caller sends it again", async () => {
    const { checker, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    const giving = new AbortController();
    const busy = types.errorsOf(["b.ts"]);
    const first = types.errorsOf(["a.ts"], { signal: giving.signal });
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await types.errorsOf(["a.ts"])).toHaveLength(1);
    await busy;
    expect(checker.log).toEqual(["errors b.ts", "errors a.ts"]);
  });
});

test("files that the checker does not take are neither updated nor requested", async () => {
  const checker = new ScriptedTypeChecker([["a.ts", ""]]);
  const takes = (path: string) => path.endsWith(".ts");
  const types = new TypeCheckCache({
    checker,
    texts: [
      ["a.ts", ""],
      ["b.md", "bad"],
    ],
    takes,
  });
  types.update("b.md", "bad bad");
  expect(await types.errorsWith(new Map([["b.md", "bad2"]]), ["a.ts", "b.md"])).toEqual([]);
  expect(types.knows("b.md")).toBe(false);
  expect(checker.log).toEqual(["errors a.ts"]);
});

test("updates of a view of the type check cache are visible in that view only", async () => {
  const { types } = opened({ "a.ts": "bad1", "b.ts": "wants a.ts:bad1" });
  const view = types.view(new Map([["a.ts", "ok"]]));
  expect(await view.errorsOf(undefined)).toMatchObject([{ code: "2" }]);
  await view.update(new Map([["b.ts", undefined]]));
  expect(await view.errorsOf(undefined)).toEqual([]);
  expect(await types.errorsOf(["a.ts", "b.ts"])).toMatchObject([{ code: "1" }]);
});

const paths = ["a.ts", "b.ts"];
const anyPath = fc.constantFrom(...paths);
const anyText = fc.constantFrom("", "bad1", "bad2 bad1", "wants a.ts:bad1", "wants b.ts:bad2 bad3");
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("update" as const), path: anyPath, text: fc.option(anyText, { nil: undefined }) }),
  fc.record({
    kind: fc.constant("ask" as const),
    over: fc.array(fc.tuple(anyPath, fc.option(anyText, { nil: undefined })), { maxLength: 2 }),
    paths: fc.uniqueArray(anyPath),
    isGivenUp: fc.boolean(),
  }),
);

test("law: each answer is that of the present texts and the overlay, also after aborted requests", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      const { types } = opened({ "a.ts": "bad1", "b.ts": "wants a.ts:bad1" });
      const present = new Map([
        ["a.ts", "bad1"],
        ["b.ts", "wants a.ts:bad1"],
      ]);
      const put = (texts: Map<string, string>, path: string, text: string | undefined) =>
        text === undefined ? texts.delete(path) : texts.set(path, text);
      for (const step of steps) {
        if (step.kind === "update") {
          types.update(step.path, step.text);
          put(present, step.path, step.text);
          continue;
        }
        const giving = new AbortController();
        const answer = types.errorsWith(new Map(step.over), step.paths, { signal: giving.signal });
        if (step.isGivenUp) {
          answer.catch(() => undefined);
          await Promise.resolve();
          giving.abort(new Error("enough"));
          continue;
        }
        const texts = new Map(present);
        for (const [path, text] of new Map(step.over)) put(texts, path, text);
        const key = ({ path, start }: { readonly path: string; readonly start: number }) => `${path} ${start}`;
        expect((await answer).map(key).sort()).toEqual(errorsIn(texts, step.paths).map(key).sort());
      }
    }),
  );
});
