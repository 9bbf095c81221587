import { expect, test } from "vitest";
import { languageOf } from "../syntax/index.ts";
import { CodeIndex } from "./code-index.ts";
import { ImportedDeclarations } from "./imported-declarations.ts";

type Files = Readonly<Record<string, string>>;

function indexOf(files: Files): CodeIndex {
  const index = new CodeIndex();
  for (const [path, text] of Object.entries(files)) index.set(path, languageOf(path).id, text);
  return index;
}

/** What a file imports, with the cursor at its end: `path: names`. */
function imports(files: Files, path: string, text: string, maxLines = 100): string[] {
  const place = { path, language: languageOf(path).id, text, offset: text.length };
  return new ImportedDeclarations(indexOf(files))
    .find(place, maxLines)
    .map((one) => `${one.path}: ${one.names.join(" ")}`);
}

const cart =
  "export class Cart {\n  add() {\n    x();\n  }\n}\nexport const limit = 3;\nexport default function open() {}\n";

const scripts: readonly (readonly [
  name: string,
  files: Files,
  path: string,
  text: string,
  found: readonly string[],
])[] = [
  ["a relative path", { "src/cart.ts": cart }, "src/a.ts", 'import { Cart } from "./cart";', ["src/cart.ts: Cart"]],
  [
    "a path with .js",
    { "src/cart.ts": cart },
    "src/x/a.ts",
    'import { limit } from "../cart.js";',
    ["src/cart.ts: limit"],
  ],
  [
    "an index file",
    { "src/cart/index.tsx": cart },
    "src/a.ts",
    'import { Cart } from "./cart";',
    ["src/cart/index.tsx: Cart"],
  ],
  ["a default", { "src/cart.ts": cart }, "a.ts", 'import begin from "./src/cart";', ["src/cart.ts: open"]],
  [
    "another name",
    { "cart.ts": cart },
    "a.ts",
    'import type { Cart as C, limit } from "./cart";',
    ["cart.ts: Cart limit"],
  ],
  ["a namespace", { "cart.ts": cart }, "a.ts", 'import * as shop from "./cart";\nshop.limit;', ["cart.ts: limit"]],
  [
    "require",
    { "cart.js": "exports.open = 1;\nfunction open() {}\n" },
    "a.js",
    'const { open } = require("./cart");',
    ["cart.js: open"],
  ],
  ["nothing outside", { "cart.ts": cart }, "a.ts", 'import { Cart } from "../../cart";\nimport { z } from "zod";', []],
  [
    "everything passed on",
    {
      "index.ts": 'export * from "./src";\n',
      "src/index.ts": 'export * from "./none";\nexport * from "./cart";\n',
      "src/cart.ts": cart,
    },
    "a.ts",
    'import { Cart } from "./index";',
    ["src/cart.ts: Cart"],
  ],
  [
    "passed on under another name",
    { "index.ts": 'export { Cart as Basket } from "./cart";\n', "cart.ts": cart },
    "a.ts",
    'import { Basket } from "./index";',
    ["cart.ts: Cart"],
  ],
  [
    "imported, then exported",
    { "index.ts": 'import { Cart } from "./cart";\nexport { Cart };\n', "cart.ts": cart },
    "a.ts",
    'import { Cart } from "./index";',
    ["cart.ts: Cart"],
  ],
  [
    "modules in a circle",
    { "a1.ts": 'export * from "./a2";\n', "a2.ts": 'export * from "./a1";\n' },
    "a.ts",
    'import { X } from "./a1";',
    [],
  ],
  [
    "paths of a tsconfig that another one extends",
    {
      "tsconfig.base.json":
        '{ "compilerOptions": { "baseUrl": ".", /* ours */ "paths": { "@shop/*": ["packages/*/src"], } } }',
      "packages/a/tsconfig.json": '{ "extends": "../../tsconfig.base.json" }',
      "packages/cart/src/index.ts": cart,
    },
    "packages/a/src/a.ts",
    'import { Cart } from "@shop/cart";',
    ["packages/cart/src/index.ts: Cart"],
  ],
  [
    "a base folder",
    { "tsconfig.json": '{ "compilerOptions": { "baseUrl": "src" } }', "src/lib/cart.ts": cart },
    "src/a.ts",
    'import { Cart } from "lib/cart";',
    ["src/lib/cart.ts: Cart"],
  ],
  [
    "a package of the workspace, built from its source",
    {
      "packages/cart/package.json":
        '{ "name": "@shop/cart", "exports": { ".": { "import": "./dist/index.js" }, "./x": "./dist/x.js" } }',
      "packages/cart/src/index.ts": cart,
      "packages/cart/src/x.ts": "export function far() {}\n",
    },
    "apps/a.ts",
    'import { Cart } from "@shop/cart";\nimport { far } from "@shop/cart/x";',
    ["packages/cart/src/index.ts: Cart", "packages/cart/src/x.ts: far"],
  ],
  [
    "a package's own name",
    { "package.json": '{ "name": "shop", "exports": { "./cart": "./src/cart.ts" } }', "src/cart.ts": cart },
    "test/a.ts",
    'import { limit } from "shop/cart";',
    ["src/cart.ts: limit"],
  ],
  [
    "the types of a package",
    {
      "node_modules/shop/package.json": '{ "name": "shop", "types": "./lib/main.d.ts", "main": "./lib/main.js" }',
      "node_modules/shop/lib/main.d.ts": "export declare function open(path: string): void;\n",
      "node_modules/@types/old/package.json": '{ "name": "@types/old", "types": "index.d.ts" }',
      "node_modules/@types/old/index.d.ts": "export declare const old: number;\n",
    },
    "src/a.ts",
    'import { open } from "shop";\nimport { old } from "old";',
    ["node_modules/shop/lib/main.d.ts: open", "node_modules/@types/old/index.d.ts: old"],
  ],
];
for (const [name, files, path, text, found] of scripts)
  test(`imported declarations of a script: ${name}`, () => expect(imports(files, path, text)).toEqual(found));

const others: readonly (readonly [name: string, files: Files, path: string, text: string, found: readonly string[]])[] =
  [
    [
      "python: modules, names, members and packages",
      {
        "shop/__init__.py": "from .cart import Cart\n",
        "shop/cart.py": "class Cart:\n    pass\n\ndef open():\n    pass\n",
        "shop/util/names.py": "LIMIT = 3\ndef clean(): pass\n",
      },
      "shop/main.py",
      "from shop import Cart\nfrom .cart import (open,  # now\n)\nfrom .util import names\nnames.clean(1)\n",
      ["shop/cart.py: Cart open", "shop/util/names.py: clean"],
    ],
    [
      "python: an absolute path below a folder of sources",
      { "src/shop/cart.py": "def open():\n    pass\n" },
      "tests/test_cart.py",
      "import shop.cart as c\nc.open()\n",
      ["src/shop/cart.py: open"],
    ],
    [
      "python: lists over several lines",
      { "cart.py": "def one(): pass\ndef two(): pass\ndef three(): pass\n", "item.py": "def four(): pass\n" },
      "main.py",
      "from cart import one, \\\n  two\nfrom cart import (\n  three,  # (or two)\n)\nimport cart as c, \\\n  item as i\ni.four()\n",
      ["cart.py: one two three", "item.py: four"],
    ],
    [
      "go",
      {
        "store/cart.go": "package store\n\nfunc Open() {}\n\ntype Cart struct{}\n",
        "store/cart_test.go": "package store\n\nfunc Open() {}\n",
      },
      "cmd/main.go",
      'package main\n\nimport (\n\t"fmt"\n\ts "example.com/shop/store"\n)\n\nfunc main() { s.Open() }\n',
      ["store/cart.go: Open"],
    ],
    [
      "java",
      {
        "src/main/java/shop/Cart.java": "package shop;\npublic class Cart { }\n",
        "src/main/java/shop/x/Item.java": "package shop.x;\nclass Item { }\n",
      },
      "src/main/java/app/Main.java",
      "package app;\nimport shop.Cart;\nimport shop.x.*;\nclass Main { Item item; }\n",
      ["src/main/java/shop/Cart.java: Cart", "src/main/java/shop/x/Item.java: Item"],
    ],
    [
      "rust",
      {
        "src/lib.rs": "pub mod cart;\npub fn top() {}\n",
        "src/cart.rs": "pub struct Cart;\nimpl Cart {\n    pub fn add(&self) {\n    }\n}\n",
        "src/cart/item.rs": "pub enum Item { A }\n",
        "other/src/lib.rs": "pub fn far() {}\n",
      },
      "src/app.rs",
      "use crate::{\n  cart::{Cart, item::Item}, // once; {twice}\n  top,\n};\nuse other::far as f;\nuse super::cart;\n",
      ["other/src/lib.rs: far", "src/cart.rs: Cart Cart", "src/cart/item.rs: Item", "src/lib.rs: top"],
    ],
    [
      "c#",
      { "Shop/Carts/Cart.cs": "namespace Shop.Carts;\npublic class Cart { }\npublic class Unused { }\n" },
      "App/Main.cs",
      "using System;\nusing Shop.Carts;\nclass Main { Cart cart; }\n",
      ["Shop/Carts/Cart.cs: Cart"],
    ],
    [
      "c",
      { "include/shop/cart.h": "struct cart { int n; };\nvoid cart_open(struct cart *c);\nvoid cart_close(void);\n" },
      "src/main.c",
      '#include <stdio.h>\n#include "shop/cart.h"\nint main() { struct cart c; cart_open(&c); }\n',
      ["include/shop/cart.h: cart cart_open"],
    ],
  ];
for (const [name, files, path, text, found] of others) {
  test(`imported declarations of ${name}`, () => expect(imports(files, path, text).sort()).toEqual([...found].sort()));
}

test("imported declarations used near the cursor come first within the limit", () => {
  const files = { "a.ts": "export function near() {}\n", "b.ts": "export function far() {}\n" };
  const text = `import { far } from "./b";\nimport { near } from "./a";\nfar();\n${"// filler\n".repeat(600)}near();\n`;
  expect(imports(files, "main.ts", text, 1)).toEqual(["a.ts: near"]);
});

test("imported declarations have signatures and documentation, without bodies", () => {
  const place = { path: "a.ts", language: "typescript", text: 'import { Cart } from "./cart";', offset: 0 };
  const [found] = new ImportedDeclarations(indexOf({ "cart.ts": `/** Holds. */\n${cart}` })).find(place, 10);
  expect(found).toMatchObject({ text: "/** Holds. */\nexport class Cart {\n  add() { ... }\n}\n", lines: 4 });
});
