import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorsIn, ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { PresentTypes } from "./present-types.ts";

function opened(texts: Record<string, string>) {
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const witness = new ScriptedWitness(Object.entries(texts), pause);
  return { witness, types: new PresentTypes({ witness, texts: Object.entries(texts) }) };
}

describe("what it costs", () => {
  test("errors of the present are asked once, until a text changes", async () => {
    const { witness, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    await types.errorsOf(["a.ts"]);
    await types.errorsOf(["a.ts", "b.ts"]);
    types.update("b.ts", "bad2");
    types.update("b.ts", "bad3");
    await types.errorsOf(["a.ts"]);
    expect(witness.log).toEqual(["asked a.ts", "asked b.ts", "told b.ts", "asked a.ts"]);
  });

  test("the checker is brought back by the next question alone", async () => {
    const { witness, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    await types.errorsOf(["a.ts"]);
    await types.errorsWith(new Map([["a.ts", "ok"]]), ["a.ts"]);
    await types.errorsOf(["a.ts"]);
    await types.errorsWith(new Map([["a.ts", "bad4"]]), ["a.ts"]);
    await types.errorsOf(["b.ts"]);
    expect(witness.log).toEqual([
      "asked a.ts",
      "told a.ts",
      "asked a.ts",
      "told a.ts",
      "asked a.ts",
      "told a.ts",
      "asked b.ts",
    ]);
  });

  test("a state that it is brought to for the second time is held, the last two of them, and costs no more after that", async () => {
    const { witness, types } = opened({ "a.ts": "", "b.ts": "", "c.ts": "" });
    const past = (text: string) => new Map([["a.ts", text]]);
    await types.errorsWith(past("1"), ["a.ts"]);
    await types.errorsOf(["a.ts"]);
    await types.errorsWith(past("1"), ["b.ts"]);
    witness.log.length = 0;
    types.update("b.ts", "bad1");
    await types.errorsOf(["b.ts"]);
    expect(
      await types.errorsWith(
        new Map([
          ["a.ts", "1"],
          ["b.ts", ""],
        ]),
        ["c.ts"],
      ),
    ).toEqual([]);
    expect(witness.log).toEqual(["told a.ts b.ts", "asked b.ts", "asked what is held c.ts"]);
    witness.log.length = 0;
    for (const path of ["a.ts", "b.ts"]) for (const text of ["2", "3"]) await types.errorsWith(past(text), [path]);
    expect(witness.log.filter((line) => !/^(told|asked)/.test(line))).toEqual(["held", "held", "let go"]);
  });

  test("those who ask the same at once share an answer, and each may give up alone", async () => {
    const { witness, types } = opened({ "a.ts": "bad1" });
    const giving = new AbortController();
    const first = types.errorsOf(["a.ts"], { signal: giving.signal });
    const second = types.errorsOf(["a.ts"]);
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await second).toHaveLength(1);
    expect(witness.log).toEqual(["asked a.ts"]);
  });

  test("anything else is asked once in a state, and of the texts that are laid over", async () => {
    const { witness, types } = opened({ "a.ts": "one" });
    const past = new Map([["a.ts", "two"]]);
    let asked = 0;
    const say = async () => {
      asked += 1;
      return witness.texts.get("a.ts");
    };
    expect(await Promise.all([types.asked(past, "said", say), types.asked(past, "said", say)])).toEqual(["two", "two"]);
    expect(await types.asked(new Map(), "said", say)).toBe("one");
    types.update("a.ts", "three");
    expect(await types.asked(past, "said", say)).toBe("two");
    expect(asked).toBe(2);
    expect(await types.asked(past, "said otherwise", say)).toBe("two");
    expect(asked).toBe(3);
  });

  test("of anything else, too, who gives up leaves the others their answer, and what fails is asked anew", async () => {
    const { types } = opened({ "a.ts": "one" });
    const giving = new AbortController();
    const busy = types.errorsOf(["a.ts"]);
    const first = types.asked(new Map(), "said", async () => "answer", { signal: giving.signal });
    const second = types.asked(new Map(), "said", async () => "never asked");
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await second).toBe("answer");
    await busy;
    await expect(types.asked(new Map(), "fails", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await types.asked(new Map(), "fails", async () => "now")).toBe("now");
  });

  test("a question that nobody waits for any more is not asked, and asked anew by the next", async () => {
    const { witness, types } = opened({ "a.ts": "bad1", "b.ts": "" });
    const giving = new AbortController();
    const busy = types.errorsOf(["b.ts"]);
    const first = types.errorsOf(["a.ts"], { signal: giving.signal });
    giving.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect(await types.errorsOf(["a.ts"])).toHaveLength(1);
    await busy;
    expect(witness.log).toEqual(["asked b.ts", "asked a.ts"]);
  });
});

test("files that it does not take are neither told nor asked", async () => {
  const witness = new ScriptedWitness([["a.ts", ""]]);
  const takes = (path: string) => path.endsWith(".ts");
  const types = new PresentTypes({
    witness,
    texts: [
      ["a.ts", ""],
      ["b.md", "bad"],
    ],
    takes,
  });
  types.update("b.md", "bad bad");
  expect(await types.errorsWith(new Map([["b.md", "bad2"]]), ["a.ts", "b.md"])).toEqual([]);
  expect(types.knows("b.md")).toBe(false);
  expect(witness.log).toEqual(["asked a.ts"]);
});

test("a view is told what it likes, and nobody else hears of it", async () => {
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
    asked: fc.uniqueArray(anyPath),
    isGivenUp: fc.boolean(),
  }),
);

test("law: each answer is that of the texts as they were told and laid over, also after questions that were given up", async () => {
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
        const answer = types.errorsWith(new Map(step.over), step.asked, { signal: giving.signal });
        if (step.isGivenUp) {
          answer.catch(() => undefined);
          await Promise.resolve();
          giving.abort(new Error("enough"));
          continue;
        }
        const texts = new Map(present);
        for (const [path, text] of new Map(step.over)) put(texts, path, text);
        const key = ({ path, start }: { readonly path: string; readonly start: number }) => `${path} ${start}`;
        expect((await answer).map(key).sort()).toEqual(errorsIn(texts, step.asked).map(key).sort());
      }
    }),
  );
});
