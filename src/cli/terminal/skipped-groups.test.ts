import { expect, test } from "vitest";
import { groupSkipped } from "./skipped-groups.ts";

test("skipped files are grouped with the largest group first, and the workspace as a whole has a name", () => {
  const groups = groupSkipped([
    { kind: "skipped", path: "", reason: { kind: "secret", by: "folder", detail: ".ssh" } },
    { kind: "skipped", path: ".git", reason: { kind: "version-control" } },
    { kind: "skipped", path: "a.x", reason: { kind: "unknown-language" } },
    { kind: "skipped", path: "b.x", reason: { kind: "unknown-language" } },
  ]);
  expect(groups.map(({ count, examples }) => [count, examples[0]])).toEqual([
    [2, { path: "a.x", reason: "its language is unknown" }],
    [1, { path: ".", reason: "secret by its folder: .ssh" }],
  ]);
});
