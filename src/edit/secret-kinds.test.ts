import { afterAll, describe, expect, test } from "vitest";
import { type SecretKind, secretKinds } from "../context/fixtures/secret-kinds.ts";
import { hideSecrets } from "../context/index.ts";
import { formatNamed } from "../formats/index.ts";
import { languageOf } from "../syntax/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { editPrompt, printPrompt } from "./edit-prompt.ts";
import { play } from "./fixtures/play.ts";
import { regionPrompt } from "./regions/region-prompt.ts";
import { retryPromptFor } from "./retry-prompt.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const kinds = secretKinds.map((kind) => [kind.name, kind] as const);
const fits = "@@ 1 one\ntwo();\n@@ end\n";
const reportOf = ({ text }: SecretKind) => `marker: failed\n${text}\n`;
const contextOf = ({ path, text }: SecretKind) => [
  { path, text: hideSecrets(`marker\n${text}\n`, languageOf(path).id).text },
];

describe("row 5: what a verification command printed", () => {
  test.each(kinds)("%s reaches no model that is requested again", async (_, kind) => {
    const reports = [reportOf(kind)];
    const { model, outcome } = await play({
      ...{ syntax, before: "one();\n", answers: [fits], otherwise: "@@ none\n@@ end\n", maxRetries: 1 },
      verify: async () => {
        const text = reports.pop();
        return text === undefined ? { kind: "passed" } : { kind: "failed", report: text };
      },
    });
    expect(model.calls.length).toBe(2);
    const prompts = model.calls.flatMap(({ messages }) => messages.map(({ text }) => text)).join("\n");
    expect(prompts).toContain("marker: failed");
    expect(prompts).not.toContain(kind.secret);
    expect(outcome.kind).toBe("failed-verification");
  });

  test.each(kinds)("%s is not in the prompt that is copied into a chat", async (_, kind) => {
    const { outcome } = await play({
      ...{ syntax, before: "one();\n", answers: [fits], maxRetries: 0 },
      verify: async () => ({ kind: "failed", report: reportOf(kind) }),
    });
    const request = { files: [{ path: "a.ts", text: "one();\n", language: "typescript" }], format: "range" as const };
    const again = retryPromptFor(outcome, { answer: fits, request });
    expect(again).toContain("marker: failed");
    expect(again).not.toContain(kind.secret);
  });
});

test("row 5: texts to read are without their secrets, those to change are as they are", () => {
  for (const kind of secretKinds) {
    const context = contextOf(kind);
    const text = `${kind.text}\n`;
    const request = { instruction: "Do it.", files: [], context };
    const question = {
      ...{ instruction: "Do it.", path: "a.ts", language: "typescript", text: "one();\n" },
      ...{ regions: [{ start: 0, end: 6 }], index: 0, isLines: true, maxShownTokens: 4_000, context },
    };
    for (const messages of [editPrompt(request, formatNamed("range")), regionPrompt(question)]) {
      expect(printPrompt(messages)).toContain("marker");
      expect(printPrompt(messages)).not.toContain(kind.secret);
    }
    const changed = editPrompt({ instruction: "Do it.", files: [{ path: kind.path, text }] }, formatNamed("whole"));
    expect(printPrompt(changed)).toContain(kind.secret.split("\n")[0]);
  }
});
