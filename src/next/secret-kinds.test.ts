import { describe, expect, test } from "vitest";
import { type SecretKind, secretKinds } from "../context/fixtures/secret-kinds.ts";
import type { PastEdit } from "../context/index.ts";
import { refuseRequest } from "./engine/gate.ts";
import { defaultNextEditSettings } from "./engine/settings.ts";
import { printQuestion, promptInputOf } from "./formats/format.laws.ts";
import { nextEditFormats } from "./formats/next-edit-formats.ts";
import { PromptLines, pastEditDiff } from "./formats/prompt-lines.ts";
import { type PromptInputRequest, tryBuildPromptInput } from "./providers/model/build-prompt-input.ts";

const lines = (text: string) => text.split("\n");

/**
 * The edits and viewed snippets of the user before a file without secrets, all of which contain a
 * kind of secret.
 */
function requestWith({ path, text }: SecretKind): PromptInputRequest {
  const after = [...lines(text), "marker"];
  const edit: PastEdit = { path, lines: { start: 0, end: after.length }, before: lines(text), after, atMs: 0 };
  return {
    ...{ path: "src/a.ts", language: "typescript", text: "one();\n\nthree();\n", cursor: 7 },
    history: [edit, { ...edit, after: ["marker"], lines: { start: 0, end: 1 } }],
    viewed: [{ path, lines: { start: 0, end: lines(text).length }, text: `${text}\nmarker\n` }],
    diagnostics: [{ start: 0, end: 0, code: "", message: `marker ${text.replace(/\s+/g, " ")}` }],
  };
}

describe.each(nextEditFormats.map((format) => [format.name, format] as const))(
  "row 5: next edits by %s",
  (_, format) => {
    test.each(secretKinds.map((kind) => [kind.name, kind] as const))("%s reaches no model", (_, kind) => {
      const question = format.ask(tryBuildPromptInput(requestWith(kind))!);
      expect(question.kind).not.toBe("refused");
      const shown = printQuestion(question);
      expect(shown).not.toContain(kind.secret);
      expect(shown).toContain("marker");
    });
  },
);

test("row 5: lines around a past edit are sent without their secrets, and the editable lines as they are", () => {
  for (const { text, secret } of secretKinds.filter(
    ({ path, text: shown }) => path.endsWith(".ts") && !shown.includes("\n"),
  )) {
    const scene = promptInputOf(`one();\n${text.replaceAll(/[«»|]/g, "")}\n«three();|\n»`);
    const [edit] = tryBuildPromptInput({
      ...{ path: "src/a.ts", language: "typescript", text: scene.text, cursor: scene.cursor },
      ...{ viewed: [], diagnostics: [] },
      history: [{ path: "src/a.ts", lines: { start: 2, end: 3 }, before: ["2();"], after: ["three();"], atMs: 0 }],
    })!.history;
    const diff = pastEditDiff(edit!, new PromptLines(scene));
    expect(diff).toContain("+three();");
    expect(diff).not.toContain(secret);
    const question = nextEditFormats.find(({ name }) => name === "chat")!.ask({ ...scene, history: [edit!] });
    expect(printQuestion(question)).toContain(secret);
  }
});

test("row 5: no request is sent for a document with a private key", () => {
  const keys = secretKinds.filter(({ name }) =>
    /^(?:SSH|GPG|age|the key of a kubeconfig|PEM: RSA, escaped)$/.test(name),
  );
  expect(keys.length).toBe(5);
  for (const { path, text } of keys) {
    const document = { uri: `file:///w/${path}`, language: "plaintext", version: 1, text: `one\n${text}\n` };
    const request = { document, path, offset: 0, trigger: "invoked" as const };
    expect(refuseRequest(request, () => ({ kind: "allowed" }), defaultNextEditSettings)).toEqual({
      kind: "secret-file",
      path,
    });
  }
});
