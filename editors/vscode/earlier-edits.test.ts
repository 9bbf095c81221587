import { expect, test, vi } from "vitest";
import { fakeVscode, user } from "./fixtures/fake-vscode.ts";
import { EarlierEdits } from "./src/earlier-edits.ts";

vi.mock("vscode", async () => (await import("./fixtures/fake-vscode.ts")).fakeVscode);

/**
 * What a server receives of a document that has the text "a" first, after steps: `record`, `reopen`
 * and `take` stand for themselves, `served` for a server that runs, anything else is typed. A
 * number is the version that the client opens the document with, which is else the present one.
 */
function received(steps: string): string {
  user.open("a");
  let isServed = false;
  let sent = "";
  using earlier = Object.assign(new EarlierEdits(() => isServed), {
    [Symbol.dispose]: () => earlier.dispose(),
  });
  const [document] = fakeVscode.workspace.textDocuments;
  const take = (version = document!.version) => {
    const textDocument = { uri: "file:///a.ts", languageId: "typescript", version, text: document!.text };
    const { opened, changes } = earlier.take({ textDocument });
    const shown = changes.flatMap(({ textDocument, contentChanges }) =>
      contentChanges.map((change) => {
        const at = "range" in change ? `@${change.range.start.character}-${change.range.end.character}` : "";
        return `${textDocument.version}: ${change.text}${at}`;
      }),
    );
    sent = [`${opened.textDocument.version}: ${opened.textDocument.text}`, ...shown].join(", ");
  };
  for (const step of steps.split(" ")) {
    if (step === "record") earlier.record();
    else if (step === "served") isServed = true;
    else if (step === "reopen") user.reopen();
    else if (step === "take") take();
    else if (/^\d+$/.test(step)) take(Number(step));
    else user.type(step);
  }
  return sent;
}

test.each([
  ["an unchanged text", "record take", "1: a"],
  ["each change", "record b cd take", "1: a, 2: b@1-1, 3: cd@2-2"],
  ["no change that the client sends itself", "record b cd 2", "1: a, 2: b@1-1"],
  ["changes once", "record b take take", "2: ab"],
  ["changes since the document was opened again", "record b reopen c take", "2: ab, 3: c@2-2"],
  ["no changes from before a server ended", "record b take c record d take", "3: abc, 4: d@3-3"],
  ["a document that is opened while a server runs", "record served reopen b take", "2: ab"],
  [
    "the last of too many changes",
    `record ${"b ".repeat(1001)}c take`,
    `1002: a${"b".repeat(1001)}, 1003: c@1002-1002`,
  ],
])("a server receives %s", (_, steps, expected) => {
  expect(received(steps)).toBe(expected);
});
