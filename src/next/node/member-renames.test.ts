import { afterEach, describe, expect, test } from "vitest";
import { finished, openRenaming } from "./fixtures/renaming-workspace.ts";

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** A TypeScript workspace in which the marked edits were made. */
async function open(marked: string): ReturnType<typeof openRenaming> {
  const opened = await openRenaming(marked);
  close = () => opened.close();
  return opened;
}

/** By key: each suggestion is accepted, until there is none. */
async function checkByKey(marked: string): Promise<void> {
  const { workspace, apply, suggest, texts } = await open(marked);
  for (let count = 0; count < 20; count++) {
    const suggestion = await suggest();
    if (suggestion === undefined) break;
    const { id, path, edit } = suggestion;
    if (edit !== undefined) apply(path, edit);
    workspace.engine.accepted(id);
  }
  expect(texts()).toBe(finished(marked));
}

/** With `--chain`: the first suggestion with its whole chain. */
async function checkChain(marked: string): Promise<void> {
  const { workspace, apply, suggest, texts } = await open(marked);
  const suggestion = await suggest();
  const whole = suggestion && (await workspace.engine.whole(suggestion.id));
  for (const [path, { edit }] of whole?.files ?? []) apply(path, edit);
  expect(texts()).toBe(finished(marked));
}

const uses = 'import { A, B } from "./m";\n\nconst a = new A();\nconst b = new B();\n';
const other = "export class B {\n  other = 1;\n  load(x: number) {\n    return x;\n  }\n}\n";

const cases: readonly (readonly [name: string, marked: string])[] = [
  [
    "a method that another class has too",
    `=== m.ts\nexport class A {\n  ⟦load→fetch⟧() {}\n}\n${other}=== u.ts\n${uses}a.⟨load→fetch⟩();\nb.load(1);\n`,
  ],
  [
    "classes on one line each",
    `=== m.ts\nexport class A { ⟦load→fetch⟧() {} }\nexport class B { other = 1; load(x: number) { return x; } }\n=== u.ts\n${uses}a.⟨load→fetch⟩();\nb.load(1);\n`,
  ],
  [
    "both classes on one line",
    `=== m.ts\nexport class A { ⟦load→fetch⟧() {} } export class B { load(x: number) { return x; } }\n=== u.ts\n${uses}a.⟨load→fetch⟩(); b.load(1);\n`,
  ],
  [
    "both calls on one line, in a function, of parameters and of what functions return",
    `=== m.ts\nexport class A {\n  ⟦load→fetch⟧() {}\n}\n${other}export const make = () => new B();\n=== u.ts\nimport { A, B, make } from "./m";\n\nfunction f(one: A, two: B) {\n  one.⟨load→fetch⟩(), two.load(1);\n  make().load(2);\n}\n`,
  ],
  [
    "a property of an interface that another interface has too",
    '=== m.ts\nexport interface A {\n  ⟦title→label⟧: string;\n}\nexport interface B {\n  id: number;\n  title: number;\n}\n=== u.ts\nimport type { A, B } from "./m";\n\nexport const a: A = { ⟨title→label⟩: "" };\nexport const b: B = { id: 1, title: 1 };\nexport const f = (x: A, y: B) => x.⟨title→label⟩ + y.title;\n',
  ],
  [
    "a method that an object has too",
    '=== m.ts\nexport class A {\n  ⟦load→fetch⟧() {}\n}\nexport const store = {\n  other: 1,\n  load(x: number) {\n    return x;\n  },\n};\n=== u.ts\nimport { A, store } from "./m";\n\nnew A().⟨load→fetch⟩();\nstore.load(1);\n',
  ],
  [
    "what is taken apart",
    '=== m.ts\nexport interface A {\n  ⟦size→width⟧: number;\n}\nexport interface B {\n  size: string;\n}\n=== u.ts\nimport type { A, B } from "./m";\n\nexport function f({ ⟨size→width⟩ }: A, y: B) {\n  const { size: other } = y;\n  return ⟨size→width⟩ + other;\n}\n',
  ],
  [
    "what a class inherits, and what another one has",
    `=== m.ts\nexport class A {\n  ⟦load→fetch⟧() {}\n}\n${other}export class C extends A {}\n=== u.ts\nimport { B, C } from "./m";\n\nnew C().⟨load→fetch⟩();\nnew B().load(1);\n`,
  ],
  [
    "what implements and overrides it, in other files too",
    `=== m.ts\nexport interface L {\n  ⟦load→fetch⟧(): void;\n}\n${other}=== c.ts\nimport type { L } from "./m";\n\nexport class C implements L {\n  ⟨load→fetch⟩() {}\n}\n\nexport class D extends C {\n  ⟨load→fetch⟩() {}\n}\n=== u.ts\nimport { D } from "./c";\nimport { B, type L } from "./m";\n\nconst one: L = new D();\none.⟨load→fetch⟩();\nnew B().load(1);\n`,
  ],
  [
    "a use that was renamed first",
    `=== m.ts\nexport class A {\n  ⟨load→fetch⟩() {}\n}\n${other}=== u.ts\n${uses}a.⟦load→fetch⟧();\nb.load(1);\n`,
  ],
];

describe("row 30: a renamed member, and not another one of its name", () => {
  for (const [name, marked] of cases) {
    test(`row 30: ${name}, by key`, () => checkByKey(marked));
    test(`row 30: ${name}, as one chain`, () => checkChain(marked));
  }
});
