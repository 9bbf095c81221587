import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Syntax } from "../../../syntax/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { expectedOf, playRenames, readWorkspace, showProposals } from "./fixtures/rename-notation.ts";

/** Checks that the proposals for a marked workspace are the marked ones. */
function check(marked: string, options: Parameters<typeof playRenames>[1] = {}, path?: string): void {
  expect(showProposals(playRenames(readWorkspace(marked, path), options))).toBe(expectedOf(marked));
}

const scripts: readonly (readonly [name: string, marked: string])[] = [
  ["the uses of a variable", "const ⟦total→sum⟧ = 1;\nuse(⟨total→sum⟩);\nlog(⟨total→sum⟩, 2);\n"],
  ["uses above the declaration", "function f() {\n  return ⟨size→width⟩;\n}\nlet ⟦size→width⟧ = 1;\n"],
  ["not uses of another scope's declaration", "const ⟦a→b⟧ = 1;\nf(⟨a→b⟩);\nfunction g(a) {\n  return a;\n}\n"],
  ["not where the new name refers to something else", "const ⟦a→b⟧ = 1;\nf(⟨a→b⟩);\nfunction g(b) {\n  return a;\n}\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  ["not a short name in strings and comments", "const ⟦a→b⟧ = 1;\n// a\nf('a', `a${⟨a→b⟩}`);\n"],
  ["a shorthand key keeps its name", "const ⟦a→b⟧ = 1;\nf({ a⟨→: b⟩, a: 1 });\n"],
  ["uses of a destructured variable", "const { a: ⟦a→b⟧ } = x;\nf(⟨a→b⟩, x.a);\n"],
  ["uses of a destructured variable with a new alias", "const { a⟦→: b⟧ } = x;\nf(⟨a→b⟩, x.a);\n"],
  ["uses of a destructured variable whose alias was removed", "const { a⟦: b→⟧ } = x;\nf(⟨b→a⟩, x.a);\n"],
  [
    "a member that a pattern takes by a new name",
    "const { ⟦→taxRate: ⟧rate } = x;\nf(rate, x.⟨rate→taxRate⟩, y.rates);\n",
  ],
  [
    "a parameter in its function only",
    "function f(⟦from→start⟧) {\n  return ⟨from→start⟩ + 1;\n}\nconst from = 1;\nf(from);\n",
  ],
  [
    "uses in the scope of the renamed declaration that now resolve to an outer one",
    "const a = 1;\nfunction f(⟦a→b⟧) {\n  return ⟨a→b⟩;\n}\nf(a);\n",
  ],
  ["the uses of a type", "interface ⟦Shape→Form⟧ {\n  size: number;\n}\nlet x: ⟨Shape→Form⟩[];\n"],
  ["a type inferred by a condition", "type F<T> = T extends (infer ⟦U→V⟧)[] ? ⟨U→V⟩ : U;\n"],
  [
    "a parameter in the comment above its function",
    "/**\n * From a on, `a` and {@link b}.\n *\n * @param {number} ⟨a→start⟩ A number.\n */\nexport function f(⟦a→start⟧: number) {\n  return ⟨a→start⟩;\n}\n".replace(
      "`a`",
      "`⟨a→start⟩`",
    ),
  ],
  [
    "a declaration in the comment above it",
    "/** As `⟨sum→total⟩` does, sum. */\nconst ⟦sum→total⟧ = 1;\n/** `sum` */\nconst x = 1;\n",
  ],
  [
    "a declaration in the line comment that begins with it",
    "// ⟨size→width⟩ of a box, the size\nconst ⟦size→width⟧ = 1;\n// sizes of boxes\nconst y = 1;\n",
  ],
  [
    "names with the same words, after two renames",
    "class ⟦Cart→Basket⟧ {}\nfunction ⟦openCart→openBasket⟧() {}\nconst ⟨cartSize→basketSize⟩ = 1;\nf(⟨cartSize→basketSize⟩, cartoon);\n",
  ],
  ["not names with the same words after one rename", "class ⟦Cart→Basket⟧ {}\nconst cartSize = 1;\n"],
  [
    "the elements of a component",
    'function ⟦Box→Card⟧() {\n  return null;\n}\nconst b = <⟨Box→Card⟩ a="Box"></⟨Box→Card⟩>;\n',
  ],
  ["the uses of a declaration that also changed otherwise", "const ⟦total = 1→sum = 2⟧;\nuse(⟨total→sum⟩);\n"],
  [
    "the other overloads of a function",
    "function ⟦f→g⟧(a: number): void;\nfunction ⟨f→g⟩(a: string): void;\nfunction ⟨f→g⟩(a: unknown) {}\n⟨f→g⟩(1);\n",
  ],
  ["the declaration and other uses of a renamed use", "const ⟨total→sum⟩ = 1;\nuse(⟦total→sum⟧);\nlog(⟨total→sum⟩);\n"],
  [
    "not where another declaration is used instead",
    "const total = 1;\nconst sum = 2;\nuse(⟦total→sum⟧);\nlog(total);\n",
  ],
  [
    "not where a new inner declaration is used instead",
    "function f(client) {\n  while (x) {\n    ⟦→const socket = open();⟧\n    if (⟦client→socket⟧) g();\n    h(client);\n  }\n}\n",
  ],
  ["not while the old name is declared again", "const ⟦a→b⟧ = 1;\n⟦→const a = 2;⟧\nf(a);\n"],
  ["not after a reverted rename", "const ⟦a→a⟧ = 1;\nf(a);\n"],
  ["several names of one edit", "function f(⟦a, b→x, y⟧) {\n  return ⟨a→x⟩ + ⟨b→y⟩;\n}\n"],
  ["a member in its class", "class A {\n  ⟦size→width⟧ = 1;\n  m() {\n    return this.⟨size→width⟩;\n  }\n}\n"],
  [
    "a destructured member, but not the name of an exported variable",
    "type A = {\n  ⟦size→width⟧: number;\n};\nfunction f({ ⟨size→width⟩ }: A) {\n  return ⟨size→width⟩;\n}\nexport const { ⟨→width: ⟩size } = a as A;\n",
  ],
  [
    "a shorthand key whose value is another variable",
    "const ⟦size→width⟧ = 1;\ntype A = { ⟦size→width⟧: number };\nfunction f(size: number): A {\n  return { ⟨→width: ⟩size };\n}\nconst b: A = { ⟨size→width⟩ };\n",
  ],
  [
    "a private name in its class",
    "class A {\n  ⟦#size→#width⟧ = 1;\n  m(o: A) {\n    return o.⟨#size→#width⟩;\n  }\n}\n",
  ],
  [
    "not a private name of another class",
    "class A {\n  ⟦#size→#width⟧ = 1;\n}\nclass B {\n  #size = 1;\n  m = () => this.#size;\n}\n",
  ],
  [
    "not the key of an object literal for a private member",
    'class A {\n  private ⟦value→current⟧ = 0;\n  body() {\n    return { type: "number", value: this.⟨value→current⟩ };\n  }\n}\n',
  ],
  [
    "not the key of an object literal for a parameter property",
    "class A {\n  constructor(protected ⟦value→current⟧: number) {}\n  body() {\n    return { value: this.⟨value→current⟩ };\n  }\n}\n",
  ],
  ["the uses of an enum member", "enum E {\n  ⟦One→First⟧,\n  Two,\n}\nf(E.⟨One→First⟩, E.Two);\n"],
  [
    "a member of an annotated variable",
    "interface P {\n  ⟦name→title⟧: string;\n}\nfunction f(p: P) {\n  return p.⟨name→title⟩;\n}\n",
  ],
  [
    "members in quotes",
    "interface P {\n  ⟦name→title⟧: string;\n}\nfunction f(p: P, q: Omit<P, '⟨name→title⟩' | 'x'>) {\n  const n: P[\"⟨name→title⟩\"] = p['⟨name→title⟩'];\n}\n",
  ],
  [
    "a member that is declared in quotes",
    "enum E {\n  '⟦One→First⟧',\n}\nf(E.⟨One→First⟩, E['⟨One→First⟩'], E[One]);\n",
  ],
  [
    "a parameter property",
    "class A {\n  constructor(private ⟦a→b⟧: number) {\n    f(⟨a→b⟩);\n  }\n  m() {\n    return this.⟨a→b⟩;\n  }\n}\n",
  ],
  [
    "names of several words in comments and strings",
    "const ⟦openCart→openBasket⟧ = 1;\n// ⟨openCart→openBasket⟩ opens it, reopenCart and ./openCart do not.\n\nf('⟨openCart→openBasket⟩ failed');\n",
  ],
  [
    "not comments about another declaration of the same name",
    "function f() {\n  const ⟦openCart→openBasket⟧ = 1;\n}\n// openCart\nconst openCart = 2;\n",
  ],
  [
    "the same member of other classes, after two renames",
    "class A {\n  ⟦didLoad→hasLoaded⟧() {}\n}\nclass B {\n  ⟦didLoad→hasLoaded⟧() {}\n}\nclass C {\n  ⟨didLoad→hasLoaded⟩() {}\n}\nclass D {\n  ⟨didLoad→hasLoaded⟩() {}\n}\n",
  ],
  [
    "the same parameter of further functions, after two renames",
    "f((⟦c→_c⟧, next) => next());\n\nf((⟦c→_c⟧, next) => next());\n\nf((⟨c→_c⟩, next) => next());\n",
  ],
];

describe("RenameProvider proposes in scripts", () => {
  for (const [name, marked] of scripts)
    test(name, () => check(marked, { least: 0.1 }, /<Box|<.Box/.test(marked) ? "a.tsx" : "a.ts"));
});

const modules: readonly (readonly [name: string, marked: string])[] = [
  [
    "the import of a renamed export and its uses",
    "=== a.ts\nexport function ⟦sum→total⟧() {}\n=== b.ts\nimport { ⟨sum→total⟩ } from './a';\n⟨sum→total⟩();\n=== c.ts\nimport { sum } from './other';\nsum();\n",
  ],
  [
    "an import with an alias, which stays",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport { ⟨sum→total⟩ as s } from './a.js';\nf(s);\n",
  ],
  [
    "the imports of an export with a new alias",
    "=== a.ts\nconst sum = 1;\nf(sum);\nexport { sum⟦→ as total⟧ };\n=== b.ts\nimport { ⟨sum→total⟩ } from './a';\nf(⟨sum→total⟩);\n",
  ],
  [
    "the imports of a re-export with a new alias",
    "=== a.ts\nexport const sum = 1;\n=== index.ts\nexport { sum⟦→ as total⟧ } from './a';\n=== b.ts\nimport { ⟨sum→total⟩ } from './index';\nf(⟨sum→total⟩);\n",
  ],
  [
    "an export accessed through a namespace import",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport * as a from './a';\nf(a.⟨sum→total⟩);\n",
  ],
  [
    "an export that is re-exported with *",
    "=== lib/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== lib/index.ts\nexport * from './a';\n=== b.ts\nimport { ⟨sum→total⟩ } from './lib';\nf(⟨sum→total⟩);\n",
  ],
  [
    "the re-export of a renamed export",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== index.ts\nexport { ⟨sum→total⟩ } from './a';\n",
  ],
  [
    "an alias where the new name is taken",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport { ⟨→total as ⟩sum } from './a';\nconst total = 2;\nf(sum, total);\n",
  ],
  [
    "an import whose list stays sorted",
    "=== a.ts\nexport const ⟦area→shape⟧ = 1;\nexport const fill = 2;\n=== b.ts\nimport { ⟨area→fill⟩, ⟨fill→shape⟩ } from './a';\nf(⟨area→shape⟩, fill);\n",
  ],
  [
    "an import in a list that was not sorted",
    "=== a.ts\nexport const ⟦area→shape⟧ = 1;\nexport const fill = 2;\n=== b.ts\nimport { fill, ⟨area→shape⟩ } from './a';\nf(⟨area→shape⟩, fill);\n",
  ],
  [
    "imports of one list on lines apart, without sorting them",
    "=== a.ts\nexport const ⟦area→y⟧ = 1, ⟦mix→x⟧ = 2;\n=== b.ts\nimport {\n  ⟨area→y⟩,\n  b,\n  c,\n  ⟨mix→x⟩,\n} from './a';\nf(⟨area→y⟩, b, c, ⟨mix→x⟩);\n",
  ],
  ["the uses of a removed alias", "import { sum⟦ as s→⟧ } from './a';\nf(⟨s→sum⟩);\n"],
  ["the uses of a new alias", "import { sum⟦→ as s⟧ } from './a';\nf(⟨sum→s⟩);\n"],
  ["the uses of several removed aliases", "import { sum⟦ as s→⟧, max⟦ as m→⟧ } from './a';\nf(⟨s→sum⟩, ⟨m→max⟩);\n"],
  [
    "the uses of an import whose module has the new name",
    "=== a.ts\nexport const total = 1;\n=== b.ts\nimport { ⟦sum→total⟧ } from './a';\nf(⟨sum→total⟩);\n",
  ],
  [
    "an import from a package of the workspace",
    '=== packages/a/package.json\n{ "name": "@x/a" }\n=== packages/a/src/sum.ts\nexport const ⟦sum→total⟧ = 1;\n=== packages/b/src/b.ts\nimport { ⟨sum→total⟩ } from \'@x/a\';\nf(⟨sum→total⟩);\n',
  ],
  [
    "an import by the `exports` of a package of the workspace",
    '=== packages/a/package.json\n{ "name": "a", "exports": { ".": "./dist/index.js", "./*": { "types": "./src/*.ts" } } }\n=== packages/a/src/sum.ts\nexport const ⟦sum→total⟧ = 1;\n=== packages/a/src/index.ts\nexport const sum = 1;\n' +
      "=== b.ts\nimport { ⟨sum→total⟩ } from 'a/sum';\n=== c.ts\nimport { sum } from 'a';\n",
  ],
  [
    "an import by the `imports` of a package",
    '=== package.json\n{ "imports": { "#lib/*.js": "./lib/*.js" } }\n=== lib/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== lib/b.ts\nexport const sum = 2;\n' +
      "=== c.ts\nimport { ⟨sum→total⟩ } from '#lib/a.js';\n=== d.ts\nimport { sum } from '#lib/b.js';\n",
  ],
  [
    "an import by the `paths` of a compiler configuration",
    '=== tsconfig.json\n{ "extends": "./base", /* more */ }\n=== base.json\n{ "compilerOptions": { "paths": { "~x/*": ["./lib/*"] } } }\n=== lib/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== x/a.ts\nexport const sum = 2;\n' +
      "=== app/b.ts\nimport { ⟨sum→total⟩ } from '~x/a';\n=== app/c.ts\nimport { sum } from 'x/a';\n",
  ],
  [
    "an import by the `baseUrl` of a compiler configuration",
    '=== web/jsconfig.json\n{ "compilerOptions": { "baseUrl": "src" } }\n=== web/src/lib/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== web/src/b.ts\nimport { ⟨sum→total⟩ } from \'lib/a\';\n',
  ],
  [
    "an import by the `paths` of a referenced project",
    '=== tsconfig.json\n{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }\n=== tsconfig.app.json\n{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }\n=== src/a.ts\nexport const ⟦sum→total⟧ = 1;\n=== lib/src/a.ts\nexport const sum = 1;\n=== b.ts\nimport { ⟨sum→total⟩ } from \'@/a\';\n',
  ],
  [
    "an import that is exported again",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== lib.ts\nimport { ⟨sum→total⟩ } from './a';\nexport { ⟨sum→total⟩ };\n=== b.ts\nimport { ⟨sum→total⟩ } from './lib';\n",
  ],
  [
    "an export of a module that is re-exported as a namespace",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== index.ts\nexport * as a from './a';\nexport * as c from './c';\n=== b.ts\nimport { a, c } from './index';\nf(a.⟨sum→total⟩, c.sum);\n=== c.ts\nexport const sum = 1;\n",
  ],
  [
    "an export destructured from a namespace import",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nimport * as a from './a';\nconst { ⟨sum→total⟩ } = a;\nf(⟨sum→total⟩);\n",
  ],
  [
    "an export of a module loaded by require",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nconst a = require('./a');\nf(a.⟨sum→total⟩, require('./a').⟨sum→total⟩);\n=== c.ts\nimport a = require('./a');\nf(a.⟨sum→total⟩);\n",
  ],
  [
    "an export destructured from require",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nconst { ⟨sum→total⟩, max } = require('./a');\nf(⟨sum→total⟩);\n=== c.ts\nconst { ⟨sum→total⟩: s } = require('./a');\nf(s);\n=== d.ts\nconst { ⟨→total: ⟩sum } = require('./a');\nconst total = 2;\nf(sum, total);\n",
  ],
  [
    "an export of a dynamically imported module",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== b.ts\nconst { ⟨sum→total⟩ } = await import('./a');\nf(⟨sum→total⟩, (await import('./a')).⟨sum→total⟩);\n" +
      "=== c.ts\nimport('./a').then(({ ⟨sum→total⟩ }) => ⟨sum→total⟩);\nimport('./a').then((a) => a.⟨sum→total⟩);\nimport('./c').then((c) => c.sum);\nlet x: import('./a').⟨sum→total⟩;\n",
  ],
  [
    "an export of `module.exports`",
    "=== a.js\nfunction ⟦sum→total⟧() {}\nmodule.exports = { ⟨sum→total⟩ };\n=== b.js\nconst { ⟨sum→total⟩ } = require('./a');\n⟨sum→total⟩();\n",
  ],
  [
    "an export of `exports.name`",
    "=== a.js\nexports.⟦sum→total⟧ = () => 1;\nexports.max = () => exports.⟨sum→total⟩();\n=== b.js\nconst a = require('./a');\na.⟨sum→total⟩();\n",
  ],
  [
    "an export of `module.exports.name`",
    "=== a.js\nfunction ⟦sum→total⟧() {}\nmodule.exports.⟨sum→total⟩ = ⟨sum→total⟩;\n=== b.js\nrequire('./a').⟨sum→total⟩();\n",
  ],
  [
    "an export that a CommonJS module passes on",
    "=== a.js\nexports.⟦sum→total⟧ = 1;\n=== index.js\nmodule.exports = { ...require('./a') };\n=== b.js\nconst { ⟨sum→total⟩ } = require('.');\n",
  ],
  [
    "an alias in a list of exports",
    "=== a.ts\nconst s = 1;\nexport { s as ⟦sum→total⟧ };\n=== b.ts\nimport { ⟨sum→total⟩ } from './a';\n",
  ],
  [
    "not a local name of another file",
    "=== a.ts\nconst ⟦sum→total⟧ = 1;\nexport {};\n=== b.ts\nconst sum = 1;\nf(sum);\n",
  ],
];

describe("RenameProvider proposes for modules", () => {
  for (const [name, marked] of modules) test(name, () => check(marked, { least: 0.1 }));
});

/**
 * What is being typed in a function of the file whose export `sum` is renamed, and the lines after
 * it.
 */
const unfinished: readonly (readonly [name: string, typed: string])[] = [
  ["an open call", "  return ⟨sum→total⟩(a\n}\n"],
  ["an open call at the end of the file", "  return ⟨sum→total⟩(a"],
  ["an open call with a statement behind it", "  const b = ⟨sum→total⟩(a\n  return b;\n}\n"],
  ["an open call in an open call", "  return ⟨sum→total⟩(⟨sum→total⟩(a\n}\n"],
  ["an open list", "  const b = [⟨sum→total⟩(a), 2\n  return b;\n}\n"],
  ["an open list at the top", "  return 1;\n}\nconst b = [⟨sum→total⟩(1), 2\nconst c = ⟨sum→total⟩(2);\n"],
  ["an open condition", "  if (⟨sum→total⟩(a) > 1\n  return 1;\n}\n"],
  ["an open block", "  if (⟨sum→total⟩(a) > 1) {\n  return ⟨sum→total⟩(2);\n}\n\nexport const c = 2;\n"],
  ["an open block at the end of the file", "  if (⟨sum→total⟩(a) > 1) {\n"],
  ["an open callback", "  a.map((b) => {\n    ⟨sum→total⟩(b);\n\n}\n"],
  ["an operator without its right side", "  const b = ⟨sum→total⟩(a) +\n  return b;\n}\n"],
  ["a variable without its value", "  const b =\n  return ⟨sum→total⟩(b);\n}\n"],
  ["a member without its name", "  ⟨sum→total⟩(a).\n}\n"],
  ["a member without its name before a statement", "  a.\n  const b = ⟨sum→total⟩(a);\n}\n"],
  ["an open string", "  f('abc\n  return ⟨sum→total⟩(a);\n}\n"],
  ["an open template", "  f(`abc\n  return ⟨sum→total⟩(a);\n}\n"],
  ["open parameters", "  return 1;\n}\n\nfunction c(\n\nfunction d() {\n  return ⟨sum→total⟩(1);\n}\n"],
  ["an open import", "  return 1;\n}\n\nimport { b, \nexport const d = ⟨sum→total⟩(1);\n"],
  ["an open object", "  return { sum: ⟨sum→total⟩(a), b: \n}\n"],
  ["a bracket too much", "  return ⟨sum→total⟩(a);\n  }\n}\n"],
  ["two open calls", "  ⟨sum→total⟩(a\n}\n\nfunction d() {\n  ⟨sum→total⟩(1\n}\n"],
];

describe("RenameProvider proposes beside unfinished code:", () => {
  for (const [name, typed] of unfinished)
    test(name, () =>
      check(
        `=== a.ts\nexport function ⟦sum→total⟧(x: number) {\n  return x;\n}\n\nexport const one = ⟨sum→total⟩(1);\n\nfunction f(a: number) {\n${typed}` +
          (typed.endsWith("\n") ? "" : "\n") +
          "=== b.ts\nimport { ⟨sum→total⟩ } from './a';\nf(⟨sum→total⟩(1));\n",
        { least: 0.1 },
      ),
    );
  test("in the script of a component", () =>
    check(
      "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== B.vue\n<script setup>\nimport { ⟨sum→total⟩ } from './a';\nf(⟨sum→total⟩\n</script>\n",
      { least: 0.1 },
    ));
});

const components: readonly (readonly [name: string, marked: string])[] = [
  [
    "a variable in a Vue script and its template",
    '<script setup lang="ts">\nconst ⟦total→sum⟧ = ref<number>(1);\nconst list = [];\n</script>\n\n<template>\n' +
      '  <b :title="⟨total→sum⟩" @click="⟨total→sum⟩++" total="total">total {{ ⟨total→sum⟩ }}</b>\n' +
      '  <b v-for="(total, i) in list" :key="i">{{ total }}</b>\n  <Box #default="{ total }">{{ total.x }}</Box>\n' +
      '  <i v-if="⟨total→sum⟩ > 1">{{ { total: ⟨total→sum⟩ } }}</i>\n</template>\n\n<style>\n.total {}\n</style>\n',
  ],
  [
    "an imported component in a Vue template",
    "=== a.ts\nexport const ⟦OldBox→NewBox⟧ = {};\n=== B.vue\n<script setup>\nimport { ⟨OldBox→NewBox⟩ } from './a';\n</script>\n<template>\n  <⟨OldBox→NewBox⟩ a=\"b\"></⟨OldBox→NewBox⟩>\n</template>\n",
  ],
  [
    "not in a Vue template for a script without setup",
    "<template>{{ total }}</template>\n<script>\nconst ⟦total→sum⟧ = 1;\nexport default { data: () => ({ total: ⟨total→sum⟩ }) };\n</script>\n",
  ],
  [
    "an import in a Svelte script",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== B.svelte\n<script>\n  import { ⟨sum→total⟩ } from './a';\n  f(⟨sum→total⟩);\n</script>\n\n<p>sum</p>\n",
  ],
  [
    "the short forms and other spellings of Vue",
    "=== a.ts\nexport const ⟦OldBox→NewBox⟧ = {}, ⟦count→total⟧ = 1;\n=== B.vue\n<script setup>\n" +
      "import { ⟨OldBox→NewBox⟩, ⟨count→total⟩ } from './a';\n</script>\n<template>\n" +
      '  <⟨old-box→new-box⟩ :count⟨→="total"⟩ :a="⟨count→total⟩" :count.b>\n    <OtherBox #a="{ count }">{{ count }}</OtherBox>\n  </⟨old-box→new-box⟩>\n</template>\n',
  ],
  [
    "a component with hyphens that gets a name of one word",
    "=== a.ts\nexport const ⟦OldBox→Table⟧ = {};\n=== B.vue\n<script setup>\nimport { ⟨OldBox→Table⟩ } from './a';\n</script>\n<template><⟨old-box→Table⟩ /></template>\n",
  ],
  [
    "a directive and a reference to an element",
    '<script setup>\nconst ⟦vFocus→vSelect⟧ = {};\nconst ⟦box→table⟧ = ref();\n</script>\n<template>\n  <p v-⟨focus→select⟩.a />\n\n\n  <p ref="⟨box→table⟩" title="box" />\n</template>\n',
  ],
  [
    "a directive, but not by a name that no directive can have",
    "<script setup>\nconst ⟦vFocus→select⟧ = {};\nf(⟨vFocus→select⟩);\n</script>\n<template><p v-focus /></template>\n",
  ],
  [
    "a name and the property of the same name in a Vue template",
    "<script setup>\nconst ⟦count→total⟧ = 1;\nconst a = { ⟦count→total⟧: 1 };\n</script>\n<template><Box :⟨count→total⟩ /></template>\n",
  ],
  [
    "a variable in a Svelte script and its template",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== B.svelte\n<script>\n  import { ⟨sum→total⟩ } from './a';\n  f(⟨sum→total⟩, { $sum });\n</script>\n\n" +
      "<p>sum {⟨sum→total⟩} {$⟨sum→total⟩}</p>\n{#each list as sum}<p {sum} />{/each}\n",
  ],
  [
    "the short forms of Svelte",
    "=== a.ts\nexport const ⟦sum→total⟧ = 1;\n=== B.svelte\n<script>\n  import { ⟨sum→total⟩ } from './a';\n</script>\n" +
      "<p ⟨{sum→sum={total⟩} b />\n\n\n<p bind:sum⟨→={total}⟩ class:sum={⟨sum→total⟩} style:sum⟨→={total}⟩ />\n<Box let:sum>{sum}</Box>\n",
  ],
  [
    "the imports of a moved component",
    "=== a/Box.vue → b/Box.vue\n<script setup>\nimport x from '⟨./x→../a/x⟩';\n</script>\n=== a/x.ts\nexport default 1;\n=== c.ts\nimport Box from '⟨./a/Box.vue→./b/Box.vue⟩';\n",
  ],
];

describe("RenameProvider proposes in components", () => {
  for (const [name, marked] of components) test(name, () => check(marked, { least: 0.1 }, "A.vue"));
});

const moves: readonly (readonly [name: string, marked: string])[] = [
  [
    "the imports of a moved file",
    "=== lib/a.ts → lib/x/b.ts\nexport const sum = 1;\n=== lib/c.ts\nimport { sum } from '⟨./a→./x/b⟩';\nimport d from './d';\n=== e.ts\nimport('⟨./lib/a→./lib/x/b⟩.js');\nvi.mock('⟨./lib/a→./lib/x/b⟩');\nrequire('./other/a');\n".replace(
      "⟨./lib/a→./lib/x/b⟩.js",
      "⟨./lib/a.js→./lib/x/b.js⟩",
    ),
  ],
  [
    "the imports in a moved file",
    "=== a.ts → lib/a.ts\nimport { b } from '⟨./b→../b⟩';\nimport c from 'c';\nimport x from '⟨./x→../x⟩';\n=== b.ts\nexport const b = 1;\n=== x/index.ts\nexport default 1;\n",
  ],
  [
    "the imports of a moved index file, in its folder too",
    "=== lib/a/index.ts → lib/a/main.ts\nexport const one = 1;\n=== lib/a/b.ts\nimport { one } from '⟨.→./main⟩';\n=== lib/a/c/d.ts\nexport * from '⟨../index→../main⟩';\n=== lib/e.ts\nimport { one } from '⟨./a→./a/main⟩';\nimport f from '.';\n",
  ],
  [
    "the imports of a moved index file of the root",
    "=== index.ts → main.ts\nexport const one = 1;\n=== b.ts\nimport { one } from '⟨./index→./main⟩';\n=== lib/c.ts\nimport { one } from '⟨..→../main⟩';\n",
  ],
  [
    "the imports of a moved file by a path alias",
    '=== tsconfig.json\n{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }\n=== src/a/b.ts → src/c/d.ts\nexport {};\n=== src/e.ts\nimport \'⟨@/a/b→@/c/d⟩\';\nimport \'@/a/c\';\n',
  ],
  [
    "the imports of a moved file and a renamed export",
    "=== a.ts → b.ts\nexport const ⟦sum→total⟧ = 1;\n=== c.ts\nimport { ⟨sum→total⟩ } from '⟨./a→./b⟩';\nf(⟨sum→total⟩);\n",
  ],
  [
    "not the imports of a moved file whose path exists again",
    "=== a.ts → b.ts\nexport {};\n=== a.ts\nexport {};\n=== c.ts\nimport './a';\n",
  ],
  [
    "further imports of a name that moved to another module",
    "=== a.ts\nexport const max = 1;\n=== b.ts\nexport const sum = 1;\n=== c.ts\nimport { sum } from '⟦./a→./b⟧';\n=== lib/d.ts\nimport { sum } from '⟨../a→../b⟩';\n=== lib/e.ts\nimport { max } from '../a';\nimport { max as m, sum } from '../a';\n",
  ],
  [
    "imports of other names from a removed module",
    "=== b.ts\nexport const sum = 1, max = 2;\n=== c.ts\nimport { sum } from '⟦./a→./b⟧';\n=== d.ts\nimport { max, sum } from '⟨./a→./b⟩';\n=== e.ts\nimport { min, sum } from './a';\n",
  ],
  [
    "further imports from a renamed package",
    "=== a.ts\nimport { sum } from '⟦old→new/sum⟧';\n=== b.ts\nimport { sum } from '⟨old→new/sum⟩';\n=== c.ts\nimport { max } from 'old';\n",
  ],
];

describe("RenameProvider proposes after a move", () => {
  for (const [name, marked] of moves) test(name, () => check(marked, { least: 0.1 }));

  test("the move is the reason of the proposal", () => {
    const { proposals } = playRenames(readWorkspace("=== a.ts → b.ts\n\n=== c.ts\nimport './a';\n"));
    expect(proposals.map(({ reason }) => reason)).toEqual(["moved to b.ts"]);
  });
});

const others: readonly (readonly [name: string, path: string, marked: string])[] = [
  [
    "a parameter in Python",
    "a.py",
    "def f(⟦size→width⟧):\n    return ⟨size→width⟩ + 1\n\ndef g(size):\n    return size\n",
  ],
  [
    "a method in Python",
    "a.py",
    "class A:\n    def ⟦size→width⟧(self):\n        pass\n\n    def m(self):\n        return self.⟨size→width⟩()\n",
  ],
  [
    "a function in Go",
    "a.go",
    "package p\n\nfunc ⟦sum→total⟧(a int) int {\n\treturn a\n}\n\nfunc g() int {\n\tx := ⟨sum→total⟩(1)\n\treturn x\n}\n",
  ],
  [
    "a type of another package in Go",
    "a.go",
    '=== money/m.go\npackage money\n\ntype ⟦Money→Price⟧ struct{}\n=== a.go\npackage a\n\nimport "x.y/money"\n\nvar a = money.⟨Money→Price⟩{}\n\nfunc f(m *money.⟨Money→Price⟩, n other.Money) {}\n',
  ],
  [
    "a field of a struct in Go",
    "a.go",
    '=== money/m.go\npackage money\n\ntype Money struct {\n\t⟦Amount→Value⟧ int\n}\n\nfunc f(m Money) int {\n\treturn m.⟨Amount→Value⟩\n}\n=== a.go\npackage a\n\nimport "x.y/money"\n\nvar a = money.Money{⟨Amount→Value⟩: 1}\n',
  ],
  [
    "a function in Go in the comment that begins with it",
    "a.go",
    "package p\n\n// ⟨Sum→Total⟩ adds up.\n// Sum ends.\nfunc ⟦Sum→Total⟧() {}\n\n// Sum is here.\n\nfunc g() { ⟨Sum→Total⟩() }\n",
  ],
  [
    "a variable of a block in Go",
    "a.go",
    "package p\n\nfunc g(a int) int {\n\t⟦x→y⟧ := a\n\tif a > 1 {\n\t\tx := 2\n\t\treturn x\n\t}\n\treturn ⟨x→y⟩\n}\n",
  ],
  [
    "a parameter in Rust",
    "a.rs",
    "fn f(⟦size→width⟧: i32) -> i32 {\n    let a = ⟨size→width⟩ + 1;\n    a\n}\nfn g(size: i32) -> i32 {\n    size\n}\n",
  ],
  [
    "a parameter in Java",
    "A.java",
    "class A {\n  int f(int ⟦size→width⟧) {\n    return ⟨size→width⟩;\n  }\n  int g(int size) {\n    return size;\n  }\n}\n",
  ],
  [
    "a parameter in C#",
    "A.cs",
    "class A {\n  int F(int ⟦size→width⟧) {\n    return ⟨size→width⟩;\n  }\n  int G(int size) {\n    return size;\n  }\n}\n",
  ],
  [
    "a function in C",
    "a.c",
    "static int ⟦sum→total⟧(int a) {\n  return a;\n}\nint g(int sum) {\n  return sum;\n}\nint h(void) {\n  return ⟨sum→total⟩(1);\n}\n",
  ],
];

describe("RenameProvider proposes in other languages", () => {
  let syntax: Syntax;
  beforeAll(async () => {
    syntax = openSyntax();
    for (const language of ["python", "go", "rust", "java", "csharp", "c"]) await syntax.load(language);
  });
  afterAll(() => syntax[Symbol.dispose]());
  for (const [name, path, marked] of others) test(name, () => check(marked, { syntax, least: 0.1 }, path));

  test("the import of a renamed function in Python", () => {
    check(
      "=== shop/cart.py\ndef ⟦total→amount⟧():\n    pass\n=== shop/pay.py\nfrom shop.cart import ⟨total→amount⟩\n\n⟨total→amount⟩()\n=== c.py\nfrom other import total\n",
      { syntax, least: 0.1 },
    );
  });

  test("the members of an imported module in Python", () => {
    check(
      "=== shop/cart.py\ndef ⟦total→amount⟧():\n    pass\n=== shop/a.py\nimport shop.cart\n\nshop.cart.⟨total→amount⟩()\n" +
        "=== shop/b.py\nimport shop.cart as c, os\n\nc.⟨total→amount⟩()\nos.total()\n=== shop/c.py\nfrom shop import cart\n\ncart.⟨total→amount⟩()\nx.total()\n" +
        "=== shop/d.py\nimport other\n\nother.total()\n=== shop/e.py\nimport cart\n\ndef f(cart):\n    return cart.total()\n",
      { syntax, least: 0.1 },
    );
  });

  const exportLists: readonly (readonly [name: string, marked: string])[] = [
    [
      "in a list",
      '__all__ = ["⟨Cart→Basket⟩", "Till"]\n\n\nclass ⟦Cart→Basket⟧:\n    pass\n\n\nclass Till:\n    name = "Cart"\n',
    ],
    [
      "in an extended tuple",
      "__all__ = ('Till',)\n__all__ += ('⟨Cart→Basket⟩',)\n\n\nclass ⟦Cart→Basket⟧:\n    pass\n",
    ],
    [
      "in a call that extends the list",
      '__all__: list[str] = []\n__all__.extend(["⟨Cart→Basket⟩"])\nothers.extend(["Cart"])\n\n\nclass ⟦Cart→Basket⟧:\n    pass\n',
    ],
    [
      "in the package that imports all of the module",
      '=== shop/cart.py\n__all__ = ["⟨Cart→Basket⟩"]\n\n\nclass ⟦Cart→Basket⟧:\n    pass\n=== shop/__init__.py\nfrom .cart import *\n\n__all__ = ["⟨Cart→Basket⟩"]\n',
    ],
    [
      "not in a module with another class of the name",
      '=== shop/cart.py\nclass ⟦Cart→Basket⟧:\n    pass\n=== shop/other.py\n__all__ = ["Cart"]\n\n\nclass Cart:\n    pass\n',
    ],
  ];
  for (const [name, marked] of exportLists)
    test(`row 41: the exported names of a Python module, ${name}`, () => check(marked, { syntax }, "cart.py"));

  test("the functions of an imported package in Go", () => {
    check(
      '=== cart/cart.go\npackage cart\n\nfunc ⟦Sum→Total⟧() {}\n=== a/a.go\npackage a\n\nimport (\n\t"x/cart"\n\t"x/other"\n)\n\nfunc g() {\n\tcart.⟨Sum→Total⟩()\n\tother.Sum()\n}\n' +
        '=== b/b.go\npackage b\n\nimport c "x/cart/v2"\n\nfunc g() {\n\tc.⟨Sum→Total⟩()\n}\n',
      { syntax, least: 0.1 },
    );
  });

  test("a function used in another file of its package in Go", () => {
    check("=== p/a.go\npackage p\n\nfunc ⟦sum→total⟧() {}\n=== p/b.go\npackage p\n\nfunc g() {\n\t⟨sum→total⟩()\n}\n", {
      syntax,
      least: 0.1,
    });
  });
});

test("places of a rename come below the cursor first, then above, then in other files", () => {
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

test("places on consecutive lines are one proposal", () => {
  const { proposals } = playRenames(readWorkspace("let ⟦a→b⟧ = 1;\n\nf(a);\ng(a);\n\nh(a);\n"));
  expect(proposals.map(({ edit }) => edit!.edits.length)).toEqual([2, 1]);
});

test("a member of another owner with the same name is marked as matched by name only", () => {
  const { proposals } = playRenames(
    readWorkspace("class A {\n  ⟦size→width⟧ = 1;\n  m = () => this.size;\n}\n\ninterface B {\n  size: number;\n}\n"),
  );
  expect(proposals.map(({ isByNameAlone = false }) => isByNameAlone)).toEqual([false, true]);
});

test("a text with syntax errors gives no proposals and no failure", () => {
  const { proposals } = playRenames(readWorkspace("const ⟦a→b⟧ = ;;; ((\nf(a"));
  expect(proposals).toEqual([]);
});
