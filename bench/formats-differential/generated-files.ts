import type { Random } from "../hostile/hostile-texts.ts";

/** A text file before the edit. Lines are without line endings. */
export interface GeneratedFile {
  /** From the workspace's root, with `/`. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly lineEnding: "\n" | "\r\n";
  readonly hasFinalNewline: boolean;
}

/** How code of one language is written. */
interface Language {
  readonly extension: string;
  /** A block of lines that begins with a heading at the margin. */
  block(name: string, body: readonly string[]): readonly string[];
  statement(name: string, n: number): string;
  comment(text: string): string;
  readonly indent: string;
}

const languages: readonly Language[] = [
  {
    extension: "ts",
    block: (name, body) => [`export function ${name}(input: Item[]): number {`, ...body, "}"],
    statement: (name, n) => `const ${name} = compute(input, ${n});`,
    comment: (text) => `// ${text}`,
    indent: "  ",
  },
  {
    extension: "py",
    block: (name, body) => [`def ${name}(items):`, ...body],
    statement: (name, n) => `${name} = compute(items, ${n})`,
    comment: (text) => `# ${text}`,
    indent: "    ",
  },
  {
    extension: "go",
    block: (name, body) => [`func ${name}(items []Item) int {`, ...body, "}"],
    statement: (name, n) => `${name} := compute(items, ${n})`,
    comment: (text) => `// ${text}`,
    indent: "\t",
  },
  {
    extension: "java",
    block: (name, body) => [
      `/**`,
      ` * Returns ${name}.`,
      ` */`,
      `static int ${name}(List<Item> items) {`,
      ...body,
      "}",
    ],
    statement: (name, n) => `int ${name} = compute(items, ${n});`,
    comment: (text) => `// ${text}`,
    indent: "    ",
  },
  {
    extension: "md",
    block: (name, body) => [`## ${name}`, "", ...body],
    statement: (name, n) => `- \`${name}\` is computed ${n} times`,
    comment: (text) => text,
    indent: "",
  },
  {
    extension: "yaml",
    block: (name, body) => [`${name}:`, ...body],
    statement: (name, n) => `${name}: ${n}`,
    comment: (text) => `# ${text}`,
    indent: "  ",
  },
];

const names = [
  ..."total count price average width height offset limit result buffer cursor margin index label value".split(" "),
  ..."amount balance weight speed volume status detail region vendor ticket".split(" "),
];

const remarks = [
  "Keep the order of the items.",
  "The server’s limit is 100 — see “limits”.",
  "Do not round: it’s done later…",
  "costs 10\u00a0€ each, 3–5 of them",
  "TODO: handle the empty list",
];

/** One file. `isRepetitive` gives blocks whose lines are found in other blocks too. */
export function generatedFile(path: string, random: Random, isRepetitive: boolean): GeneratedFile {
  const language = languages[random.int(0, languages.length)]!;
  const lines: string[] = [];
  const blocks = random.int(1, 9);
  const shared = generatedLines(language, random, random.int(2, 6));
  for (let block = 0; block < blocks; block++) {
    if (block > 0) lines.push("");
    const own = generatedLines(language, random, random.int(1, 9));
    const body = isRepetitive && random.int(0, 3) > 0 ? [...shared, ...own.slice(0, random.int(0, 2))] : own;
    lines.push(...language.block(`${pick(names, random)}${random.int(0, 1_000)}`, body));
  }
  return {
    path: `${path}.${language.extension}`,
    lines,
    lineEnding: random.int(0, 25) === 0 ? "\r\n" : "\n",
    hasFinalNewline: random.int(0, 15) > 0,
  };
}

/** A new line for a place, indented as the line beside it. */
export function newLine(beside: string, random: Random): string {
  const indent = /^\s*/.exec(beside)![0];
  const deeper = random.int(0, 8) === 0 ? "  " : "";
  if (random.int(0, 12) === 0) return "";
  if (random.int(0, 12) === 0) return `${indent}${deeper}// ${pick(remarks, random)}`;
  return `${indent}${deeper}${pick(names, random)}New${random.int(0, 1_000)} = call(${pick(names, random)}, "${pick(names, random)}");`;
}

/** The line with a word changed, or `undefined` where it has none. */
export function changedLine(line: string, random: Random): string | undefined {
  const words = [...line.matchAll(/\w+/g)];
  if (words.length === 0) return undefined;
  const word = words[random.int(0, words.length)]!;
  const end = word.index + word[0].length;
  return `${line.slice(0, word.index)}${word[0]}X${random.int(0, 100)}${line.slice(end)}`;
}

/** The whole text of a file. */
export function textOf({ lines, lineEnding, hasFinalNewline }: GeneratedFile): string {
  return lines.join(lineEnding) + (hasFinalNewline && lines.length > 0 ? lineEnding : "");
}

/** One item, by chance. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[random.int(0, items.length)]!;
}

function generatedLines(language: Language, random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const kind = random.int(0, 14);
    const deeper = random.int(0, 6) === 0 ? language.indent : "";
    if (kind === 0) return "";
    if (kind === 1) return `${language.indent}${language.comment(pick(remarks, random))}`;
    if (kind === 2) return `${language.indent}${language.statement(pick(names, random), 7)}  `;
    if (kind === 3) return `${language.indent}log("total of  items: ", ${pick(names, random)});`;
    return `${language.indent}${deeper}${language.statement(pick(names, random), random.int(0, 30))}`;
  });
}
