import { pick, seededRandom } from "../../scripts/train/seeded-random.ts";

/** A function of a made workspace that other modules call. */
export interface MadeFunction {
  readonly name: string;
  readonly path: string;
}

/**
 * A workspace of TypeScript modules that was never anybody's: so much is the same on every machine.
 */
export interface MadeWorkspace {
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly lines: number;
  /** Functions that are called from other modules, each name used once. */
  readonly functions: readonly MadeFunction[];
}

/**
 * Modules in folders, each with an interface, functions that call what it imports from modules
 * before it, a class, and a table: about as many lines as requested.
 *
 * The same for the same seed. Every name is declared, every import is there, and types fit.
 */
export function madeWorkspace(lines: number, seed = 1): MadeWorkspace {
  const random = seededRandom(seed);
  const texts = new Map<string, string>();
  const functions: MadeFunction[] = [];
  let count = 0;
  for (let module = 0; count < lines; module++) {
    const folder = folders[module % folders.length]!;
    const path = `src/${folder}/${nouns[module % nouns.length]}-${module}.ts`;
    // What is near is imported more often than what is far.
    const near = functions.slice(-60);
    const imported = Array.from({ length: Math.min(4, functions.length) }, () =>
      pick(random() < 0.8 ? near : functions, random),
    );
    const own = moduleText(module, path, [...new Set(imported)], random);
    texts.set(path, own.text);
    functions.push(...own.functions);
    count += own.text.split("\n").length - 1;
  }
  const options = { strict: true, target: "es2022", module: "nodenext", moduleResolution: "nodenext", noEmit: true };
  texts.set("tsconfig.json", `${JSON.stringify({ compilerOptions: options, include: ["src"] }, undefined, 2)}\n`);
  texts.set("package.json", `${JSON.stringify({ name: "made", type: "module" })}\n`);
  return { texts, lines: count, functions };
}

/**
 * One module of about as many lines as requested, as {@link madeWorkspace} makes its own: the
 * content of many of them, in one file. The same for the same seed.
 */
export function madeLongModule(lines: number, seed = 1): { readonly path: string; readonly text: string } {
  const random = seededRandom(seed);
  const path = "src/long.ts";
  const parts: string[] = [];
  // Numbers that no module of a workspace has.
  for (let count = 0, module = 1_000_000; count < lines; module++) {
    const { text } = moduleText(module, path, [], random);
    parts.push(text);
    count += text.split("\n").length - 1;
  }
  return { path, text: parts.join("") };
}

function moduleText(
  module: number,
  path: string,
  imported: readonly MadeFunction[],
  random: () => number,
): { readonly text: string; readonly functions: readonly MadeFunction[] } {
  const noun = capital(nouns[module % nouns.length]!);
  const type = `${noun}${module}`;
  const fields = Array.from(
    { length: 4 + Math.floor(random() * 5) },
    (_, i) => `${pick(adjectives, random)}${noun}${i}`,
  );
  const lines = imported.map(({ name, path: from }) => `import { ${name} } from "${relative(path, from)}";`);
  if (lines.length > 0) lines.push("");
  lines.push(`/** What is known of one ${noun.toLowerCase()}. */`, `export interface ${type} {`);
  lines.push("  readonly id: string;", ...fields.map((field) => `  readonly ${field}: number;`), "}", "");
  const functions: MadeFunction[] = [];
  for (let i = 0; i < 12; i++) {
    const name = `${pick(verbs, random)}${type}${capital(pick(adjectives, random))}${i}`;
    functions.push({ name, path });
    lines.push(`/** Says how ${pick(adjectives, random)} it is. */`);
    lines.push(`export function ${name}(value: number, limit: number): number {`);
    const called = [...functions.slice(0, -1), ...imported];
    for (let statement = 0; statement < 2 + Math.floor(random() * 5); statement++) {
      const local = `${pick(adjectives, random)}${statement}`;
      const callee = called.length > 0 && random() < 0.8 ? pick(called, random).name : "Math.max";
      lines.push(`  const ${local} = ${callee}(value + ${Math.floor(random() * 100)}, limit);`);
      if (random() < 0.4)
        lines.push(
          `  if (${local} > limit) {`,
          `    console.log("${local} is over", limit);`,
          `    return ${local} - limit;`,
          "  }",
        );
      if (random() < 0.2)
        lines.push(`  for (const item of [${local}, value]) {`, "    if (item === limit) return item;", "  }");
    }
    lines.push("  return Math.min(value, limit);", "}", "");
  }
  lines.push(`export class ${type}Store {`, `  readonly #items = new Map<string, ${type}>();`, "");
  lines.push(`  add(item: ${type}): void {`, "    this.#items.set(item.id, item);", "  }", "");
  for (const field of fields) {
    lines.push(`  total${capital(field)}(limit: number): number {`, "    let total = 0;");
    lines.push(
      `    for (const item of this.#items.values()) total += ${pick(functions, random).name}(item.${field}, limit);`,
    );
    lines.push('    console.log("total", total);', "    return total;", "  }", "");
  }
  lines.push("}", "", `export const ${type.toLowerCase()}Table: readonly ${type}[] = [`);
  for (let row = 0; row < 10; row++) {
    const cells = fields.map((field) => `${field}: ${Math.floor(random() * 1000)}`);
    lines.push("  {", `    id: "${noun.toLowerCase()}-${row}",`, ...cells.map((cell) => `    ${cell},`), "  },");
  }
  lines.push("];", "");
  return { text: lines.join("\n"), functions };
}

function relative(from: string, to: string): string {
  const [, fromFolder] = from.split("/");
  const [, toFolder, name] = to.split("/");
  const file = name!.replace(/\.ts$/, ".js");
  return fromFolder === toFolder ? `./${file}` : `../${toFolder}/${file}`;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

const folders = "billing catalog shipping reports accounts search media queue".split(" ");
const nouns =
  "order invoice parcel ticket report account query image job price region basket label route stock refund".split(" ");
const verbs = "read load count merge rank limit sort check pick find close".split(" ");
const adjectives = "open late total known next largest first broken quiet spare daily local".split(" ");
