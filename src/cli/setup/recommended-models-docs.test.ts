import { expect, test } from "vitest";
import { hostedModels, recommendedModels } from "../../model/index.ts";
import { DocsPage } from "../fixtures/docs-page.ts";

const titles = { llamacpp: "llama.cpp", ollama: "Ollama", lmstudio: "LM Studio", vllm: "vLLM" } as const;

/** The cells of the list of recommended models, row by row. */
const listed = recommendedModels.map(({ title, use, memoryGb, servers }) => [
  ...[title, use === "fill" ? "ghost text" : "instructions, plans", `${memoryGb} GB`],
  ...(Object.keys(titles) as (keyof typeof titles)[]).map((server) => {
    const download = servers[server];
    return download === undefined ? "" : `\`${download.command}\`, ${download.sizeGb} GB`;
  }),
]);

test("docs/models.md has the table of the list", () => {
  const rows = new DocsPage("docs/models.md").text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const head = rows.findIndex(([first]) => first === "model");
  expect(rows[head]).toEqual(["model", "for", "memory", ...Object.values(titles)]);
  expect(rows.slice(head + 2, head + 2 + listed.length)).toEqual(listed);
});

test("the README names commands of the list alone", () => {
  const commands = recommendedModels.flatMap((model) => Object.values(model.servers).map(({ command }) => command));
  const named = [...new DocsPage("README.md").text.matchAll(/`((?:ollama pull|llama-server|lms get) [^`]+)`/g)];
  expect(named.length).toBeGreaterThan(2);
  for (const [, command] of named) expect(commands).toContain(command);
});

test("docs/models.md names the model that setup takes for each company", () => {
  const { text } = new DocsPage("docs/models.md");
  for (const { provider, model } of hostedModels) expect(text).toContain(`\`${provider}:${model}\``);
});

test("the README names hosted models of the list alone", () => {
  const names = hostedModels.map(({ provider, model }) => `${provider}:${model}`);
  const named = [...new DocsPage("README.md").text.matchAll(/"((?:mistral|deepseek|openai|anthropic|google):[^"]+)"/g)];
  expect(named.length).toBeGreaterThan(1);
  for (const [, name] of named) expect(names).toContain(name);
});
