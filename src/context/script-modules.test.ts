import { expect, test } from "vitest";
import { scriptImportsOf } from "./script-modules.ts";

const blanks = " ".repeat(100_000);

// What takes longer than the length of a line allows would not end within a test's time.
test.each([`import${blanks}`, `import a${blanks}`, `import type${blanks}b`, `import${blanks}a from "a"`])(
  "a wide line does not hold up the reading of imports",
  (text) => {
    const names = scriptImportsOf(`${text};\nimport { c } from "b";\n`).flatMap((found) => JSON.stringify(found));
    expect(names.join()).toContain('"b"');
  },
);
