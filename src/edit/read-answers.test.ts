import fc from "fast-check";
import { expect, test } from "vitest";
import { joinContinuation } from "./read-answers.ts";

// Rows are separated by `/`.
const cases: readonly (readonly [what: string, rows: string, next: string, joined: string])[] = [
  ["goes on", "@@ 1 a/b/", "c/@@ end", "@@ 1 a/b/c/@@ end"],
  ["starts over", "@@ 1 a/b/", "@@ 1 a/b/c/@@ end", "@@ 1 a/b/c/@@ end"],
  ["starts over behind a blank row", "@@ 1 a/b/", "/@@ 1 a/b/c", "@@ 1 a/b/c"],
  ["starts over where one row had come", "@@ 1 a/", "@@ 1 a/b/", "@@ 1 a/b/"],
  [
    "writes its last rows again",
    "@@ 1 a/  one();/  two();/",
    "  one();/  two();/  three();",
    "@@ 1 a/  one();/  two();/  three();",
  ],
  ["has one row twice", "@@ 1 a/b/  }/", "  }/}/", "@@ 1 a/b/  }/  }/}/"],
  ["has closing brackets twice", "@@ 1 a/  }/}/", "  }/}/c", "@@ 1 a/  }/}/  }/}/c"],
  ["opens its fence again", "```ts/3:a/", "```ts/4:b/```", "```ts/3:a/4:b/```"],
  ["closes its fence", "```ts/3:a/", "```/", "```ts/3:a/```/"],
  ["opens another fence", "```ts/3:a/```/", "```ts/4:b/```", "```ts/3:a/```/```ts/4:b/```"],
  ["continues with nothing", "@@ 1 a/", "", "@@ 1 a/"],
];

for (const [what, rows, next, joined] of cases) {
  test(`answers are read of a model that ${what}`, () => {
    const read = (text: string) => text.replaceAll("/", "\n");
    expect(joinContinuation({ rows: read(rows), next: read(next) })).toBe(read(joined));
  });
}

test("joining a continuation drops repeated rows only", () => {
  const text = fc
    .array(fc.constantFrom("a", "}", "```", "```ts", "", "const b"), { maxLength: 8 })
    .map((rows) => rows.join("\n"));
  fc.assert(
    fc.property(text, text, (had, next) => {
      const rows = had === "" ? "" : `${had}\n`;
      const joined = joinContinuation({ rows, next });
      expect(joined.startsWith(rows) || next.endsWith(joined)).toBe(true);
    }),
  );
});
