import { expect, test } from "vitest";
import { compileLanguage } from "./fixtures/compile-language.ts";
import { LanguageGuides } from "./language-guides.ts";

const json = compileLanguage("json");

test("guides are there once the grammar is, which is loaded once", async () => {
  const asked: string[] = [];
  const guides = new LanguageGuides({
    load: async (language) => {
      asked.push(language);
      return language === "json" ? json : undefined;
    },
  });
  expect(guides.guideFor("json", "[", "]")).toBeUndefined();
  await guides.prepare("json");
  expect(guides.guideFor("json", "[", "]")?.mayEnd("1, 2")).toBe(true);
  await guides.prepare("markdown");
  expect(guides.guideFor("markdown", "", "")).toBeUndefined();
  expect(asked).toEqual(["json", "markdown"]);
});

test("a grammar that does not load counts as none", async () => {
  const guides = new LanguageGuides({ load: () => Promise.reject(new Error("broken")) });
  await guides.prepare("json");
  expect(guides.guideFor("json", "[", "]")).toBeUndefined();
});

test.each([
  ["what stands before is broken", "[,", "]"],
  ["what stands behind is broken", "[", "] 1"],
  ["the text is too long", `["${"a".repeat(50)}", `, "]"],
])("no guide where %s", async (_, prefix, suffix) => {
  const guides = new LanguageGuides({ load: async () => json, maxCharacters: 50 });
  await guides.prepare("json");
  expect(guides.guideFor("json", prefix, suffix)).toBeUndefined();
  expect(guides.guideFor("json", "[", "]")?.allows("[")).toBe(true);
});
