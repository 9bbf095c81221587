import { expect, test } from "vitest";
import { MemoryFileSystem } from "../workspace/index.ts";
import { findWorkspaceRoot } from "./open-file.ts";

test.each([
  // The nearest repository wins, also over a nearer project.
  ["/r/.git/HEAD /r/p/package.json /r/p/src/a.ts", "/r/p/src", "/r"],
  ["/r/.git/HEAD /r/sub/.git /r/sub/a.ts", "/r/sub", "/r/sub"],
  ["/p/package.json /p/src/deep/a.ts", "/p/src/deep", "/p"],
  ["/p/package.json /p/q/go.mod /p/q/src/a.go", "/p/q/src", "/p/q"],
  ["/p/App.csproj /p/src/A.cs", "/p/src", "/p"],
  ["/plain/a.ts", "/plain", "/plain"],
  ["/a.ts", "/", "/"],
])("%s: %s belongs to %s", async (files, folder, expected) => {
  const fileSystem = new MemoryFileSystem(Object.fromEntries(files.split(" ").map((path) => [path, ""])));
  expect(await findWorkspaceRoot(folder, fileSystem)).toBe(expected);
});

test("an unreadable parent folder is skipped", async () => {
  const fileSystem = new MemoryFileSystem({ "/p/package.json": "", "/p/closed/src/a.ts": "" });
  fileSystem.lock("/p");
  // The content of a locked folder cannot be seen, not even that it is a project.
  expect(await findWorkspaceRoot("/p/closed/src", fileSystem)).toBe("/p/closed/src");
});
