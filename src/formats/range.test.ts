import { testFormat } from "./format.laws.ts";
import { range } from "./range.ts";

testFormat(range, {
  marks: [
    ...[
      "@@ end",
      "@@ none",
      "@@ 1 a",
      "@@ 2-3 a | b",
      "@@ 1+ a",
      "@@ 0+",
      "@@ delete 1",
      "@@ file src/a.ts",
      "@@",
      "@@@",
    ],
    ...[
      "@@ create new.ts",
      "@@ remove src/a.ts",
      "@@ move src/a.ts b.ts",
      "\\@@ end",
      "\\```",
      "1\tx",
      "1:x",
      "| a | b",
    ],
  ],
});
