import { expect, test, vi } from "vitest";
import type { CancellationToken, InlineCompletionContext, InlineCompletionItem, Position, TextDocument } from "vscode";
import { executed, fakeVscode, user } from "./fixtures/fake-vscode.ts";
import { GhostText } from "./src/ghost-text.ts";

vi.mock("vscode", async () => (await import("./fixtures/fake-vscode.ts")).fakeVscode);

/**
 * What happens when ghost text is dismissed, after the steps: `shown` for ghost text of the server
 * at the cursor, `next` for a next edit as ghost text, `left` for a cursor that has moved, anything
 * else is typed. Text that is typed as suggested stays ghost text.
 */
async function dismissed(steps: string): Promise<readonly string[]> {
  user.open("ite");
  const sent: string[] = [];
  let nextEdit: InlineCompletionItem | undefined;
  const ghostText = new GhostText({
    server: {
      request: async (method, params) => void sent.push(`${method} ${JSON.stringify(params)}`) as never,
      notify: () => undefined,
    },
    nextEdits: { ghostTextAt: () => nextEdit, ghostTextDismissed: () => void sent.push("next edits") },
  });
  const [document] = fakeVscode.workspace.textDocuments as unknown as readonly TextDocument[];
  const { selection } = fakeVscode.window.activeTextEditor;
  const item = (insertText: string) =>
    ({ insertText, command: { title: "", command: "emend.accept", arguments: ["one"] } }) as InlineCompletionItem;
  const provide = () =>
    ghostText.provideInlineCompletionItems(
      ...([document!, selection.active as Position, {} as InlineCompletionContext] as const),
      { isCancellationRequested: false } as CancellationToken,
      async () => [item("ms;")],
    );
  for (const step of steps.split(" ")) {
    if (step === "left") user.moveTo(0, 1);
    else if (step === "shown" || step === "next") {
      nextEdit = step === "next" ? item("x") : undefined;
      await provide();
    } else user.type(step);
  }
  await ghostText.dismiss();
  ghostText.dispose();
  return [...sent, ...executed];
}

test("a request for the same text again is an automatic one, and others are as VS Code makes them", async () => {
  user.open("ite");
  const kinds: number[] = [];
  const ghostText = new GhostText({
    server: { request: () => Promise.reject(new Error("no request")), notify: () => undefined },
    nextEdits: { ghostTextAt: () => undefined, ghostTextDismissed: () => undefined },
  });
  const [document] = fakeVscode.workspace.textDocuments as unknown as readonly TextDocument[];
  const explicit = { triggerKind: fakeVscode.InlineCompletionTriggerKind.Invoke } as InlineCompletionContext;
  const provide = () =>
    ghostText.provideInlineCompletionItems(
      ...([document!, fakeVscode.window.activeTextEditor.selection.active as Position, explicit] as const),
      { isCancellationRequested: false } as CancellationToken,
      async (_document, _position, { triggerKind }) => {
        kinds.push(triggerKind);
        return [];
      },
    );
  await provide();
  const again = ghostText.requestAgain();
  await provide();
  await again;
  await provide();
  ghostText.dispose();
  expect(executed).toEqual(["editor.action.inlineSuggest.trigger"]);
  expect(kinds).toEqual([0, 1, 0]);
});

const hides = "editor.action.inlineSuggest.hide";

test.each([
  ["ghost text of the server", "shown", true],
  ["ghost text that is typed as suggested", "shown m", true],
  ["ghost text after another text was typed", "shown x", false],
  ["ghost text after the cursor has left it", "shown left", false],
  ["a next edit as ghost text, which is rejected as one", "shown next", false],
])("dismisses %s", async (_, steps, isReported) => {
  const reported = isReported ? ['notifyRejected {"uuids":["one"]}'] : [];
  expect(await dismissed(steps)).toEqual([...reported, "next edits", hides]);
});
