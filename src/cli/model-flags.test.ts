import { expect, test } from "vitest";
import { checkModelNames, modelFlags, modelNames } from "./named-models.ts";

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["one", ["builtin"], ["builtin"]],
  ["given again", ["ollama:a", "builtin"], ["ollama:a", "builtin"]],
  ["with commas", ["ollama:qwen2.5-coder:1.5b, builtin,"], ["ollama:qwen2.5-coder:1.5b", "builtin"]],
  ["both", ["llamacpp:http://a:1#m,builtin", "ollama:b"], ["llamacpp:http://a:1#m", "builtin", "ollama:b"]],
  ["a comma in a path", ["gguf:/models/a, b,c.gguf,builtin"], ["gguf:/models/a, b,c.gguf", "builtin"]],
  ["nothing, for the check to refuse", [""], [""]],
])("--model is read as a list of names: %s", (_, given, names) => {
  expect(modelNames(given)).toEqual(names);
  expect(modelFlags(given, ["edit", "model"])).toEqual([{ flag: "--model", path: ["edit", "model"], value: names }]);
});

test("an unreadable model flag is refused", () => {
  expect(() => checkModelNames(["builtin,olama:a"])).toThrow("There is no `olama`; write `ollama:a`.");
  expect(() => checkModelNames([","])).toThrow("does not say who serves it");
  expect(() => checkModelNames(["ollama:a,builtin"])).not.toThrow();
});
