import { testFormat } from "./format.laws.ts";
import { v4a } from "./v4a.ts";

testFormat(v4a, {
  marks: [
    "*** Begin Patch",
    "*** End Patch",
    " *** End Patch",
    "*** Update File: src/a.ts",
    "*** Add File: b.ts",
    "*** Delete File: src/a.ts",
    "*** Move to: c.ts",
    "*** End of File",
    "*** Frob",
    "***",
    "@@",
    "@@ add",
    "+*** End Patch",
    '{"input": "*** Begin Patch\\n*** Delete File: src/a.ts\\n*** End Patch"}',
    "apply_patch <<'EOF'",
    "EOF",
    "No changes.",
  ],
  cannotExpress: ({ before, after }) => [before ?? "", after ?? ""].some((text) => !/(?:^|\n)$/.test(text)),
});
