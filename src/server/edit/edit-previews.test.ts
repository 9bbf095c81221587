import { describe, expect, test } from "vitest";
import type { Connection } from "vscode-languageserver";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { Edit, type WorkspaceEdit, workspaceEdit } from "../../text/index.ts";
import { Positions } from "../positions.ts";
import type { EditPreviewParams } from "../protocol/edit-preview.ts";
import { EditPreviews } from "./edit-previews.ts";

const before = "one\ntwo\nthree\n";

/** Previews of a file `a.ts` that reads {@link before}, what was sent, and the clock. */
function open() {
  const clock = new FakeClock();
  const sent: EditPreviewParams[] = [];
  const connection = {
    sendNotification: async (_: string, params: EditPreviewParams) => void sent.push(params),
  } as unknown as Connection;
  const previews = new EditPreviews({
    ...{ connection, clock, positions: new Positions("utf-16"), name: "p" },
    files: new Map([["a.ts", before]]),
    uriOf: (path) => `file:///w/${path}`,
  });
  return { clock, sent, previews };
}

const editOf = (edit: Edit): WorkspaceEdit => workspaceEdit([{ kind: "edit", uri: "a.ts", edit }]);

/** The preview of a change that is being written in front of a line of the text before. */
function previewAt(edit: WorkspaceEdit, line: number, path = "a.ts"): EditPreviewParams {
  const { sent, previews } = open();
  previews.receive({ kind: "preview", edit, at: { path, line } });
  return sent[0]!;
}

describe("the place where the model writes", () => {
  test.each<[what: string, edit: Edit, line: number, at: [line: number, character: number]]>([
    ["behind lines that were put in", Edit.insert(4, "new\nlines\n"), 1, [3, 0]],
    ["behind lines that took the place of others", Edit.replace({ start: 4, end: 8 }, "2\n2b\n"), 2, [3, 0]],
    ["behind what was taken away", Edit.replace({ start: 0, end: 4 }, ""), 1, [0, 0]],
    ["at the end", Edit.insert(before.length, "four"), 3, [3, 4]],
    ["past the end", Edit.insert(before.length, "four"), 9, [3, 4]],
  ])("%s", (_, edit, line, [atLine, character]) => {
    expect(previewAt(editOf(edit), line).at).toEqual({ uri: "file:///w/a.ts", position: { line: atLine, character } });
  });

  test("in a new file", () => {
    const edit = workspaceEdit([{ kind: "create", uri: "b.ts", text: "b = 1\nc" }]);
    expect(previewAt(edit, 0, "b.ts").at).toEqual({ uri: "file:///w/b.ts", position: { line: 1, character: 1 } });
  });

  test("in a renamed file", () => {
    const edit = workspaceEdit([{ kind: "rename", uri: "a.ts", uriAfter: "b.ts", edit: Edit.insert(0, "zero\n") }]);
    const { at, files } = previewAt(edit, 0);
    expect(at).toEqual({ uri: "file:///w/b.ts", position: { line: 1, character: 0 } });
    expect(files).toEqual([
      { uri: "file:///w/a.ts", path: "a.ts", before, after: null },
      { uri: "file:///w/b.ts", path: "b.ts", before: null, after: `zero\n${before}` },
    ]);
  });
});

test("sends previews at a limited rate, and always the last one", () => {
  const { clock, sent, previews } = open();
  previews.setActivity("m", "is answering");
  for (const text of ["a", "ab", "abc"]) previews.receive({ kind: "preview", edit: editOf(Edit.insert(0, text)) });
  expect(sent.map(({ activity, files }) => [activity, files[0]?.after])).toEqual([["is answering", undefined]]);
  clock.advance(100);
  expect(sent.at(-1)).toMatchObject({ model: "m", files: [{ before, after: `abc${before}` }] });
  previews.receive({ kind: "preview", edit: editOf(Edit.insert(0, "abcd")) });
  previews.end("m", { edit: editOf(Edit.insert(0, "done")), files: new Map([["a.ts", before]]) });
  expect(sent.at(-1)).toMatchObject({ activity: "has answered", files: [{ after: `done${before}` }] });
  expect(sent).toHaveLength(3);
});

test("sends no preview after the end", () => {
  const { clock, sent, previews } = open();
  previews.setActivity("m", "is answering");
  previews.setActivity("m", "is repairing the syntax");
  previews[Symbol.dispose]();
  clock.advance(1000);
  expect(sent).toHaveLength(1);
});
