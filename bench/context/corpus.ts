import { readFileSync } from "node:fs";
import { seededRandom } from "../../scripts/train/seeded-random.ts";
import type { OpenFile } from "../../src/context/index.ts";

/** A file with a cursor, and files that are open beside it. */
export interface Corpus {
  readonly language: string;
  readonly path: string;
  readonly text: string;
  readonly offset: number;
  readonly neighbours: readonly OpenFile[];
  /**
   * The windows that Copilot's implementation picks, the worst first, where they are known:
   * `path [start, end)`.
   */
  readonly known: readonly string[] | undefined;
}

/**
 * Reads a corpus:
 * `{languageId, reference: {relativePath, source, offset}, neighbors: [{relativePath, source}]}`.
 */
export function readCorpus(file: string): Corpus {
  const { languageId, reference, neighbors } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly languageId: string;
    readonly reference: { readonly relativePath: string; readonly source: string; readonly offset: number };
    readonly neighbors: readonly { readonly relativePath: string; readonly source: string }[];
  };
  return {
    language: languageId,
    path: reference.relativePath,
    text: reference.source,
    offset: reference.offset,
    neighbours: neighbors.map(({ relativePath, source }) => ({
      path: relativePath,
      language: languageId,
      text: source,
    })),
    known: ["src/n14.ts [0, 60)", "src/n8.ts [49, 109)", "src/n2.ts [71, 131)", "src/n7.ts [58, 118)"],
  };
}

/** A corpus of the same size made of random methods: 20 neighbours of about 9.6k characters. */
export function makeCorpus(): Corpus {
  const random = seededRandom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const name = (first: string) => first + pick(nouns) + pick(nouns);
  const method = () => {
    const [thing, amount] = [name(pick(verbs)), name("next")];
    const lines = [`\t/** Says which ${pick(nouns)} comes before the ${pick(nouns)}. */`];
    lines.push(
      `\t${name(pick(verbs))}(${thing}: ${pick(nouns)}, ${amount} = ${Math.floor(random() * 99)}): ${pick(nouns)} {`,
    );
    for (let i = 0; i < 8; i++) lines.push(`\t\tthis.${name(pick(verbs))}(${thing}.${name("old")}, ${amount});`);
    return [...lines, `\t\treturn this.${name(pick(verbs))};`, "\t}", ""].join("\n");
  };
  const file = (title: string) => {
    let text = `import { ${pick(nouns)} } from "./${pick(verbs)}";\n\nexport class ${title} {\n`;
    while (text.length < 9_400) text += method();
    return `${text}}\n`;
  };
  const text = file("Subject");
  const neighbours = Array.from({ length: 20 }, (_, i) => ({
    path: `src/n${i}.ts`,
    language: "typescript",
    text: file(`Neighbour${i}`),
  }));
  const offset = text.lastIndexOf("\n", text.length / 2) + 3;
  return { language: "typescript", path: "src/subject.ts", text, offset, neighbours, known: undefined };
}

const verbs = ["flush", "merge", "render", "apply", "resolve", "schedule", "reset", "compute", "collect", "publish"];
const nouns = "Window Account Ledger Cursor Metric Tenant Policy Buffer Cache Parser Queue Request Range Session".split(
  " ",
);
