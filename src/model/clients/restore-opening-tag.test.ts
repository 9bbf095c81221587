import { describe, expect, test } from "vitest";
import type { FillRequest, Model } from "../model.ts";
import { fillByChat } from "./fill-by-chat.ts";
import { endsWithOpeningTag, restoreOpeningTag, withOpeningTag } from "./restore-opening-tag.ts";

/**
 * A chat that gives these answers, one a request, in pieces of a few characters; `!` at the start:
 * cut off.
 */
function scripted(answers: readonly string[]): NonNullable<Model["chat"]> {
  let count = 0;
  return async function* () {
    const written = answers[Math.min(count++, answers.length - 1)]!;
    const answer = written.replace(/^!/, "");
    for (let at = 0; at < answer.length; at += 3) yield { kind: "text-delta", text: answer.slice(at, at + 3) };
    return { reason: written === answer ? "finished" : "length" };
  };
}

/** What comes of each answer of a chat, in order. */
async function chatted(answers: readonly string[], isReported: boolean | undefined, shown = "Add."): Promise<string[]> {
  const reports = isReported === undefined ? undefined : async () => isReported;
  const chat = withOpeningTag(scripted(answers), reports);
  const all: string[] = [];
  for (const _ of answers) {
    let text = "";
    for await (const part of chat({ messages: [{ role: "user", text: shown }] })) text += part.text;
    all.push(text);
  }
  return all;
}

const closed = "it is a\nso b\n</think>\n\nadd(1, 2)";
const restored = "<think>it is a\nso b\n</think>\n\nadd(1, 2)";

describe("row 51: the opening tag of reasoning in the prompt template is restored in the answer", () => {
  test.each([
    ["reported", true, [closed], [restored]],
    ["reported, and the row comes last", true, ["a\n</reasoning>"], ["<reasoning>a\n</reasoning>"]],
    ["reported, and nothing before the row", true, ["</think>\nb"], ["<think></think>\nb"]],
    ["reported, with a closing tag in a sentence", true, ["a </think> b\n</think>\nc"], ["<think>a  b\n</think>\nc"]],
    ["reported, and no reasoning", true, ["add(1, 2)"], ["add(1, 2)"]],
    ["reported, and cut off", true, ["!it is"], ["<think>it is"]],
    ["reported, and the answer opens it itself", true, ["<think>a</think>b"], ["<think>a</think>b"]],
    ["not reported", false, [closed], [closed]],
    ["an earlier answer had such a row", undefined, [closed, closed, "b"], [closed, restored, "b"]],
    ["an earlier answer had it in a fence", undefined, ["```\n</think>\n```", closed], ["```\n</think>\n```", closed]],
    ["an earlier answer opened it", undefined, ["<think>\n</think>\na", closed], ["<think>\n</think>\na", closed]],
  ])("%s", async (_, isReported, answers, expected) => {
    expect(await chatted(answers, isReported)).toEqual(expected);
  });

  test("not because of tags in the conversation", async () => {
    expect(await chatted([closed, closed], undefined, 'const close = "</think>";')).toEqual([closed, closed]);
  });

  test("without buffering where the server sends reasoning separately", async () => {
    const chat = withOpeningTag(
      async function* () {
        yield { kind: "text-delta", text: "a\n", isBehindReasoning: true };
        return { reason: "finished" };
      },
      async () => true,
    );
    const answer = chat({ messages: [] });
    expect(await answer.next()).toMatchObject({ value: { text: "a\n" } });
  });
});

test.each([
  ["We need add.\n</think>\n\nadd(1, 2)", "<think>We need add.\n</think>\n\nadd(1, 2)"],
  ["add(1, 2)\n</think>", "add(1, 2)\n</think>"],
  ["return a;", "return a;"],
  ["We go", "We go"],
])("row 51: a fill without a template is held only where it begins as prose: %j", async (answer, expected) => {
  const parts = async function* () {
    for (const text of answer) yield { text };
    yield { end: "finished" } as const;
  };
  let text = "";
  for await (const part of restoreOpeningTag(parts(), { reports: async () => true, isTemplated: false }))
    text += part.text ?? "";
  expect(text).toBe(expected);
});

test.each([
  ["{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n<think>\\n' }}\n{%- endif %}\n", true],
  ["{% if add_generation_prompt %}{{'<｜Assistant｜><think>\\n'}}{% endif %}", true],
  ["<|im_start|>assistant\n<think>\n", true],
  ["{{ .Prompt }}<|assistant|><reasoning>\n{{ .Response }}<|end|>\n", true],
  ["{{- if $last }}<|im_start|>assistant\n<think>\n{{ end }}{{ end }}", true],
  ["{%- if no_think %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}", false],
  ["{{ .Prompt }}<|assistant|>\n{{ .Response }}", false],
  ["{{ if .Think }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}", false],
  ["", false],
])("row 51: a template that ends with an opening tag: %j: %s", (template, expected) => {
  expect(endsWithOpeningTag(template)).toBe(expected);
});

/** What a chat model fills, where it gives these answers one after the other. */
async function filled(answers: readonly string[], request: Partial<FillRequest>): Promise<readonly string[]> {
  const model = fillByChat({ name: "scripted", chat: scripted(answers) });
  const all: string[] = [];
  for (const _ of answers) {
    const hole = { path: "a", language: "typescript", prefix: "", suffix: "", maxLines: 20, ...request };
    let text = "";
    for await (const part of model.fill(hole)) text += part.text;
    all.push(text);
  }
  return all;
}

describe("row 51: the opening tag of reasoning is restored in chat answers", () => {
  const code = { prefix: "const sum = ", suffix: ";\n" };
  const prose = { language: "markdown", prefix: "# A\n\n", suffix: "\n\nMore.\n" };
  test.each([
    ["a sentence and a closing tag", code, ["We need add.\n</think>\n\nadd(1, 2)"], ["add(1, 2)"]],
    ["reasoning in another tag", code, ["<reasoning>We add.</reasoning>\nadd(1, 2)"], ["add(1, 2)"]],
    ["a closing tag that an earlier answer had", code, [closed, closed], [closed, "add(1, 2)"]],
    ["a fence in a document", prose, ["```ts\na();\n```"], ["```ts\na();\n```"]],
    ["tildes in a document", prose, ["~~~\na\n~~~\n"], ["~~~\na\n~~~\n"]],
    ["a fence of Markdown around a whole document", { language: "markdown" }, ["```markdown\n# A\n```"], ["# A"]],
    ["a fence in a comment", { language: "rust", prefix: "/// " }, ["```\n/// f();"], ["```\n/// f();"]],
    ["a tag in a string", { prefix: 'const open = "', suffix: '";\n' }, ["<think>"], ["<think>"]],
    ["a tag and the end of its string", { prefix: 'const open = "' }, ['<think>";\na();'], ['<think>";\na();']],
  ])("%s", async (_, request, answers, expected) => {
    expect(await filled(answers, request)).toEqual(expected);
  });
});
