import { describe, expect, test } from "vitest";
import { formatFor, type KnownModel } from "./next-edit-formats.ts";

const both = { fill: true, chat: true };

describe("the format of a model by its name", () => {
  test.each([
    ["zed-industries/zeta", "zeta"],
    ["ollama:zeta:7b-q4_K_M", "zeta"],
    ["vllm:zed-industries/zeta-2", "zeta-2"],
    ["ollama:zeta-2.1", "zeta-2.1"],
    ["llamacpp:http://127.0.0.1:8012#mradermacher/zeta-2.1-GGUF", "zeta-2.1"],
    ["gguf:/models/zeta-2.1.Q4_K_M.gguf", "zeta-2.1"],
    ["gguf:/models/Zeta-2.Q5_K_M.gguf", "zeta-2"],
    ["llamacpp:http://127.0.0.1:8012#sweep-next-edit-1.5b.q8_0.gguf", "sweep"],
    ["sweepai/sweep-next-edit-v2-7B", "sweep"],
    ["ollama:nate/instinct:latest", "instinct"],
    ["openai-compatible:https://example.org#mercury-edit", "mercury"],
  ])("a trained model: %s", (name, format) => expect(chosenFor({ name, can: both })).toBe(format));
});

describe("a name that only resembles a trained model has no format", () => {
  test.each([
    "ollama:zeta-2.2",
    "zeta-alpha-embed",
    "my-zeta",
    "instinct-lora",
    "sweeper",
    "mercury-coder",
    "ollama:qwen2.5-coder:7b",
  ])("no trained model: %s", (name) => expect(chosenFor({ name, can: { fill: false, chat: true } })).toBe("chat"));
});

test("the model that a server reports counts before the name", () => {
  expect(chosenFor({ name: "vllm:default", family: "zed-industries/zeta-2", can: both })).toBe("zeta-2");
  expect(chosenFor({ name: "ollama:zeta", family: "qwen2", can: both })).toBe("zeta");
});

test.each([
  ["the file of a model with a name of its owner's", "work", "/m/sweep-next-edit-1.5B.Q8_0.gguf", "sweep"],
  ["a file, where that is the name", "/m/zeta-2.gguf", undefined, "zeta-2"],
  ["a name in front of a file", "org/zeta-2", "/m/zeta.gguf", "zeta-2"],
  ["neither", "work", "/m/qwen.gguf", "fill-in-the-middle"],
])("of two names that a server reports, the known one counts: %s", (_, family, file, format) => {
  expect(chosenFor({ name: "llamacpp:default", family, ...(file && { file }), can: both })).toBe(format);
});

describe("the format of an unknown model follows from its abilities", () => {
  const name = "ollama:some-model";
  const cases: readonly (readonly [string, Omit<KnownModel, "name">, string])[] = [
    ["to fill", { can: { fill: true, chat: false } }, "fill-in-the-middle"],
    ["to chat", { can: { fill: false, chat: true } }, "chat"],
    ["to fill, of both", { can: both }, "fill-in-the-middle"],
    ["to chat, if it was trained to converse", { can: both, training: "instruct" }, "chat"],
    ["to chat, if that is how it fills", { can: both, fillBy: "chat" }, "chat"],
    ["to fill, if it was trained to complete", { can: both, training: "base" }, "fill-in-the-middle"],
  ];
  test.each(cases)("an unknown model is used %s", (_, model, format) => {
    const choice = formatFor(undefined, { name, ...model });
    expect(choice).toMatchObject({ kind: "chosen", format: { name: format } });
    expect(choice.reason).toContain("It is not known that some-model was trained for next edits");
  });

  test("a model that can neither fill nor chat has no format", () => {
    expect(formatFor(undefined, { name, can: { fill: false, chat: false } }).kind).toBe("none");
  });
});

test("the built-in model is used only where the settings name a format", () => {
  const model = { name: "builtin", can: { fill: true, chat: false } };
  expect(formatFor(undefined, model)).toEqual({ kind: "none", reason: expect.stringContaining("`next.model`") });
  expect(formatFor("fill-in-the-middle", model)).toMatchObject({ format: { name: "fill-in-the-middle" } });
});

test("a configured format is used for any model, and an unknown one is refused", () => {
  expect(formatFor("zeta", { name: "ollama:zeta-2", can: both })).toMatchObject({ format: { name: "zeta" } });
  const refused = formatFor("zeta3", { name: "ollama:zeta-2", can: both });
  expect(refused.kind).toBe("none");
  expect(refused.reason).toMatch(/^There is no format `zeta3` for next edits; there are .*zeta-2, zeta-2.1, sweep, /);
});

function chosenFor(model: KnownModel): string {
  const choice = formatFor(undefined, model);
  return choice.kind === "chosen" ? choice.format.name : choice.kind;
}
