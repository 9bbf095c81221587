import { elided } from "./elided.ts";
import { testFormat } from "./format.laws.ts";

testFormat(elided, {
  marks: [
    "// ... existing code ...",
    "  // ...",
    "...",
    "# ... same ...",
    "// src/a.ts",
    "~~~",
    "<source>",
    "No changes.",
  ],
  // Where lines are repeated or have no words, no part of a file identifies its place.
  cannotExpress: () => true,
});
