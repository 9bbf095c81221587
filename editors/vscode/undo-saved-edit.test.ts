import { expect, test, vi } from "vitest";
import { undoSavedEdit } from "./src/edit-with-instruction.ts";

const shown: string[] = [];
vi.mock("vscode", () => ({
  commands: {},
  env: {},
  window: {
    activeTextEditor: { document: { uri: { scheme: "file", toString: () => "file:///w/a.ts" } } },
    showInformationMessage: (text: string) => void shown.push(text),
  },
}));

const edit = { id: 3, instruction: "take a rate", paths: ["a.ts", "b.ts"] };

test.each([
  ["one that was undone", { isUndone: true, edit, undoneBy: 4 }, "Emend: undone and saved in a.ts, b.ts: take a rate"],
  ["one that is refused", { isUndone: false, edit, failureReason: "a.ts is open." }, "Emend: a.ts is open."],
  ["none", { isUndone: false, failureReason: "Nothing in /w." }, "Emend: There is no edit by Emend to undo."],
])("the undo of a saved edit reports %s", async (_, answer, expected) => {
  shown.length = 0;
  const requests: unknown[] = [];
  const request = async (method: string, params: unknown) => {
    requests.push([method, params]);
    return answer as never;
  };
  await undoSavedEdit({ request, notify: () => undefined });
  expect(requests).toEqual([["emend/edit/undo", { uri: "file:///w/a.ts" }]]);
  expect(shown).toEqual([expected]);
});
