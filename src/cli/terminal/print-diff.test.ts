import { expect, test } from "vitest";
import { diffRows, printDiff } from "./print-diff.ts";

const diff = `diff --git a/a.sql b/a.sql
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,3 @@
 select 1;
--- a comment of SQL
+++ a sum
 \u001b[31mred\r
\\ No newline at end of file
diff --git a/b.ts b/b.ts
new file mode 100644
`;

/** Styles as marks around the text: `<32 … >`. */
const marked = (text: string) => text.replaceAll("\u001b[", "§").replace(/§(\d+)m(.*?)§\d+m/g, "<$1 $2>");

test("a diff has a colour for each kind of row, also where a row resembles another kind", () => {
  expect(marked(diffRows(diff, true).join(""))).toBe(`<1 diff --git a/a.sql b/a.sql>
<1 --- a/a.sql>
<1 +++ b/a.sql>
<36 @@ -1,3 +1,3 @@>
 select 1;
<31 --- a comment of SQL>
<32 +++ a sum>
 ␛[31mred
<2 \\ No newline at end of file>
<1 diff --git a/b.ts b/b.ts>
<1 new file mode 100644>
`);
});

test("a diff for a file is unchanged, and one for a terminal has no control characters", () => {
  expect(printDiff(diff, { colour: false, isShown: false })).toBe(diff);
  expect(printDiff(diff, { colour: false, isShown: true })).toBe(diff.replace("\u001b", "␛").replace("\r", ""));
  expect(diffRows("", true)).toEqual([]);
});
