import fc from "fast-check";
import { expect, test } from "vitest";
import { pathInUri, toFileUri, tryPathOfUri } from "./file-uri.ts";

test.each([
  ["file:///home/me/a.ts", "/home/me/a.ts"],
  ["file:///home/me/", "/home/me"],
  ["file:///", "/"],
  ["FILE:///x", "/x"],
  ["file:/x/y", "/x/y"],
  ["file://localhost/x", "/x"],
  ["file:///a%20b/%C3%A4%23.ts", "/a b/ä#.ts"],
  ["file:///c%3A/Users/x.ts", "C:/Users/x.ts"],
  ["file:///C:/Users/x.ts", "C:/Users/x.ts"],
  ["file:///c:/", "C:/"],
  ["file://server/share/x.ts", "//server/share/x.ts"],
  ["file:///x%", undefined],
  ["untitled:Untitled-1", undefined],
  ["https://example.org/x.ts", undefined],
  ["", undefined],
])("tryPathOfUri reads %s", (uri, path) => {
  expect(tryPathOfUri(uri)).toBe(path);
});

test.each([
  ["git:/w/.env?%7B%22ref%22%3A%22~%22%7D", "/w/.env"],
  ["vscode-remote://ssh-remote%2Bhost/home/me/%2Eenv#L1", "/home/me/.env"],
  ["untitled:Untitled-1", "Untitled-1"],
  ["untitled:a%20b.ts?x", "a b.ts"],
  ["file:///c%3A/%2Essh/x%", "/c:/.ssh/x%"],
  ["file:///%ff/%2Eenv", "/%ff/.env"],
  [".env", ".env"],
  ["", ""],
])("the path in %s", (uri, path) => {
  expect(pathInUri(uri)).toBe(path);
});

test("a path comes back from its address", () => {
  const name = fc.string({ minLength: 1 }).map((text) => text.replaceAll(/[/\\:]/g, "_"));
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (names) => {
      const path = `/${names.join("/")}`;
      expect(tryPathOfUri(toFileUri(path))).toBe(path);
    }),
  );
});
