import { expect, test } from "vitest";
import { directImports } from "./direct-imports.ts";

/** The text of `cli/main.js` with direct imports; `undefined` where it stays as it is. */
function changed(main: string, modules: Readonly<Record<string, string>>): string | undefined {
  const all = new Map(Object.entries({ "cli/main.js": main, ...modules }));
  const result = directImports(all);
  expect([...result.keys()].filter((path) => path !== "cli/main.js")).toEqual([]);
  return result.get("cli/main.js");
}

const layer = {
  "text/index.js": `export { Lines } from "./lines.js";\nexport { Edit as TextEdit, apply } from "./edit.js";`,
  "text/lines.js": "export class Lines {}",
  "text/edit.js": "export class Edit {}\nexport function apply() {}",
};

test.each([
  [
    `import { Lines } from "../text/index.js";`,
    `import { Lines } from "../text/lines.js"; /* import { Lines } from "../text/index.js"; */`,
  ],
  [
    `import { Lines, TextEdit, apply as run } from "../text/index.js";`,
    `import { Lines } from "../text/lines.js"; import { Edit as TextEdit, apply as run } from "../text/edit.js"; /* import { Lines, TextEdit, apply as run } from "../text/index.js"; */`,
  ],
  // Lines stay where they are, and so do those of stack traces.
  [
    `import {\n  Lines,\n} from "../text/index.js";\nuse(Lines);`,
    `import { Lines } from "../text/lines.js"; /* import { Lines, } from "../text/index.js"; */\n\n\nuse(Lines);`,
  ],
  // Through two indexes.
  [
    `import { Lines } from "../next/index.js";`,
    `import { Lines } from "../text/lines.js"; /* import { Lines } from "../next/index.js"; */`,
  ],
])("%s", (main, expected) => {
  const next = { "next/index.js": `export { Lines } from "../text/index.js";` };
  expect(changed(main, { ...layer, ...next })).toBe(expected);
  expect(changed(expected, { ...layer, ...next })).toBeUndefined();
});

test.each([
  `import { Lines } from "../text/lines.js";`,
  `import * as text from "../text/index.js";`,
  `import "../text/index.js";`,
  `import { join } from "node:path";`,
  `import { Lost } from "../text/index.js";`,
  `import { a } from "../gone/index.js";`,
  `const { Lines } = await import("../text/index.js");`,
])("%s stays", (main) => expect(changed(main, layer)).toBeUndefined());

test("a name that has moved since the last run is imported from its new module", () => {
  const once = changed(`import { Lines, apply } from "../text/index.js";`, layer)!;
  const moved = {
    ...layer,
    "text/index.js": `export { Lines } from "./rows.js";\nexport { apply } from "./edit.js";`,
    "text/rows.js": "export class Lines {}",
  };
  expect(changed(once, moved)).toBe(
    `import { Lines } from "../text/rows.js"; import { apply } from "../text/edit.js"; /* import { Lines, apply } from "../text/index.js"; */`,
  );
});
