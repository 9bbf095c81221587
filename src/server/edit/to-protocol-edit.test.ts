import { expect, test } from "vitest";
import { Edit, type FileChange, workspaceEdit } from "../../text/index.ts";
import { Positions } from "../positions.ts";
import { toProtocolEdit } from "./to-protocol-edit.ts";

const files = new Map([
  ["a.ts", "one\ntwo\n"],
  ["b.ts", "three\n"],
]);
const change = Edit.replace({ start: 4, end: 7 }, "2");
const all = { documentChanges: true, resourceOperations: ["create", "rename", "delete"] as const };

/** The operations in one short line each. */
function convert(changes: readonly FileChange[], can: object | undefined = all): unknown {
  const converted = toProtocolEdit(workspaceEdit(changes), {
    ...{ files, positions: new Positions("utf-16") },
    capabilities: { workspace: { ...(can && { workspaceEdit: can }) } },
    documentOf: (path) => ({ uri: `file:///w/${path}`, version: path === "a.ts" ? 3 : null }),
  });
  if (converted.kind === "unsupported") return `not ${converted.operations.join(", ")}`;
  return (converted.edit.documentChanges ?? [converted.edit.changes]).map((one) => JSON.stringify(one));
}

const edits = '[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"newText":"2"}]';
const edited = `{"textDocument":{"uri":"file:///w/a.ts","version":3},"edits":${edits}}`;

test.each<[title: string, changes: readonly FileChange[], operations: unknown, can?: object]>([
  ["an edit", [{ kind: "edit", uri: "a.ts", edit: change }], [edited]],
  [
    "a file that moves and changes, to where one goes away",
    [
      { kind: "rename", uri: "a.ts", uriAfter: "b.ts", edit: change },
      { kind: "delete", uri: "b.ts" },
    ],
    [
      '{"kind":"delete","uri":"file:///w/b.ts"}',
      edited,
      '{"kind":"rename","oldUri":"file:///w/a.ts","newUri":"file:///w/b.ts"}',
    ],
  ],
  [
    "a file that is made",
    [{ kind: "create", uri: "c.ts", text: "c" }],
    [
      '{"kind":"create","uri":"file:///w/c.ts"}',
      '{"textDocument":{"uri":"file:///w/c.ts","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"c"}]}',
    ],
  ],
  ["an edit without versions", [{ kind: "edit", uri: "a.ts", edit: change }], [`{"file:///w/a.ts":${edits}}`], {}],
  [
    "what the client cannot",
    [{ kind: "delete", uri: "b.ts" }],
    "not delete",
    { ...all, resourceOperations: ["create"] },
  ],
  [
    "what it can, without an order",
    [{ kind: "delete", uri: "b.ts" }],
    "not documentChanges",
    { resourceOperations: ["delete"] },
  ],
])("an edit is converted for the protocol: %s", (_, changes, operations, can) => {
  expect(convert(changes, can)).toEqual(operations);
});
