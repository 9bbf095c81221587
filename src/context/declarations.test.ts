import { expect, test } from "vitest";
import { declarationsOf } from "./declarations.ts";

/**
 * Each case: a language, a text, and what is declared in it, the signatures without their line
 * feeds at the end.
 */
const cases: readonly (readonly [name: string, language: string, text: string, declarations: readonly string[]])[] = [
  [
    "a function with a type in braces",
    "typescript",
    "/** Adds. */\nexport function add(a: { x: number }): { sum: number } {\n  return { sum: a.x };\n}\n",
    ["add: /** Adds. */\nexport function add(a: { x: number }): { sum: number }"],
  ],
  [
    "overloads and default",
    "typescript",
    "export function f(a: string): void;\nexport function f(a: any) {\n  g();\n}\nexport default class {\n  run() {\n    g();\n  }\n}\n",
    [
      "f: export function f(a: string): void;",
      "f: export function f(a: any)",
      "default: export default class {\n  run() { ... }\n}",
    ],
  ],
  [
    "values: short, annotated, arrows",
    "typescript",
    `const small = 1;\nexport const run = async (a: A): Promise<B> => {\n  x();\n  y();\n  return z();\n};\nexport const table = {\n${"  a: 1,\n".repeat(20)}};\n`,
    [
      "small: const small = 1;",
      "run: export const run = async (a: A): Promise<B> =>",
      "table: export const table = {\n  a: 1,\n  a: 1,\n  a: 1,\n  a: 1,\n  a: 1,\n  a: 1,\n  a: 1,",
    ],
  ],
  [
    "values of a pattern",
    "typescript",
    "export const { a, b: c = 1, ...rest } = open();\nconst [x, y] = z;\nconst { p: { q } } = f({ r: s, });\n",
    [
      ...["a", "c", "rest"].map((name) => `${name}: export const { a, b: c = 1, ...rest } = open();`),
      ...["x", "y"].map((name) => `${name}: const [x, y] = z;`),
      "q: const { p: { q } } = f({ r: s, });",
    ],
  ],
  [
    "types without semicolons",
    "typescript",
    "export type A =\n  | { a: 1 }\n  | { b: 2 }\nexport interface B extends A {\n  c: string\n}\nexport enum C { D }\n",
    [
      "A: export type A =\n  | { a: 1 }\n  | { b: 2 }",
      "B: export interface B extends A {\n  c: string\n}",
      "C: export enum C { D }",
    ],
  ],
  [
    "names in a comment or a string are not declared",
    "typescript",
    "/*\nfunction a() {}\n*/\n\nconst b = `\nfunction c() {}\n`;\n",
    ["b: const b = `\nfunction c() {}\n`;"],
  ],
  [
    "declarations of a package",
    "typescript",
    'declare module "m" {\n  export function f(): void;\n}\n',
    ["f:   export function f(): void;"],
  ],
  [
    "broken text",
    "typescript",
    "export function open(a {\n\nexport class Cart {\n  add(item) {\n",
    ["open: export function open(a", "Cart: export class Cart {"],
  ],
  [
    "python",
    "python",
    'LIMIT: int = 3\n\n@cache\ndef load(\n    path: str,\n) -> Cart:\n    """Reads a cart.\n\n    Twice.\n    """\n    return x\n\nclass Cart(Base):\n    """A cart."""\n    items: list[Item]\n    async def add(self, item: Item) -> None:\n        def inner(): pass\n        self.x = 1\n',
    [
      "LIMIT: LIMIT: int = 3",
      'load: @cache\ndef load(\n    path: str,\n) -> Cart:\n    """Reads a cart.\n    Twice.\n    """',
      'Cart: class Cart(Base):\n    """A cart."""\n    items: list[Item]\n    async def add(self, item: Item) -> None:',
    ],
  ],
  [
    "python: several values of one assignment",
    "python",
    "first, last = read()\nif a, b == c: pass\n",
    ["first: first, last = read()", "last: first, last = read()"],
  ],
  [
    "go",
    "go",
    "package a\n\n// Open opens.\nfunc (s *Store) Open(name string) (Cart, error) {\n\treturn x\n}\n\ntype Cart struct {\n\tItems []Item\n}\n\nconst (\n\tSmall = 1\n\tLarge = 2\n)\n",
    [
      "Open: // Open opens.\nfunc (s *Store) Open(name string) (Cart, error)",
      "Cart: type Cart struct {\n\tItems []Item\n}",
      "Small: const Small = 1",
      "Large: const Large = 2",
    ],
  ],
  [
    "java",
    "java",
    "package a;\n\n/** A cart. */\n@Stable\npublic final class Cart {\n  private int size = 1;\n\n  public void add(Item item) {\n    x();\n  }\n}\n",
    [
      "Cart: /** A cart. */\n@Stable\npublic final class Cart {\n  private int size = 1;\n\n  public void add(Item item) { ... }\n}",
    ],
  ],
  [
    "rust",
    "rust",
    "/// A cart.\n#[derive(Debug)]\npub struct Cart<'a> {\n    name: &'a str,\n}\n\nimpl<'a> Cart<'a> {\n    pub fn add(&mut self, item: Item) -> bool {\n        x()\n    }\n}\n\npub(crate) async fn open<T>(path: T) -> Cart\nwhere\n    T: AsRef<Path>,\n{\n    x\n}\n",
    [
      "Cart: /// A cart.\n#[derive(Debug)]\npub struct Cart<'a> {\n    name: &'a str,\n}",
      "Cart: impl<'a> Cart<'a> {\n    pub fn add(&mut self, item: Item) -> bool { ... }\n}",
      "open: pub(crate) async fn open<T>(path: T) -> Cart\nwhere\n    T: AsRef<Path>,",
    ],
  ],
  [
    "c#",
    "csharp",
    "namespace Shop\n{\n    /// <summary>A cart.</summary>\n    public sealed class Cart : ICart\n    {\n        public int Size { get; set; }\n        public void Add(Item item)\n        {\n            X();\n        }\n    }\n    public enum Kind { Small }\n}\n",
    [
      "Cart:     /// <summary>A cart.</summary>\n    public sealed class Cart : ICart\n    {\n        public int Size { get; set; }\n        public void Add(Item item)\n        { ... }\n    }",
      "Kind:     public enum Kind { Small }",
    ],
  ],
  [
    "c",
    "c",
    '#ifndef A_H\n#define A_H\n#define MAX_ITEMS 64\nextern "C" {\ntypedef struct cart {\n  int size;\n} cart;\n/* Opens. */\ncart *cart_open(const char *path);\n}\n#endif\n',
    [
      "MAX_ITEMS: #define MAX_ITEMS 64",
      "cart: typedef struct cart {\n  int size;\n} cart;",
      "cart_open: /* Opens. */\ncart *cart_open(const char *path);",
    ],
  ],
  [
    "c++",
    "cpp",
    "namespace shop {\ntemplate <typename T>\nclass Cart : public Base {\n public:\n  void add(T item) {\n    x();\n  }\n};\n\nCart<int> open(const std::string& path) {\n  return x;\n}\n}  // namespace shop\n",
    [
      "Cart: template <typename T>\nclass Cart : public Base {\n public:\n  void add(T item) { ... }\n};",
      "open: Cart<int> open(const std::string& path)",
    ],
  ],
  ["a language without declarations", "css", ".a { b: c }", []],
];

for (const [name, language, text, declarations] of cases) {
  for (const [ending, endings] of [
    ["", "\n"],
    [" with \\r\\n", "\r\n"],
  ] as const) {
    test(name + ending, () => {
      const found = declarationsOf(text.replaceAll("\n", endings), language);
      const shown = found.map((one) => `${one.name}: ${one.text.replaceAll("\r\n", "\n").replace(/\n$/, "")}`);
      expect(shown).toEqual(declarations);
    });
  }
}
