import { afterAll, beforeAll, expect, test } from "vitest";
import { closing } from "../syntax/node/fixtures/closing.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Scene, type SceneOptions } from "./fixtures/scene.ts";

const syntax = openSyntax();
beforeAll(() => syntax.load("typescript"));
afterAll(() => syntax[Symbol.dispose]());

/** A guide that allows texts without a `!`, and where they were asked for. */
function guided(options: Omit<SceneOptions, "syntax" | "guide">) {
  const places: string[] = [];
  const scene = closing(
    new Scene({
      ...{ syntax, ...options },
      guide: (_, prefix, suffix) => {
        places.push(`${prefix}|${suffix}`);
        return prefix.includes("broken") ? undefined : { allows: (text) => !text.includes("!"), mayEnd: () => false };
      },
    }),
  );
  return { scene, places };
}

const models = { builtin: () => ["b + c!.d;"] };

test("a model that follows guides is given one, which lets an answer end anywhere", async () => {
  const { scene, places } = guided({ text: "const a = |\n", models, followsGuide: true });
  await scene.type("x + ");
  const { guide } = scene.models[0]!.calls[0]!;
  expect(["a", "a!"].map((text) => guide?.allows(text))).toEqual([true, false]);
  expect(guide?.mayEnd("a")).toBe(true);
  expect(places).toEqual(["const a = x + |\n"]);
  // What it writes is its own business.
  expect(scene.show()).toBe("model: const a = x + «b + c!.d;»");
});

test.each([
  ["auto", "«b + c!.d;»", 0],
  ["always", "«b + c»", 1],
  ["off", "«b + c!.d;»", 0],
] as const)("the answer of a model that does not, with %s: %s", async (guide, shown, asked) => {
  const { scene, places } = guided({ text: "const a = |\n", models, settings: { guide } });
  await scene.type("x + ");
  expect(scene.models[0]!.calls[0]!.guide).toBeUndefined();
  expect(scene.show()).toBe(`model: const a = x + ${shown}`);
  expect(places).toHaveLength(asked);
});

test.each([
  ["off is off", "const a = |\n", "off"],
  ["what is broken already has none", "const broken = |\n", "auto"],
] as const)("no guide: %s", async (_, text, guide) => {
  const { scene } = guided({ text, models, followsGuide: true, settings: { guide } });
  await scene.type("x + ");
  expect(scene.models[0]!.calls[0]!.guide).toBeUndefined();
  expect(scene.outcome?.kind).toBe("offered");
});

test("closers of the editor are the model's to write", async () => {
  const { scene, places } = guided({ text: "print(|);\nprint();\n", models, followsGuide: true });
  await scene.type("x", { autoClosed: { start: 7, end: 8 } });
  expect(places).toEqual(["print(x|;\nprint();\n"]);
});
