import { withoutReasoning } from "../answers/index.ts";
import {
  type AnswerContent,
  detectFormat,
  type FencedCode,
  fencedCodeOf,
  type LineRangeEdit,
  type Normalization,
  tryReadPlainFile,
} from "../formats/index.ts";
import { allBlocks, type Block, type BlockWhat, blocksOf, type Syntax } from "../syntax/index.ts";
import { Lines } from "../text/index.ts";
import type { EditFile } from "./edit-request.ts";

/** The reading of an answer as new texts of definitions. */
export type DefinitionsReading =
  | { readonly kind: "content"; readonly content: AnswerContent }
  /** `message` is a sentence with the candidates. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * Reads an answer without marks of any format whose fenced code consists of definitions, such as
 * one function, as the new texts of those in the files.
 *
 * Each name that the code defines on its outermost level has to be defined exactly once on the
 * outermost level of all files together, and no member of the definition may be missing in the new
 * text. Imports that the file has already, and commands for a shell, are left out. Normalizations
 * report the reading. Returns
 * `undefined` where the answer has marks of a format, is plainly the text of the only file, or its
 * code defines nothing. Rejects with `EmendError` `grammar-unreadable` where a grammar cannot be
 * read.
 */
export async function tryReadDefinitions(
  answer: string,
  files: readonly EditFile[],
  syntax: Syntax,
): Promise<DefinitionsReading | undefined> {
  if (!mayHoldDefinitions(answer) || tryReadPlainFile(answer, files) !== undefined) return undefined;
  const operations: LineRangeEdit[] = [];
  const normalizations: Normalization[] = [];
  const names = new Set<string>();
  let other: FencedCode | undefined;
  for (const code of codeOf(answer)) {
    if (code.isShell) {
      const message = "Commands for a shell were left out.";
      normalizations.push({ kind: "fence", message, row: code.row, path: undefined });
      continue;
    }
    const places = await findPlaces(code, files, syntax);
    if (places.kind === "refused") return places;
    if (places.kind === "none") {
      other ??= code;
      continue;
    }
    for (const { definition, file, target } of places.found) {
      const { name } = definition.block;
      if (names.has(name)) return refused(`The answer defines \`${name}\` twice`);
      names.add(name);
      const operation = replacing({ code, definition, file, target });
      if (operation.kind === "refused") return operation;
      operations.push(operation);
      const what = `${target.what} \`${name}\` in ${file.path}, the only definition of that name`;
      const old = wordsAhead(target, file.text);
      const now = wordsAhead(definition.block, definition.text);
      // The last word is the keyword of the declaration, such as `function`, which is replaced and
      // not left out.
      const isReplaced = old.length > 0 && now.length > 0 && !now.at(-1)!.startsWith("@");
      const gone = (isReplaced ? old.slice(0, -1) : old).filter((word) => !now.includes(word));
      const without = gone.length === 0 ? "" : ` It leaves out ${gone.map((word) => `\`${word}\``).join(", ")}.`;
      const message = `The answer has the marks of no format. Its code was taken for the new text of ${what}.${without}`;
      normalizations.push({ kind: "marks", message, row: operation.row, path: file.path });
    }
    normalizations.push(...places.normalizations);
  }
  if (operations.length === 0) return undefined;
  if (other !== undefined) return refused(`The code in row ${other.row + 1} of the answer defines nothing`);
  return { kind: "content", content: { operations, declaresNoChange: false, normalizations, refusals: [] } };
}

/**
 * The names that the code of an answer defines, where it may be read by {@link tryReadDefinitions};
 * in any of the languages, by their ids. Rejects as that does.
 */
export async function namesDefinedIn(
  answer: string,
  languages: Iterable<string>,
  syntax: Syntax,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  if (!mayHoldDefinitions(answer)) return names;
  for (const language of languages) {
    for (const code of codeOf(answer).filter(({ isShell }) => !isShell)) {
      const read = await readCode(code, language, syntax);
      if (read.kind === "definitions") for (const { block } of read.definitions) names.add(block.name);
    }
  }
  return names;
}

/** Whether an answer has no marks, or only the path of a file with its code. */
function mayHoldDefinitions(answer: string): boolean {
  const found = detectFormat(answer);
  return found.kind === "unsure" && found.candidates.every((name) => name === "whole" || name === "elided");
}

function codeOf(answer: string): readonly FencedCode[] {
  return fencedCodeOf(withoutReasoning(answer)).filter(({ lines }) => lines.length > 0);
}

type NamedBlock = Block & { readonly name: string };

/** A definition in the code of an answer. */
interface Definition {
  readonly block: NamedBlock;
  readonly text: string;
}

interface FoundPlaces {
  readonly kind: "found";
  readonly found: readonly { readonly definition: Definition; readonly file: EditFile; readonly target: NamedBlock }[];
  readonly normalizations: readonly Normalization[];
}

/** Finds where the names of some code are defined; `none` where it defines none. */
async function findPlaces(
  code: FencedCode,
  files: readonly EditFile[],
  syntax: Syntax,
): Promise<FoundPlaces | { readonly kind: "none" } | Extract<DefinitionsReading, { kind: "refused" }>> {
  let reason: string | undefined;
  let isRead = false;
  const places = new Map<string, FoundPlaces["found"][number][]>();
  const nested: { readonly name: string; readonly place: string }[] = [];
  const normalizations: Normalization[] = [];
  for (const language of new Set(files.map((file) => file.language))) {
    const read = await readCode(code, language, syntax);
    if (read.kind === "other") {
      reason ??= read.reason;
      continue;
    }
    isRead ||= read.definitions.length > 0;
    for (const definition of read.definitions) {
      const { name } = definition.block;
      const known = places.get(name) ?? [];
      places.set(name, known);
      for (const file of files) {
        if (file.language !== language || !file.text.includes(name)) continue;
        const blocks = await parsed(file, syntax, (all) => all);
        for (const target of blocks.filter(isDefinition)) {
          if (target.name === name && isImplementation(target) === isImplementation(definition.block))
            known.push({ definition, file, target });
        }
        for (const one of allBlocks(blocks.flatMap(({ children }) => children))) {
          if (one.name === name && one.kind !== "statement")
            nested.push({ name, place: `${placeOf(file, one)} (nested)` });
        }
        const missing = read.imports.find((row) => !file.text.split(/\r?\n/).includes(row));
        if (known.at(-1)?.file === file && missing !== undefined)
          return refused(`The answer imports more than ${file.path} does: ${JSON.stringify(missing)}`);
      }
    }
    if (read.imports.length > 0) {
      const message = "Imports that the file has already were left out.";
      normalizations.push({ kind: "marks", message, row: code.row, path: undefined });
    }
  }
  if (!isRead) return reason === undefined ? { kind: "none" } : refused(reason);
  for (const [name, found] of places) {
    if (found.length === 1) continue;
    const inner = nested.flatMap((one) => (one.name === name ? [one.place] : []));
    const where = found.length === 0 ? inner : found.map(({ file, target }) => placeOf(file, target));
    const times = found.length === 0 ? "nowhere on the outermost level" : "in several places";
    return refused(
      `\`${name}\` is defined ${times} of the given files${where.length === 0 ? "" : `: ${where.join(", ")}`}`,
    );
  }
  return { kind: "found", found: [...places.values()].flat(), normalizations };
}

/** The definitions and imports of some code; or that it has other code too, with the reason. */
type CodeReading =
  | { readonly kind: "definitions"; readonly definitions: readonly Definition[]; readonly imports: readonly string[] }
  | { readonly kind: "other"; readonly reason: string | undefined };

async function readCode({ row, lines }: FencedCode, language: string, syntax: Syntax): Promise<CodeReading> {
  const text = `${lines.join("\n")}\n`;
  const [issue] = await syntax.syntaxErrors({ uri: "answer", language, text });
  return parsed({ language, text }, syntax, (blocks): CodeReading => {
    const definitions = blocks.filter(isDefinition);
    const imports = blocks.filter(({ what }) => what === "import");
    if (issue !== undefined) {
      const at = row + Lines.of(text).lineAt(issue.start) + 1;
      const cause = issue.message.replace(/[.]$/, "");
      const isPart = /^[ \t]/.test(lines[0] ?? "");
      const advice = isPart
        ? ". Its first line is indented, like a part of a class or function: the answer needs all of that, or a patch with the lines around it"
        : "";
      return {
        kind: "other",
        reason: `The code of the answer does not parse as ${language}: ${cause} (row ${at})${advice}`,
      };
    }
    if (definitions.length === 0) return { kind: "other", reason: undefined };
    const others = uncovered(text, [...definitions, ...imports]);
    if (others !== undefined)
      return { kind: "other", reason: `The code of the answer has more than definitions: ${JSON.stringify(others)}` };
    return {
      kind: "definitions",
      definitions: definitions.map((block) => ({ block, text })),
      imports: imports.flatMap(({ range }) => text.slice(range.start, range.end).split("\n")),
    };
  });
}

/** The first row with text in none of the blocks; `undefined` if there is none. */
function uncovered(text: string, blocks: readonly Block[]): string | undefined {
  let rest = text;
  for (const {
    fullRange: { start, end },
  } of blocks)
    rest = rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, " ") + rest.slice(end);
  return rest
    .split("\n")
    .map((row) => row.trim())
    .find((row) => row !== "" && row !== ";");
}

/** Reads the outermost blocks of a text; none where it cannot be parsed. */
async function parsed<Value>(
  document: Pick<EditFile, "language" | "text">,
  syntax: Syntax,
  read: (blocks: readonly Block[]) => Value,
): Promise<Value> {
  using tree = await syntax.parse(document);
  return read(tree === undefined ? [] : blocksOf(tree));
}

/** The blocks that define their names. */
const defining: ReadonlySet<BlockWhat> = new Set([
  ...(["function", "class", "interface", "implementation", "enum", "type", "namespace"] as const),
  ...(["variable", "macro", "method", "constructor"] as const),
]);

function isDefinition(block: Block): block is NamedBlock {
  return block.name !== undefined && defining.has(block.what);
}

/** An implementation, such as Rust's `impl`, has the name of its type. */
function isImplementation({ what }: Block): boolean {
  return what === "implementation";
}

/** The words in front of a definition's name, such as `export`, `async` and `@cached`. */
function wordsAhead({ range, nameRange = range }: Block, text: string): readonly string[] {
  return text.slice(range.start, nameRange.start).match(/@?[\w.]+/g) ?? [];
}

interface Replacement extends Omit<FoundPlaces["found"][number], "definition"> {
  readonly code: FencedCode;
  readonly definition: Definition;
}

/**
 * The operation that replaces a definition. Comments above it are kept, unless the new text has
 * some.
 */
function replacing({ code, definition: { block, text }, file, target }: Replacement) {
  const members = new Set(Array.from(allBlocks(block.children), ({ name }) => name));
  const isFunction = target.what === "function" || target.what === "method";
  const isLost = ({ kind, name }: Block) => name !== undefined && kind !== "statement" && !members.has(name);
  const lost = isFunction ? undefined : target.children.find(isLost);
  if (lost !== undefined) {
    const what = `\`${lost.name}\` of \`${target.name}\` (${placeOf(file, lost)})`;
    return refused(`The answer leaves out ${what}, which may stay or go`);
  }
  const hasComment = block.fullRange.start < block.range.start;
  const { start, end } = hasComment ? target.fullRange : target.range;
  const lines = Lines.of(file.text);
  const [first, last] = [lines.positionAt(start).line, lines.positionAt(end).line];
  const before = file.text.slice(lines.offsetAt({ line: first, column: 0 }), start);
  const after = /^.*/.exec(file.text.slice(end))![0];
  if (!/^\uFEFF?\s*$/.test(before) || !["", ";"].includes(after.trim()))
    return refused(`\`${target.name}\` shares its lines with other code (${placeOf(file, target)})`);
  const own = text.slice(hasComment ? block.fullRange.start : block.range.start, block.range.end);
  const above = text.slice(0, block.fullRange.start).split("\n").length - 1;
  const ending = after.includes(";") && !own.endsWith(";") ? ";" : "";
  return {
    kind: "lines",
    ...{ row: code.row + above, path: file.path, start: first, end: last + 1 },
    ...{ lines: `${own}${ending}`.split("\n"), anchors: [] },
  } as const;
}

function placeOf({ path, text }: EditFile, { nameRange, range }: Block): string {
  return `${path}:${Lines.of(text).positionAt((nameRange ?? range).start).line + 1}`;
}

function refused(message: string): Extract<DefinitionsReading, { kind: "refused" }> {
  return { kind: "refused", message: `${message}.` };
}
