import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { FillSession, type TextAround } from "../hole/fill-session.ts";
import { SuffixRun } from "../hole/suffix-run.ts";
import { type SliceOptions, WorkSlices } from "./work-slices.ts";

const grammars = {
  javascript: compileLanguage("javascript"),
  json: compileLanguage("json"),
  python: compileLanguage("python"),
};

/** Slices of so many looks at the clock, which count how often others had their turn. */
function shortSlices({ looks = 20, ...options }: Partial<SliceOptions> & { readonly looks?: number } = {}) {
  let [now, turns] = [0, 0];
  return {
    get turns() {
      return turns;
    },
    now: () => (now += 40 / looks),
    yieldThread: async () => {
      turns += 1;
    },
    ...options,
  };
}

const encoder = new TextEncoder();
const pieces = {
  javascript: ["f(a, b);\n", "if (a) {\n", "}\n", "a?b:", "c;\n", "/* ", " */", "`x${", "}`", "(", ")", '"', "\n"],
  json: ["[1, 2", "]", ",", '{"a": ', "}", '"text"', " \n"],
  python: ["if a:\n", "    b = (1,\n", "2)\n", "  ", '"""', "x\n", "def f(a):\n", "\treturn a\n", "# c\n"],
};

describe("FillSession.openInSlices", () => {
  let [sliced, open] = [0, 0];
  test.each(Object.keys(grammars) as (keyof typeof grammars)[])(
    "row 14: is the hole that is opened at once: %s",
    { timeout: 120_000 },
    async (language) => {
      const text = fc
        .array(fc.constantFrom(...pieces[language]), { maxLength: 20 })
        .map((parts) => parts.join("").repeat(1 + (parts.length % 3) * 5));
      const filling = fc.constantFrom("", "1", "a", ")", "}", "]", "*/", "\n    c\n", '"');
      await fc.assert(
        fc.asyncProperty(text, text, fc.array(filling, { maxLength: 4 }), async (before, behind, fillings) => {
          const session = new FillSession(grammars[language]);
          const slices = shortSlices({ looks: 4 });
          const opening = await session.openInSlices({ before, behind }, slices);
          const expected = new FillSession(grammars[language]).open({ before, behind });
          expect(opening.kind).toBe(expected.kind);
          if (slices.turns > 0) sliced += 1;
          if (slices.turns > 0 && opening.kind === "open") open += 1;
          const [answers, expectedAnswers] = [opening, expected].map((opened) => {
            if (opened.kind !== "open") return opened;
            const { hole } = opened;
            return ["", ...fillings].map((text) => {
              const filled = hole.add(hole.empty, encoder.encode(text));
              return [hole.isAlive(filled), hole.canStop(filled), hole.shortestEnding(filled)];
            });
          });
          expect(answers).toEqual(expectedAnswers);
        }),
        { numRuns: 25 },
      );
      // Many of the texts take several slices, and holes open in some of them.
      expect(sliced).toBeGreaterThan(3);
      expect(open).toBeGreaterThan(0);
    },
  );
});

describe("FillSession.openInSlices of a long text", () => {
  const functions = Array.from({ length: 60 }, (_, n) => `function work${n}(a, b) { return a ? b : [a]; }\n`).join("");
  test.each<[string, TextAround, (keyof typeof grammars)?]>([
    ["behind the hole", { before: "", behind: functions }],
    ["before the hole", { before: functions.repeat(12), behind: "" }],
    ["of ternaries", { before: "x = ", behind: `${"a?b:".repeat(400)}c` }],
    ["in one line", { before: "x = ", behind: functions.replaceAll("\n", " ") }],
    ["in one comment", { before: "x = 1 ", behind: `# ${"lorem ipsum ".repeat(20_000)}` }, "python"],
  ])("%s lets timers run between slices", async (_, text, language = "javascript") => {
    const slices = shortSlices();
    expect(await new FillSession(grammars[language]).openInSlices(text, slices)).toMatchObject({ kind: "open" });
    expect(slices.turns).toBeGreaterThan(1);
  });

  test.each<[string, (count: number) => TextAround, (keyof typeof grammars)?]>([
    ["statements in one line", (count) => ({ before: "", behind: "a = f(b);".repeat(count) })],
    ["calls in calls", (count) => ({ before: "x = ", behind: `${"f(".repeat(count)}a${")".repeat(count)};` })],
    ["an array", (count) => ({ before: "", behind: `[${"1, ".repeat(count)}0]` }), "json"],
    ["statements before the hole", (count) => ({ before: "a = f(b);\n".repeat(20 * count), behind: "" })],
    ["blocks", (count) => ({ before: "", behind: "if a:\n    b = 1\n".repeat(count / 4) }), "python"],
  ])("pauses more often the longer it is, and does little of it twice: %s", async (_, textOf, language) => {
    const grammar = grammars[language ?? "javascript"];
    const exits = vi.spyOn(SuffixRun.prototype, "exitsOf");
    const figures = async (count: number) => {
      const slices = shortSlices();
      exits.mockClear();
      expect(await new FillSession(grammar).openInSlices(textOf(count), slices)).toMatchObject({ kind: "open" });
      // One call is interrupted in each slice.
      const inSlices = exits.mock.calls.length - slices.turns;
      exits.mockClear();
      new FillSession(grammar).open(textOf(count));
      return { turns: slices.turns, repeated: inSlices / exits.mock.calls.length };
    };
    const [short, long] = [await figures(400), await figures(1_600)];
    exits.mockRestore();
    expect(short.turns).toBeGreaterThan(1);
    expect(long.turns).toBeGreaterThan(2 * short.turns);
    expect(long.repeated).toBeLessThan(2);
  });

  test("is given up after maxMs, and the session opens other holes", async () => {
    const session = new FillSession(grammars.javascript);
    const slices = shortSlices({ maxMs: 100 });
    expect(await session.openInSlices({ before: "", behind: functions }, slices)).toEqual({ kind: "too-slow" });
    expect(slices.turns).toBeGreaterThan(0);
    expect(session.open({ before: "f(", behind: ");" }).kind).toBe("open");
  });

  test("rejects with the signal's reason, and the session continues from there", async () => {
    const session = new FillSession(grammars.javascript);
    const stopping = new AbortController();
    const { signal } = stopping;
    const slices = shortSlices({ signal, yieldThread: async () => stopping.abort(new Error("Ctrl-C")) });
    await expect(session.openInSlices({ before: "", behind: functions }, slices)).rejects.toThrow("Ctrl-C");
    expect(session.open({ before: "", behind: functions }).kind).toBe("open");
  });

  test("two concurrent openings do not discard each other's work", async () => {
    const session = new FillSession(grammars.javascript);
    const openings = await Promise.all(
      ["", "x = 1;\n"].map((before) =>
        session.openInSlices({ before, behind: `${before}${functions}` }, shortSlices()),
      ),
    );
    expect(openings.map(({ kind }) => kind)).toEqual(["open", "open"]);
  });
});

describe("WorkSlices", () => {
  test("rejects with an error of the work", async () => {
    const work = () => {
      throw new RangeError("of the work");
    };
    await expect(new WorkSlices().run(work, shortSlices())).rejects.toThrow("of the work");
  });

  test("does not interrupt work outside of run", () => {
    const slices = new WorkSlices();
    for (let n = 0; n < 1_000; n += 1) slices.step();
    expect(() => slices.longStep()).not.toThrow();
  });
});
