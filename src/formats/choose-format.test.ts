import { expect, test } from "vitest";
import { chooseFormat } from "./choose-format.ts";

/**
 * The model, the lines of the file and the number of changed ones as `200` or `200/180`, the
 * expected format and words of its reason.
 */
const cases: readonly (readonly [model: string | undefined, lines: string, expected: string])[] = [
  [undefined, "200", "range shortest"],
  ["anthropic:claude-sonnet-4-5", "200", "range shortest"],
  ["openai:gpt-4o", "20", "range shortest"],
  ["mistral:codestral-latest", "200", "range shortest"],
  ["deepseek:deepseek-chat", "20", "range shortest"],
  ["openai:gpt-4.1", "200", "v4a trained"],
  ["openai:gpt-4.1-mini", "20", "v4a trained"],
  ["openai:gpt-5", "200", "v4a trained"],
  ["openai:gpt-5.1-codex-max", "200", "v4a trained"],
  ["openai:codex-mini-latest", "200", "v4a trained"],
  ["openai:o3", "200", "v4a trained"],
  ["openai:o4-mini", "200", "v4a trained"],
  ["openai-compatible:https://example.org/v1#openai/gpt-5-mini", "200", "v4a trained"],
  ["ollama:gpt-oss:20b", "20", "v4a trained"],
  ["ollama:olmo2:7b", "200", "range names"],
  ["google:gemini-2.5-pro", "200", "range marks"],
  ["ollama:gemma3:12b", "200", "range names"],
  ["ollama:qwen2.5-coder:1.5b", "59", "whole short"],
  ["ollama:qwen2.5-coder:1.5b", "60", "range names"],
  ["ollama:smollm2:360m", "10", "whole short"],
  ["gguf:/models/Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf", "30", "whole short"],
  ["vllm:mixtral-8x7b-instruct", "30", "range shortest"],
  ["ollama:qwen3:30b-a3b", "30", "whole short"],
  ["ollama:llama3.3:70b", "30", "range shortest"],
  ["lmstudio:starcoder2", "30", "range shortest"],
  ["openai:gpt-5", "0", "whole yet"],
  ["openai:gpt-5", "100/80", "whole every"],
  ["openai:gpt-5", "100/79", "v4a trained"],
];

for (const [model, size, expected] of cases) {
  test(`the format for ${model ?? "any chat"} with a file of ${size} lines is ${expected}`, () => {
    const [lines, changeSize] = size.split("/").map(Number);
    const files = [{ path: "a.ts", text: "a\n".repeat(lines!) }];
    const choice = chooseFormat({
      files,
      ...(model === undefined ? {} : { model }),
      ...(changeSize === undefined ? {} : { changeSize }),
    });
    const [format, word] = expected.split(" ");
    expect(choice.format).toBe(format);
    expect(choice.reason).toContain(word);
  });
}
