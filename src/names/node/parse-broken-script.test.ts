import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptNames } from "../script-names.ts";
import { tryScriptTree } from "../script-node.ts";
import { parseBrokenScript } from "./parse-script-tree.ts";

const text = `import { a, b as c } from "./x";

/** Adds. */
export function sum(list: readonly number[]): number {
  // all of them
  return list.reduce((all, one) => all + one, c);
}

class Box<T> extends Base {
  #size = { a, wide: sum([1]) };
  get size(): T | undefined {
    if (this.#size.wide > 1) return undefined;
    return a(\`\${c} of \${this.#size}\`)[0]?.size;
  }
}
`;

test("every name of a script with errors is where the text has it", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(12), fc.constantFrom("", "(", "}", '"', "a."), (start, length, typed) => {
      const broken = text.slice(0, start) + typed + text.slice(start + length);
      const tree = tryScriptTree(parseBrokenScript, { path: "a.ts", text: broken, kind: "ts" });
      const uses = tree === undefined ? [] : scriptNames(tree).uses;
      read += uses.length;
      for (const use of uses) expect(broken.slice(use.start, use.end)).toBe(use.name);
    }),
  );
  expect(read).toBeGreaterThan(0);
});
