import { testFormat } from "./format.laws.ts";
import { strReplace } from "./str-replace.ts";

testFormat(strReplace, {
  marks: [
    "{",
    "}",
    "[{",
    "}]",
    '"old_string": "a",',
    '{"path": "src/a.ts", "old_string": "a", "new_string": "b"}',
    '{"edits": []}',
    '{"command": "insert", "insert_line": 1, "new_str": "x"}',
    '{"content": "x"}',
    "No changes.",
    "```json",
    '"\\',
  ],
  cannotExpress: ({ before, after, path, pathBefore = path }) =>
    (before !== undefined && after === undefined) || path !== pathBefore,
});
