import { describe, expect, test } from "vitest";
import { type GitChange, parseGitStatus } from "./git-status.ts";

const sha = "0123456789012345678901234567890123456789";
const modes = "100644 100644 100644";

/** Entries of git's output, and the expected changes, each in one line. */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "a change in the work tree",
    [`1 .M N... ${modes} ${sha} ${sha} src/a b.ts`],
    ["modified src/a b.ts: unchanged, modified"],
  ],
  ["a staged change", [`1 M. N... ${modes} ${sha} ${sha} a.ts`], ["modified a.ts: modified, unchanged"]],
  ["a new file", [`1 A. N... ${modes} ${sha} ${sha} a.ts`], ["added a.ts: added, unchanged"]],
  ["a new file, changed since", [`1 AM N... ${modes} ${sha} ${sha} a.ts`], ["added a.ts: added, modified"]],
  ["a new file, gone since", [`1 AD N... ${modes} ${sha} ${sha} a.ts`], ["deleted a.ts: added, deleted"]],
  ["a staged removal", [`1 D. N... ${modes} ${sha} ${sha} a.ts`], ["deleted a.ts: deleted, unchanged"]],
  ["a file meant to be added", [`1 .A N... ${modes} ${sha} ${sha} a.ts`], ["added a.ts: unchanged, added"]],
  [
    "a file that became a link",
    [`1 .T N... ${modes} ${sha} ${sha} a.ts`],
    ["type-changed a.ts: unchanged, type-changed"],
  ],
  [
    "a new name",
    [`2 R. N... ${modes} ${sha} ${sha} R100 new é.ts`, "old name.ts"],
    ["renamed new é.ts: renamed, unchanged from old name.ts"],
  ],
  ["a copy", [`2 C. N... ${modes} ${sha} ${sha} C75 b.ts`, "a.ts"], ["copied b.ts: copied, unchanged from a.ts"]],
  [
    "a submodule",
    [`1 .M SC.. 160000 160000 160000 ${sha} ${sha} lib`],
    ["modified lib: unchanged, modified (submodule)"],
  ],
  ["untracked files", ["? a b.ts", "? ü\n.ts"], ["untracked a b.ts", "untracked ü\n.ts"]],
  ["a conflict", [`u UU N... ${modes} 100644 ${sha} ${sha} ${sha} a b.ts`], ["conflicted a b.ts: modified, modified"]],
  [
    "a removal in conflict",
    [`u DU N... ${modes} 100644 ${sha} ${sha} ${sha} a.ts`],
    ["conflicted a.ts: deleted, modified"],
  ],
  ["both added", [`u AA N... ${modes} 100644 ${sha} ${sha} ${sha} a.ts`], ["conflicted a.ts: added, added"]],
  ["unknown lines", ["! ignored.ts", "# branch.upstream origin/main", "# stash 2", "x what"], []],
  ["nothing", [], []],
];

function print(change: GitChange): string {
  switch (change.kind) {
    case "untracked":
      return `untracked ${change.path}`;
    case "conflicted":
      return `conflicted ${change.path}: ${change.ours}, ${change.theirs}`;
    default: {
      const from = change.from === undefined ? "" : ` from ${change.from}`;
      const submodule = change.isSubmodule ? " (submodule)" : "";
      return `${change.kind} ${change.path}: ${change.index}, ${change.workTree}${from}${submodule}`;
    }
  }
}

describe("parseGitStatus reads", () => {
  for (const [name, entries, lines] of cases) {
    test(name, () => {
      const output = entries.map((entry) => `${entry}\0`).join("");
      expect(parseGitStatus(output).changes.map(print)).toEqual(lines);
    });
  }
});

describe("parseGitStatus reads the head", () => {
  const head = (oid: string, name: string) => parseGitStatus(`# branch.oid ${oid}\0# branch.head ${name}\0`).head;
  test("on a branch", () => expect(head(sha, "feature/x y")).toEqual({ kind: "branch", branch: "feature/x y", sha }));
  test("detached", () => expect(head(sha, "(detached)")).toEqual({ kind: "detached", sha }));
  test("before the first commit", () => expect(head("(initial)", "main")).toEqual({ kind: "unborn", branch: "main" }));
});
