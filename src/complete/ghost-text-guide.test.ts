import { afterAll, beforeAll, expect, test } from "vitest";
import { memberTable } from "../grammar/fixtures/member-table.ts";
import { closing } from "../syntax/node/fixtures/closing.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { Scene, type SceneOptions } from "./fixtures/scene.ts";

const syntax = openSyntax();
beforeAll(() => syntax.load("typescript"));
afterAll(() => syntax[Symbol.dispose]());

/** A guide that allows texts without a `!`, and where they were requested. */
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

test("a model that supports guides receives a guide that lets an answer end anywhere", async () => {
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
] as const)("the answer of a model that does not, with %s: %s", async (guide, shown, placeCount) => {
  const { scene, places } = guided({ text: "const a = |\n", models, settings: { guide } });
  await scene.type("x + ");
  expect(scene.models[0]!.calls[0]!.guide).toBeUndefined();
  expect(scene.show()).toBe(`model: const a = x + ${shown}`);
  expect(places).toHaveLength(placeCount);
});

test.each([
  ["off is off", "const a = |\n", "off"],
  ["what is broken already has none", "const broken = |\n", "auto"],
] as const)("a model is not guided: %s", async (_, text, guide) => {
  const { scene } = guided({ text, models, followsGuide: true, settings: { guide } });
  await scene.type("x + ");
  expect(scene.models[0]!.calls[0]!.guide).toBeUndefined();
  expect(scene.outcome?.kind).toBe("offered");
});

test("the guide allows closing brackets that the editor has inserted", async () => {
  const { scene, places } = guided({ text: "print(|);\nprint();\n", models, followsGuide: true });
  await scene.type("x", { autoClosed: { start: 7, end: 8 } });
  expect(places).toEqual(["print(x|;\nprint();\n"]);
});

test.each([
  ["auto", true, 1],
  ["auto", false, 0],
  ["off", true, 0],
] as const)(
  "row 14: the text is read before its guide is requested: %s, followed: %s",
  async (guide, followsGuide, times) => {
    const steps: string[] = [];
    const scene = closing(
      new Scene({
        ...{ syntax, text: "const a = |\n", models, ...(followsGuide && { followsGuide }), settings: { guide } },
        prepareGuide: async (_, prefix, suffix) => {
          steps.push(`read ${prefix}|${suffix}`);
          await Promise.resolve();
          steps.push("done");
          return { kind: "too-slow" };
        },
        guide: (_, prefix, suffix) => {
          steps.push(`asked ${prefix}|${suffix}`);
          return undefined;
        },
      }),
    );
    await scene.type("x");
    const place = "const a = x|\n";
    expect(steps).toEqual(times === 0 ? [] : [`read ${place}`, "done", `asked ${place}`]);
    expect(scene.outcome?.kind).toBe("offered");
    const details = scene.outcome?.trace.map(({ detail }) => detail) ?? [];
    expect(details.filter((detail) => detail.startsWith("no grammar: "))).toHaveLength(times);
  },
);

/** A scene in which a ring has some members, and a star some that are unknown. */
function typed(options: Omit<SceneOptions, "syntax" | "members">) {
  const source = memberTable({ ring: "area move", star: "?" });
  const members = (_: string, language: string) => (language === "typescript" ? source : undefined);
  return closing(new Scene({ syntax, members, settings: { members: "on" }, ...options }));
}

const checks = ({ outcome }: Scene) =>
  outcome?.trace.filter(({ step }) => step === "check").map(({ detail }) => detail);

test.each([
  ["a member that there is", "ring.area();", "model: const a = «ring.area();»", ["as the model wrote it"]],
  ["one that is not", "ring.aera();", "model: const a = «ring»", ["RING has no member aera", "shortened-for-members"]],
  ["half of one at the end", "ring.ar", "model: const a = «ring»", ["shortened-for-members"]],
  [
    "one that is unknown",
    "star.up;",
    "model: const a = «star.up;»",
    ["members are not known: nobody is there", "as the model wrote it"],
  ],
])("members of types: %s", async (_, answer, shown, details) => {
  const scene = typed({ text: "const a = |\n", models: { builtin: () => [answer] } });
  await scene.type(" ");
  expect(scene.show().replace("=  ", "= ")).toBe(shown);
  expect(checks(scene)).toEqual(details);
});

test("an unknown member after a partial name is not suggested and the outcome has the reason", async () => {
  const scene = typed({ text: "const a = ring.a|\n", models: { builtin: () => ["era();"] } });
  await scene.type("");
  expect(scene.outcome?.kind).toBe("no-suggestion");
  expect(checks(scene)).toEqual(["RING has no member aera"]);
});

test("a model that supports guides receives members with the grammar in files with types", async () => {
  const scene = typed({ text: "const a = |\n", models: { builtin: () => ["b;"] }, followsGuide: true });
  await scene.type("x + ");
  const { guide } = scene.models[0]!.calls[0]!;
  await guide?.prepare?.("ring.ar");
  expect(["ring.ar", "ring.aera"].map((text) => guide?.allows(text))).toEqual([true, false]);
  expect(["ring.ar", "ring.area"].map((text) => guide?.mayEnd(text))).toEqual([false, true]);
  const other = typed({
    text: "value = first + |\n",
    language: "toml",
    path: "a.toml",
    models: { builtin: () => ["b"] },
    followsGuide: true,
  });
  await other.type("x + ");
  expect(other.models[0]!.calls[0]!.guide).toBeUndefined();
});

test("members are requested only where the setting is on", async () => {
  const scene = typed({ text: "const a = |\n", models: { builtin: () => ["ring.aera();"] }, settings: {} });
  await scene.type("x + ");
  expect(scene.show()).toBe("model: const a = x + «ring.aera();»");
});
