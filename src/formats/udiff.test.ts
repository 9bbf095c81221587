import { testFormat } from "./format.laws.ts";
import { udiff } from "./udiff.ts";

testFormat(udiff, {
  marks: [
    "--- src/a.ts",
    "+++ src/a.ts",
    "--- /dev/null",
    "+++ /dev/null",
    "-- a",
    "++ b",
    "-- ",
    "@@ @@",
    "@@ ... @@",
    "@@ -0,0 +1 @@",
    "@@@",
    "diff --git a/src/a.ts b/src/a.ts",
    "new file mode 100644",
    "deleted file mode 100644",
    "rename from src/a.ts",
    "rename to b.ts",
    "\\ No newline at end of file",
    "No changes.",
  ],
});
