/** A text that is hard on parsers and loops: large, deep, repetitive or broken. */
export interface HostileText {
  /** Shape, language and size, such as `chain-ternary javascript 60k`. */
  readonly name: string;
  /** From the workspace's root. */
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/**
 * The languages of the texts, each with the statement, the comment and the import that shapes are
 * made of.
 */
interface Words {
  readonly id: string;
  readonly extension: string;
  statement(n: number): string;
  routine(n: number): string;
  import(n: number): string;
  readonly comment: readonly [string, string];
}

const braces: Words["comment"] = ["/* ", " */"];
const languages: readonly Words[] = [
  {
    ...{ id: "typescript", extension: "ts", comment: braces },
    statement: (n) => `const value${n}: number = other${n % 97} + ${n};`,
    routine: (n) => `export function work${n}(a: number, b: string): string {\n  return b + work${n % 89}(a, b);\n}`,
    import: (n) => `import { name${n} } from "./module-${n}";`,
  },
  {
    ...{ id: "javascript", extension: "js", comment: braces },
    statement: (n) => `var v${n}=f(v${n % 97},[${n},"s"]);`,
    routine: (n) => `function work${n}(a, b) {\n  return a ? work${n % 89}(b, a) : { a, b };\n}`,
    import: (n) => `import { name${n} } from "./module-${n}.js";`,
  },
  {
    ...{ id: "typescriptreact", extension: "tsx", comment: braces },
    statement: (n) => `const view${n} = <p className="c${n}">{value${n % 97}}</p>;`,
    routine: (n) => `export function View${n}({ a }: { a: string }) {\n  return <View${n % 89} a={a} />;\n}`,
    import: (n) => `import { View${n} } from "./view-${n}";`,
  },
  {
    ...{ id: "python", extension: "py", comment: ['"""', '"""'] },
    statement: (n) => `value${n} = other${n % 97} + ${n}`,
    routine: (n) => `def work${n}(a, b):\n    return work${n % 89}(b, a)`,
    import: (n) => `from module${n} import name${n}`,
  },
  {
    ...{ id: "go", extension: "go", comment: braces },
    statement: (n) => `var value${n} = other${n % 97} + ${n}`,
    routine: (n) => `func work${n}(a int) int {\n\treturn work${n % 89}(a)\n}`,
    import: (n) => `import "module/m${n}"`,
  },
  {
    ...{ id: "rust", extension: "rs", comment: braces },
    statement: (n) => `const VALUE${n}: i32 = OTHER${n % 97} + ${n};`,
    routine: (n) => `fn work${n}(a: i32) -> i32 {\n    work${n % 89}(a)\n}`,
    import: (n) => `use module${n}::Name${n};`,
  },
  {
    ...{ id: "java", extension: "java", comment: braces },
    statement: (n) => `int value${n} = other${n % 97} + ${n};`,
    routine: (n) => `class Work${n} {\n  int run(int a) { return new Work${n % 89}().run(a); }\n}`,
    import: (n) => `import pack${n}.Name${n};`,
  },
  {
    ...{ id: "c", extension: "c", comment: braces },
    statement: (n) => `int value${n} = ${n};`,
    routine: (n) => `int work${n}(int a) {\n  return work${n % 89}(a);\n}`,
    import: (n) => `#include "module${n}.h"`,
  },
  {
    ...{ id: "csharp", extension: "cs", comment: braces },
    statement: (n) => `int value${n} = other${n % 97} + ${n};`,
    routine: (n) => `class Work${n} {\n  int Run(int a) { return new Work${n % 89}().Run(a); }\n}`,
    import: (n) => `using Space${n}.Name${n};`,
  },
  {
    ...{ id: "ruby", extension: "rb", comment: ["=begin\n", "\n=end"] },
    statement: (n) => `value${n} = other${n % 97} + ${n}`,
    routine: (n) => `def work${n}(a)\n  work${n % 89}(a)\nend`,
    import: (n) => `require "module${n}"`,
  },
  {
    ...{ id: "php", extension: "php", comment: braces },
    statement: (n) => `$value${n} = $other${n % 97} + ${n};`,
    routine: (n) => `function work${n}($a) {\n  return work${n % 89}($a);\n}`,
    import: (n) => `use Space${n}\\Name${n};`,
  },
  {
    ...{ id: "json", extension: "json", comment: ['"', '"'] },
    statement: (n) => `"key${n}": [${n}, "text ${n}", { "a": null }],`,
    routine: (n) => `"object${n}": {\n  "a": ${n},\n  "b": [true, false]\n},`,
    import: (n) => `"import${n}": "./module-${n}.json",`,
  },
  {
    ...{ id: "css", extension: "css", comment: braces },
    statement: (n) => `.c${n} { color: #${n % 1000}; }`,
    routine: (n) => `.c${n} > .d${n % 89} {\n  margin: ${n}px;\n}`,
    import: (n) => `@import "module-${n}.css";`,
  },
];

type Make = (words: Words, size: number, random: Random) => string;

/**
 * How deep the deepest nesting is, and how long a chain: parsers are the slower the deeper, texts
 * need not be large.
 */
const maxDepth = 60_000;

const shapes: Readonly<Record<string, Make>> = {
  "deep-parens": nested("(", ")"),
  "deep-brackets": nested("[", "]"),
  "deep-braces": nested("{", "}"),
  "deep-angles": nested("a<", ">"),
  "deep-objects": nested("{a:", "}"),
  "deep-calls": nested("f(", ")"),
  "deep-markup": nested("<a>", "</a>"),
  "deep-templates": nested("`${", "}`"),
  "deep-arrows": nested("x=>", ""),
  "deep-unary": nested("!", ""),
  "deep-blocks": nested("if(a){\n", "}\n"),
  "deep-indentation": (_, size, random) => staircase(Math.min(size, 400_000), random.int(200, 600)),
  "open-brackets": (_, size) => "([{".repeat(Math.min(size, maxDepth) / 3),
  "chain-members": chain("a", ".b"),
  "chain-sums": chain("a", "+b"),
  "chain-ternaries": (_, size) => `${"a?b:".repeat(Math.min(size / 4, maxDepth))}c`,
  "chain-else-if": chain("if(a){b}", "else if(a){b}"),
  "chain-calls": chain("a", "()"),
  "chain-logic": chain("a", "&&b||c"),
  "chain-commas": chain("a", ",b"),
  "huge-array": (_, size) => `x = [${filled(size, (n) => `${n},`)}0]`,
  "huge-table": (_, size) => `x = [\n${filled(size, (n) => `  [${n}, "row ${n}", ${n * 7}, true],\n`)}]\n`,
  "huge-map": (_, size) => `x = {\n${filled(size, (n) => `  key${n}: { a: ${n}, b: "text" },\n`)}}\n`,
  "one-line": (words, size) => filled(size, (n) => `${words.routine(n).replaceAll(/\s*\n\s*/g, " ")} `),
  minified: (words, size) => filled(size, (n) => words.statement(n)),
  "huge-string": (_, size) => `x = "${"lorem ipsum ".repeat(size / 12)}"\n`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself has it.
  "huge-template": (_, size) => `x = \`\n${"lorem ${ipsum} dolor\n".repeat(size / 21)}\`\n`,
  "huge-comment": ({ comment }, size) => `${comment[0]}${"lorem ipsum\n".repeat(size / 12)}${comment[1]}\n`,
  "open-string": (words, size) => `x = "\n${filled(size, (n) => `${words.statement(n)}\n`)}`,
  "open-comment": (words, size) => `/*\n${filled(size, (n) => `${words.statement(n)}\n`)}`,
  "equal-lines": (words, size) => `${words.statement(1)}\n`.repeat(Math.min(size / 10, 60_000)),
  functions: (words, size) => filled(size, (n) => `${words.routine(n)}\n\n`),
  statements: (words, size) => filled(size, (n) => `${words.statement(n)}\n`),
  imports: (words, size) => filled(Math.min(size, 400_000), (n) => `${words.import(n)}\n`),
  errors: (words, size) => filled(size, (n) => `${words.statement(n).slice(0, -3)} ) } ] = ;\n`),
  "null-bytes": (words, size) => filled(size, (n) => `${words.statement(n)}\0\0\n`),
  "mixed-line-ends": (words, size) => filled(size, (n) => `${words.statement(n)}${["\n", "\r\n", "\r"][n % 3]}`),
  spaces: (words, size) => `${words.statement(1)}${" ".repeat(size)}${words.statement(2)}\n`,
  "blank-lines": (words, size) => `${words.statement(1)}${"\n".repeat(size)}${words.statement(2)}\n`,
  "long-name": (_, size) => `${"name".repeat(size / 4)} = 1\n`,
  quotes: (_, size) => `x = ${"'\"`".repeat(Math.min(size, 300_000) / 3)}\n`,
  slashes: (_, size) => `x = ${"/".repeat(Math.min(size, 300_000))}\n`,
  backslashes: (_, size) => `x = "${"\\".repeat(Math.min(size, 300_000))}\n`,
  unicode: (_, size) => filled(size, (n) => `näme${n} = "😀 ${n} \u200d漢字"\n`),
  decorators: (words, size) => `${"@decorate\n".repeat(Math.min(size / 10, 20_000))}${words.routine(1)}\n`,
  "key-lines": (_, size) => filled(size, (n) => `key${n % 10}=value,key${n}=\n`),
};

/** Sizes in UTF-16 units; the largest is within the limits of ghost text and next edits. */
const sizes = [20_000, 100_000, 400_000, 1_000_000, 1_900_000] as const;

/** The texts that the language server was first seen to stop at: shape, language and size. */
const known = [
  ["functions", "typescript", 1_900_000],
  ["one-line", "javascript", 900_000],
  ["chain-ternaries", "javascript", 40_000],
] as const;

/**
 * `count` texts; the same `seed` gives the same texts. Every shape comes about equally often, in
 * any language.
 */
export function hostileTexts(seed: number, count: number): HostileText[] {
  const random = new Random(seed);
  const names = Object.keys(shapes);
  const texts = known.map(([shape, id, size], index) => {
    const words = languages.find((one) => one.id === id)!;
    return hostileText({ shape, words, size, isFramed: false }, random, index);
  });
  let order: string[] = [];
  while (texts.length < count) {
    if (order.length === 0) order = random.shuffled(names);
    const words = languages[random.int(0, languages.length)]!;
    const size = sizes[random.int(0, sizes.length)]!;
    // Half of the texts have a line of ordinary code before and behind.
    const isFramed = random.int(0, 2) === 0;
    texts.push(hostileText({ shape: order.pop()!, words, size, isFramed }, random, texts.length));
  }
  return texts.slice(0, count);
}

interface Plan {
  readonly shape: string;
  readonly words: Words;
  readonly size: number;
  readonly isFramed: boolean;
}

function hostileText({ shape, words, size, isFramed }: Plan, random: Random, index: number): HostileText {
  const body = shapes[shape]!(words, size, random);
  const text = isFramed ? `${words.statement(7)}\n${body}\n${words.statement(8)}\n` : body;
  const path = `src/text-${index}.${words.extension}`;
  return { name: `${shape} ${words.id} ${Math.round(text.length / 1000)}k`, path, language: words.id, text };
}

function nested(open: string, close: string): Make {
  return (_, size) => {
    const depth = Math.floor(Math.min(size / (open.length + close.length), maxDepth));
    return `x = ${open.repeat(depth)}a${close.repeat(depth)}`;
  };
}

function chain(first: string, link: string): Make {
  return (_, size) => `x = ${first}${link.repeat(Math.min(size, 400_000) / link.length)}`;
}

function filled(size: number, piece: (n: number) => string): string {
  const pieces: string[] = [];
  for (let n = 0, length = 0; length < size; n += 1) {
    pieces.push(piece(n));
    length += pieces.at(-1)!.length;
  }
  return pieces.join("");
}

function staircase(size: number, depth: number): string {
  return filled(size, (n) => `${" ".repeat(n % depth)}if a${n}:\n`);
}

/** Numbers by chance, the same for the same seed: Lehmer's generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
    for (let n = 0; n < 5; n += 1) this.int(0, 2);
  }

  /** A whole number in [start, end). */
  int(start: number, end: number): number {
    this.#state = Number((BigInt(this.#state) * 48_271n) % 2_147_483_647n);
    return start + Math.floor((this.#state / 2_147_483_647) * (end - start));
  }

  shuffled<T>(items: readonly T[]): T[] {
    const all = [...items];
    for (let end = all.length - 1; end > 0; end -= 1) {
      const other = this.int(0, end + 1);
      [all[end], all[other]] = [all[other]!, all[end]!];
    }
    return all;
  }
}
