import { expect, test } from "vitest";
import type { Message } from "vscode-languageserver";
import { keepToFolder } from "./page-sockets.ts";

const keep = keepToFolder("/home/me/my work");
const folder = { uri: "file:///home/me/my%20work", name: "my work" };
const request = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params }) as Message;

test.each([
  {},
  { rootUri: "file:///", rootPath: "/" },
  { rootUri: "file:///etc", workspaceFolders: [{ uri: "file:///etc", name: "etc" }] },
  { workspaceFolders: null },
])("the language server opens the served folder whatever the client names: %j", (params) => {
  const more = { processId: null, capabilities: { workspace: {} } };
  expect(keep(request("initialize", { ...more, ...params }))).toEqual(
    request("initialize", { ...more, rootUri: null, workspaceFolders: [folder] }),
  );
});

test("sets the folder where a client names none", () => {
  expect(keep(request("initialize"))).toMatchObject({ params: { workspaceFolders: [folder] } });
});

test("workspace folders can't be added or removed later", () => {
  const method = "workspace/didChangeWorkspaceFolders";
  expect(keep({ jsonrpc: "2.0", method, params: { event: { added: [], removed: [] } } } as Message)).toBeUndefined();
});

test("passes other messages unchanged", () => {
  for (const message of [
    request("emend/status"),
    { jsonrpc: "2.0", method: "initialized", params: {} } as Message,
    { jsonrpc: "2.0", id: 1, result: [{ uri: "file:///", name: "" }] } as Message,
  ])
    expect(keep(message)).toBe(message);
});
