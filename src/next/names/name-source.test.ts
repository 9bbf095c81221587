import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Syntax } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { expectedOf, playRenames, readWorkspace, showProposals } from "./fixtures/rename-notation.ts";

/** What is proposed for a marked workspace is what it marks. */
function check(marked: string, options: Parameters<typeof playRenames>[1] = {}, path?: string): void {
  expect(showProposals(playRenames(readWorkspace(marked, path), options))).toBe(expectedOf(marked));
}

const scripts: readonly (readonly [name: string, marked: string])[] = [
  ["a variable", "const ⟦total→sum⟧ = 1;\nuse(⟨total→sum⟩);\nlog(⟨total→sum⟩, 2);\n"],
  ["above the declaration too", "function f() {\n  return ⟨size→width⟩;\n}\nlet ⟦size→width⟧ = 1;\n"],
  ["not what another scope means", "const ⟦a→b⟧ = 1;\nf(⟨a→b⟩);\nfunction g(a) {\n  return a;\n}\n"],
  ["not where the new name means something else", "const ⟦a→b⟧ = 1;\nf(⟨a→b⟩);\nfunction g(b) {\n  return a;\n}\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  ["not in strings and comments", "const ⟦a→b⟧ = 1;\n// a\nf('a', `a${⟨a→b⟩}`);\n"],
  ["a key keeps its name", "const ⟦a→b⟧ = 1;\nf({ a⟨→: b⟩, a: 1 });\n"],
  ["what a pattern takes", "const { a: ⟦a→b⟧ } = x;\nf(⟨a→b⟩, x.a);\n"],
  [
    "a parameter in its function alone",
    "function f(⟦from→start⟧) {\n  return ⟨from→start⟩ + 1;\n}\nconst from = 1;\nf(from);\n",
  ],
  ["what shows through where a declaration was", "const a = 1;\nfunction f(⟦a→b⟧) {\n  return ⟨a→b⟩;\n}\nf(a);\n"],
  ["a type", "interface ⟦Shape→Form⟧ {\n  size: number;\n}\nlet x: ⟨Shape→Form⟩[];\n"],
  ["what a condition infers", "type F<T> = T extends (infer ⟦U→V⟧)[] ? ⟨U→V⟩ : U;\n"],
  [
    "what the comment above says of a parameter",
    "/**\n * From a on, `a` and {@link b}.\n *\n * @param {number} ⟨a→start⟩ A number.\n */\nexport function f(⟦a→start⟧: number) {\n  return ⟨a→start⟩;\n}\n".replace(
      "`a`",
      "`⟨a→start⟩`",
    ),
  ],
  [
    "what the comment above says of itself",
    "/** As `⟨sum→total⟩` does, sum. */\nconst ⟦sum→total⟧ = 1;\n/** `sum` */\nconst x = 1;\n",
  ],
  [
    "names with the same words in them, after two",
    "class ⟦Cart→Basket⟧ {}\nfunction ⟦openCart→openBasket⟧() {}\nconst ⟨cartSize→basketSize⟩ = 1;\nf(⟨cartSize→basketSize⟩, cartoon);\n",
  ],
  ["not names with the same words in them after one", "class ⟦Cart→Basket⟧ {}\nconst cartSize = 1;\n"],
  ["a component", 'function ⟦Box→Card⟧() {\n  return null;\n}\nconst b = <⟨Box→Card⟩ a="Box"></⟨Box→Card⟩>;\n'],
  ["a declaration that changed otherwise too", "const ⟦total = 1→sum = 2⟧;\nuse(⟨total→sum⟩);\n"],
  [
    "overloads",
    "function ⟦f→g⟧(a: number): void;\nfunction ⟨f→g⟩(a: string): void;\nfunction ⟨f→g⟩(a: unknown) {}\n⟨f→g⟩(1);\n",
  ],
  ["the declaration of a use", "const ⟨total→sum⟩ = 1;\nuse(⟦total→sum⟧);\nlog(⟨total→sum⟩);\n"],
  ["not another thing that is used instead", "const total = 1;\nconst sum = 2;\nuse(⟦total→sum⟧);\nlog(total);\n"],
  [
    "not another thing that is new, further in",
    "function f(client) {\n  while (x) {\n    ⟦→const socket = open();⟧\n    if (⟦client→socket⟧) g();\n    h(client);\n  }\n}\n",
  ],
  ["not while the old name is declared anew", "const ⟦a→b⟧ = 1;\n⟦→const a = 2;⟧\nf(a);\n"],
  ["not what was taken back", "const ⟦a→a⟧ = 1;\nf(a);\n"],
  ["several names of one edit", "function f(⟦a, b→x, y⟧) {\n  return ⟨a→x⟩ + ⟨b→y⟩;\n}\n"],
  ["a member of its class", "class A {\n  ⟦size→width⟧ = 1;\n  m() {\n    return this.⟨size→width⟩;\n  }\n}\n"],
  ["a private name", "class A {\n  ⟦#size→#width⟧ = 1;\n  m(o: A) {\n    return o.⟨#size→#width⟩;\n  }\n}\n"],
  [
    "not a private name of another class",
    "class A {\n  ⟦#size→#width⟧ = 1;\n}\nclass B {\n  #size = 1;\n  m = () => this.#size;\n}\n",
  ],
  ["a member of an enum", "enum E {\n  ⟦One→First⟧,\n  Two,\n}\nf(E.⟨One→First⟩, E.Two);\n"],
  [
    "a member of what is typed",
    "interface P {\n  ⟦name→title⟧: string;\n}\nfunction f(p: P) {\n  return p.⟨name→title⟩;\n}\n",
  ],
  [
    "a parameter that is a member",
    "class A {\n  constructor(private ⟦a→b⟧: number) {\n    f(⟨a→b⟩);\n  }\n  m() {\n    return this.⟨a→b⟩;\n  }\n}\n",
  ],
  [
    "what was renamed in each function before",
    "f((⟦c→_c⟧, next) => next());\n\nf((⟦c→_c⟧, next) => next());\n\nf((⟨c→_c⟩, next) => next());\n",
  ],
];

describe("scripts", () => {
  for (const [name, marked] of scripts)
    test(name, () => check(marked, { least: 0.1 }, /<Box|<.Box/.test(marked) ? "a.tsx" : "a.ts"));
});

const modules: readonly (readonly [name: string, marked: string])[] = [
  [
    "importing files",
    "=== a.ts\nexport function ⟦sum→total⟧() {}\n=== b.ts\nimport { ⟨sum→total⟩ } from './a';\n⟨sum→total⟩();\n=== c.ts\nimport { sum } from './other';\nsum();\n",
  ],
  [
    "an alias stays",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport { ⟨sum→total⟩ as s } from './a.js';\nf(s);\n",
  ],
  [
    "a module as a whole",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport * as a from './a';\nf(a.⟨sum→total⟩);\n",
  ],
  [
    "what is passed on",
    "=== lib/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== lib/index.ts\nexport * from './a';\n=== b.ts\nimport { ⟨sum→total⟩ } from './lib';\nf(⟨sum→total⟩);\n",
  ],
  [
    "what is passed on by name",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== index.ts\nexport { ⟨sum→total⟩ } from './a';\n",
  ],
  [
    "where the new name is taken",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport { ⟨→total as ⟩sum } from './a';\nconst total = 2;\nf(sum, total);\n",
  ],
  [
    "an import, whose module has the new name",
    "=== a.ts\nexport const total = 1;\n=== b.ts\nimport { ⟦sum→total⟧ } from './a';\nf(⟨sum→total⟩);\n",
  ],
  [
    "a package of the workspace",
    '=== packages/a/package.json\n{ "name": "@x/a" }\n=== packages/a/src/sum.ts\nexport const ⟦sum→total⟧ = 1;\n=== packages/b/src/b.ts\nimport { ⟨sum→total⟩ } from \'@x/a\';\nf(⟨sum→total⟩);\n',
  ],
  [
    "a local name of another file is left alone",
    "=== a.ts\nconst ⟦sum→total⟧ = 1;\nexport {};\n=== b.ts\nconst sum = 1;\nf(sum);\n",
  ],
];

describe("modules", () => {
  for (const [name, marked] of modules) test(name, () => check(marked, { least: 0.1 }));
});

const others: readonly (readonly [name: string, path: string, marked: string])[] = [
  [
    "Python: a local name",
    "a.py",
    "def f(⟦size→width⟧):\n    return ⟨size→width⟩ + 1\n\ndef g(size):\n    return size\n",
  ],
  [
    "Python: a member",
    "a.py",
    "class A:\n    def ⟦size→width⟧(self):\n        pass\n\n    def m(self):\n        return self.⟨size→width⟩()\n",
  ],
  [
    "Go",
    "a.go",
    "package p\n\nfunc ⟦sum→total⟧(a int) int {\n\treturn a\n}\n\nfunc g() int {\n\tx := ⟨sum→total⟩(1)\n\treturn x\n}\n",
  ],
  [
    "Go: a variable of a block",
    "a.go",
    "package p\n\nfunc g(a int) int {\n\t⟦x→y⟧ := a\n\tif a > 1 {\n\t\tx := 2\n\t\treturn x\n\t}\n\treturn ⟨x→y⟩\n}\n",
  ],
  [
    "Rust",
    "a.rs",
    "fn f(⟦size→width⟧: i32) -> i32 {\n    let a = ⟨size→width⟩ + 1;\n    a\n}\nfn g(size: i32) -> i32 {\n    size\n}\n",
  ],
  [
    "Java",
    "A.java",
    "class A {\n  int f(int ⟦size→width⟧) {\n    return ⟨size→width⟩;\n  }\n  int g(int size) {\n    return size;\n  }\n}\n",
  ],
  [
    "C#",
    "A.cs",
    "class A {\n  int F(int ⟦size→width⟧) {\n    return ⟨size→width⟩;\n  }\n  int G(int size) {\n    return size;\n  }\n}\n",
  ],
  [
    "C",
    "a.c",
    "static int ⟦sum→total⟧(int a) {\n  return a;\n}\nint g(int sum) {\n  return sum;\n}\nint h(void) {\n  return ⟨sum→total⟩(1);\n}\n",
  ],
];

describe("other languages", () => {
  let syntax: Syntax;
  beforeAll(async () => {
    syntax = openSyntax();
    for (const language of ["python", "go", "rust", "java", "csharp", "c"]) await syntax.load(language);
  });
  afterAll(() => syntax[Symbol.dispose]());
  for (const [name, path, marked] of others) test(name, () => check(marked, { syntax, least: 0.1 }, path));

  test("Python: what another module imports", () => {
    check(
      "=== shop/cart.py\ndef ⟦total→amount⟧():\n    pass\n=== shop/pay.py\nfrom shop.cart import ⟨total→amount⟩\n\n⟨total→amount⟩()\n=== c.py\nfrom other import total\n",
      { syntax, least: 0.1 },
    );
  });

  test("Python: what is asked of a module", () => {
    check(
      "=== shop/cart.py\ndef ⟦total→amount⟧():\n    pass\n=== shop/a.py\nimport shop.cart\n\nshop.cart.⟨total→amount⟩()\n" +
        "=== shop/b.py\nimport shop.cart as c, os\n\nc.⟨total→amount⟩()\nos.total()\n=== shop/c.py\nfrom shop import cart\n\ncart.⟨total→amount⟩()\nx.total()\n" +
        "=== shop/d.py\nimport other\n\nother.total()\n=== shop/e.py\nimport cart\n\ndef f(cart):\n    return cart.total()\n",
      { syntax, least: 0.1 },
    );
  });

  test("Go: what is asked of a package", () => {
    check(
      '=== cart/cart.go\npackage cart\n\nfunc ⟦Sum→Total⟧() {}\n=== a/a.go\npackage a\n\nimport (\n\t"x/cart"\n\t"x/other"\n)\n\nfunc g() {\n\tcart.⟨Sum→Total⟩()\n\tother.Sum()\n}\n' +
        '=== b/b.go\npackage b\n\nimport c "x/cart/v2"\n\nfunc g() {\n\tc.⟨Sum→Total⟩()\n}\n',
      { syntax, least: 0.1 },
    );
  });

  test("Go: what another file of the package uses", () => {
    check("=== p/a.go\npackage p\n\nfunc ⟦sum→total⟧() {}\n=== p/b.go\npackage p\n\nfunc g() {\n\t⟨sum→total⟩()\n}\n", {
      syntax,
      least: 0.1,
    });
  });
});

test("the nearest comes first: below the cursor, then above, then other files", () => {
  const marked =
    "=== b.ts\nimport { sum } from './a';\n=== a.ts\nfunction g() {\n  return sum;\n}\n\nexport let ⟦sum→total⟧ = 1;\n\nf(sum);\n";
  const { index, proposals } = playRenames(readWorkspace(marked));
  const lines = proposals.map(
    ({ path, place }) => `${path}:${index.textOf(path)!.slice(0, place.start).split("\n").length}`,
  );
  expect(lines).toEqual(["a.ts:7", "a.ts:2", "b.ts:1"]);
  expect(new Set(proposals.map(({ chain }) => chain)).size).toBe(1);
  expect(proposals[0]!.reason).toBe("renamed to total");
});

test("lines that follow one another are one proposal", () => {
  const { proposals } = playRenames(readWorkspace("let ⟦a→b⟧ = 1;\n\nf(a);\ng(a);\n\nh(a);\n"));
  expect(proposals.map(({ edit }) => edit!.edits.length)).toEqual([2, 1]);
});

test("broken text is no reason to fail", () => {
  const { proposals } = playRenames(readWorkspace("const ⟦a→b⟧ = ;;; ((\nf(a"));
  expect(proposals).toEqual([]);
});
