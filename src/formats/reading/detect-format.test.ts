import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import type { FileChangeTexts } from "../../text/index.ts";
import type { EditFormat } from "../edit-format.ts";
import { anyText } from "../format.laws.ts";
import { formats } from "../formats.ts";
import { v4a } from "../v4a.ts";
import { readAnswer } from "./answer-reader.ts";
import { detectFormat } from "./detect-format.ts";

const block = "a.ts\n```ts\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n";
const patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n*** End Patch\n";
const diff = "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n";
const ranges = "@@ 1 x\ny\n@@ end\n";
const json = '{"path": "a", "old_string": "x", "new_string": "y"}\n';
const commands = "edit 1:1\nx\nend_of_edit\n";

const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["a search/replace block", block, "search-replace"],
  ["one without a fence", block.replaceAll(/```.*\n/g, ""), "search-replace"],
  ["one with the path in the fence", `\`\`\`\n# a.ts\n${block.split("\n").slice(2).join("\n")}`, "search-replace"],
  ["Cline's marks", "a\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE", "search-replace"],
  ["a patch", patch, "v4a"],
  ["a patch in a fence", `Here:\n\`\`\`\n${patch}\`\`\``, "v4a"],
  ["a patch in a command", `apply_patch <<'EOF'\n${patch}EOF`, "v4a"],
  ["a patch in JSON", `{"input": ${JSON.stringify(patch)}}`, "v4a"],
  ["a patch without its first row", "*** Update File: a\n-x\n*** End Patch", "v4a"],
  ["a diff", diff, "udiff"],
  ["a diff in a fence", `\`\`\`diff\n${diff}\`\`\``, "udiff"],
  ["a diff of a path in a fence", `\`\`\`diff\n${diff.replaceAll(" a\n", " src/a.ts\n")}\`\`\``, "udiff"],
  ["a diff without numbers", "```diff\n@@ ... @@\n-x\n```", "udiff"],
  ["git's diff of an empty file", "diff --git a/x b/x\nnew file mode 100644\n", "udiff"],
  ["numbers and openings", ranges, "range"],
  ["nothing to change in the format range", "@@ none\n@@ end", "range"],
  ["JSON", json, "str-replace"],
  ["JSON over rows, in a fence", `\`\`\`json\n{\n  "edits": [\n${json}  ]\n}\n\`\`\``, "str-replace"],
  ["JSON that is cut off", '{"path": "a", "old_string": "x', "str-replace"],
  ["commands", commands, "line-commands"],
  ["numbered rows", "```\n1:x\n2:\n```", "numbered"],
  ["numbered rows with a range", "```\n1-2:x\n3:\n```", "numbered"],
  ["numbered rows without a fence", "1:x\n+:y\n", "numbered"],
  ["code with remarks for what stays", "a.ts\n```ts\n// ... existing code ...\nx\n```", "elided"],
  ["such code without a fence", "f() {\n  // ... existing code ...\n}", "elided"],
  ["words with dots", "Well,\n...\nno.", "unsure"],
  ["several edits of one format", block + block, "search-replace"],

  [
    "marks inside of a block",
    "a\n<<<<<<< SEARCH\n*** Begin Patch\n--- a\n+++ a\n=======\n@@ end\n>>>>>>> REPLACE",
    "search-replace",
  ],
  ["marks inside of a patch", patch.replace("-x", " <<<<<<< SEARCH\n-edit 1:1\n-end_of_edit"), "v4a"],
  ["marks inside of a range", "@@ 1 x\n<<<<<<< SEARCH\n--- a\n+++ a\n@@ end", "range"],
  ["marks inside of JSON", json.replace('"x"', '"x\n<<<<<<< SEARCH\n"'), "str-replace"],
  ["a sample beside a block", `For example:\n\`\`\`ts\n// ...\nx\n\`\`\`\n${block}`, "search-replace"],
  ["words about marks", "A block has `<<<<<<< SEARCH` in front.\nI edit 4 lines.", "unsure"],
  ["a file", "a.ts\n```ts\nx\n```", "unsure whole elided"],
  ["a file that has marks in it", "a.md\n````md\n# Blocks\n<<<<<<< SEARCH\n````", "unsure whole elided"],
  ["commands for a shell", "Run a.ts\n```bash\nnpm test\n```", "unsure"],
  ["other JSON", '{"name": "x"}', "unsure"],
  ["a block and a patch", block + patch, "unsure search-replace v4a"],
  ["a diff and JSON", diff + json, "unsure udiff str-replace"],
  ["nothing", "", "unsure"],
];

for (const [name, answer, expected] of cases) {
  test(`detectFormat recognizes ${name}`, () => {
    const found = detectFormat(answer);
    expect(found.kind === "format" ? found.name : ["unsure", ...found.candidates].join(" ")).toBe(expected);
  });
}

const marks = [
  "<<<<<<< SEARCH",
  ">>>>>>> REPLACE",
  "*** Begin Patch",
  "@@ end",
  "@@ 1 a",
  "edit 1:1",
  "end_of_edit",
  "// ...",
];

for (const format of formats.filter(({ name }) => name !== "whole" && name !== "elided")) {
  test(`law: an answer in the format ${format.name} is distinguished from all others`, () => {
    let detected = 0;
    fc.assert(
      fc.property(anyText(marks), anyText(marks), (before, after) => {
        const answer = tryEncode(format, { path: "src/a.ts", before, after });
        fc.pre(answer !== undefined);
        const found = detectFormat(answer);
        expect(found).toMatchObject(found.kind === "format" ? { name: format.name } : { candidates: [] });
        if (found.kind === "format") detected += 1;
      }),
    );
    expect(detected).toBeGreaterThan(30);
  });
}

function tryEncode(format: EditFormat, change: FileChangeTexts): string | undefined {
  try {
    return format.encode([change]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "not-encodable") throw error;
    return undefined;
  }
}

test.each([
  ["bash", "apply_patch <<'EOF'\n", "EOF\n"],
  ["bash", "$ apply_patch <<EOF\n", "EOF\n"],
  ["sh", 'cd lib\napply_patch << "PATCH"\n', "PATCH\n"],
  ["shell", "cat <<'EOF' | apply_patch\n", "EOF\n"],
  ["", "applypatch <<-'EOF'\n\n", "EOF\n"],
  ["console", "bash -lc \"apply_patch <<'EOF'\n", 'EOF"\n'],
  ["bash", "apply_patch '", "'\n"],
  ["sh", 'apply_patch "', '"\n'],
])("row 34: a patch that a command reads, in a fence: %s %j", (info, before, after) => {
  for (const fence of ["```", "~~~~"]) {
    const end = after.length < 3 ? patch.trimEnd() + after : patch + after;
    const answer = `Run this:\n\n${fence}${info}\n${before}${end}${fence}\n\nDone.\n`;
    expect(detectFormat(answer)).toEqual({ kind: "format", name: "v4a" });
    const { operations, refusals } = readAnswer(v4a.read({ paths: ["a"] }), answer);
    expect([operations.length, refusals]).toEqual([1, []]);
    expect(operations[0]).toMatchObject({ kind: "block", path: "a", search: ["x"], replace: [] });
  }
});

test("row 34: a search/replace block that contains a patch is a block", () => {
  const answer = "a.md\n```md\n<<<<<<< SEARCH\n*** Begin Patch\n=======\n>>>>>>> REPLACE\n```\n";
  expect(detectFormat(answer)).toEqual({ kind: "format", name: "search-replace" });
});

test("row 34: a shell command without a patch is no patch", () => {
  expect(detectFormat("Run:\n```bash\ncat <<'EOF' > a\nx\nEOF\n```\n")).toEqual({ kind: "unsure", candidates: [] });
});

// Reading each object from each of its rows would take minutes.
test("row 15: detectFormat reads objects in each other once", { timeout: 30_000 }, () => {
  const nested = "{\n".repeat(40_000) + "}\n".repeat(40_000);
  expect(detectFormat(nested)).toEqual({ kind: "unsure", candidates: [] });
  const call = '{"file_path":"a.ts","old_string":"a","new_string":"b"}\n';
  expect(detectFormat(nested + call)).toEqual({ kind: "format", name: "str-replace" });
});

law("no text makes detectFormat throw", [anyText([...marks, "{", '{"a": [', "```json", "--- a", "+++ a"])], (text) => {
  expect(["format", "unsure"]).toContain(detectFormat(text).kind);
});
