import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { LanguageGuides } from "./language-guides.ts";

const json = compileLanguage("json");

test("LanguageGuides has guides once the grammar is loaded, and loads it once", async () => {
  const loaded: string[] = [];
  const guides = new LanguageGuides({
    load: async (language) => {
      loaded.push(language);
      return language === "json" ? json : undefined;
    },
  });
  expect(guides.guideFor("json", "[", "]")).toBeUndefined();
  await guides.prepare("json");
  expect(guides.guideFor("json", "[", "]")?.mayEnd("1, 2")).toBe(true);
  await guides.prepare("markdown");
  expect(guides.guideFor("markdown", "", "")).toBeUndefined();
  expect(loaded).toEqual(["json", "markdown"]);
});

test("LanguageGuides treats a grammar that fails to load as none", async () => {
  const guides = new LanguageGuides({ load: () => Promise.reject(new Error("broken")) });
  await guides.prepare("json");
  expect(guides.guideFor("json", "[", "]")).toBeUndefined();
});

test.each([
  ["the text before is broken", "[,", "]"],
  ["the text behind is broken", "[", "] 1"],
  ["the text is too long", `["${"a".repeat(50)}", `, "]"],
])("LanguageGuides has no guide where %s", async (_, prefix, suffix) => {
  const guides = new LanguageGuides({ load: async () => json, maxCharacters: 50 });
  await guides.prepare("json");
  expect(guides.guideFor("json", prefix, suffix)).toBeUndefined();
  expect(guides.guideFor("json", "[", "]")?.allows("[")).toBe(true);
});

describe("LanguageGuides with slices", () => {
  const slices = { now: () => 0, yieldThread: async () => {} };

  test("has a guide once its position was prepared, equal to one made without slices", async () => {
    const guides = new LanguageGuides({ load: async () => json, slices });
    const atOnce = new LanguageGuides({ load: async () => json });
    expect(await guides.prepareAt("json", "[", "]")).toBeUndefined();
    await guides.prepare("json");
    await atOnce.prepare("json");
    expect(guides.guideFor("json", "[", "]")).toBeUndefined();
    for (const [prefix, suffix] of [
      ["[", "]"],
      ["[1, ", "]"],
      ["{", ', "a": 1}'],
      ["[,", "]"],
      ["[", "] 1"],
    ] as const) {
      expect(await guides.prepareAt("json", prefix, suffix)).toBeUndefined();
      const [own, other] = [guides.guideFor("json", prefix, suffix), atOnce.guideFor("json", prefix, suffix)];
      expect(own === undefined).toBe(other === undefined);
      for (const text of ["", "1", "1]", "1, 2", '"b": 2']) {
        expect(own?.mayEnd(text)).toBe(other?.mayEnd(text));
        expect(own?.allows(text)).toBe(other?.allows(text));
      }
    }
  });

  test("gives a reason instead of a guide for a text that is too slow or too long", async () => {
    let ms = 0;
    const slow = { now: () => (ms += 30), yieldThread: async () => {}, maxMs: 100 };
    const guides = new LanguageGuides({ load: async () => json, slices: slow, maxCharacters: 20_000 });
    await guides.prepare("json");
    const before = `[${"1, ".repeat(5_000)}`;
    expect(await guides.prepareAt("json", before, "]")).toEqual({ kind: "too-slow" });
    expect(guides.guideFor("json", before, "]")).toBeUndefined();
    const long = await guides.prepareAt("json", before + before, "]");
    expect(long).toEqual({ kind: "too-long", characters: 2 * before.length + 1, limit: 20_000 });
  });

  test("rejects with the signal's reason", async () => {
    const guides = new LanguageGuides({ load: async () => json, slices });
    await guides.prepare("json");
    const controller = new AbortController();
    controller.abort(new Error("stopped"));
    const { signal } = controller;
    await expect(guides.prepareAt("json", "[", "]", { signal })).rejects.toThrow("stopped");
  });
});
