import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ts } from "@ts-morph/common";
import { openSyntax } from "../../src/syntax/node/index.ts";
import type { JudgedGrammar } from "./real-files.ts";
import { askOxc, askTypeScript, type ScriptGrammar } from "./script-references.ts";

/** A text to judge, by the name of the file that it is in. */
export interface JudgedText {
  readonly path: string;
  readonly text: string;
}

/** What reference parsers say. */
export interface Judgement {
  /** Whether the text is whole to the reference. */
  readonly isWhole: boolean;
  /** Whether it is to the second parser, which scripts have. */
  readonly isWholeToOther?: boolean;
  /** Whether the reference misses nothing but that a tag is closed by its own name. */
  readonly lacksTagNames?: boolean;
}

/** The parser that a grammar is held to, and the one that is reported beside. */
export const references: Readonly<Record<JudgedGrammar, readonly [reference: string, other?: string]>> = {
  typescript: ["TypeScript", "oxc"],
  tsx: ["TypeScript", "oxc"],
  javascript: ["oxc", "TypeScript"],
  json: ["JSON.parse"],
  python: ["CPython"],
  go: ["tree-sitter"],
  java: ["tree-sitter"],
  rust: ["tree-sitter"],
  c: ["tree-sitter"],
  csharp: ["tree-sitter"],
};

/** Judges texts of one language by its reference, and scripts by the second parser, too. */
export async function judge(grammar: JudgedGrammar, texts: readonly JudgedText[]): Promise<Judgement[]> {
  switch (grammar) {
    case "json":
      return texts.map(({ text }) => ({ isWhole: isJson(text) }));
    case "python":
      return judgePython(texts);
    case "typescript":
    case "tsx":
    case "javascript":
      return texts.map((text) => judgeScript(grammar, text));
    default:
      return judgeByTree(grammar, texts);
  }
}

/** Whether the reference of a grammar is on this machine: CPython may lack. */
export function hasReference(grammar: JudgedGrammar): boolean {
  return grammar !== "python" || pythonVersion !== undefined;
}

/** The parsers that judge, with their versions. */
export function referenceVersions(): string {
  const [oxc, treeSitter] = ["oxc-parser", "web-tree-sitter"].map(versionOf);
  const python = pythonVersion ?? "no Python";
  return `TypeScript ${ts.version}, oxc ${oxc}, ${python}, JSON.parse of Node ${process.versions.node}, tree-sitter ${treeSitter}`;
}

function versionOf(packageName: string): string {
  const entry = createRequire(import.meta.url).resolve(packageName);
  const folder = entry.slice(0, entry.lastIndexOf(`/${packageName}/`) + packageName.length + 2);
  return (JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as { version: string }).version;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function judgeScript(grammar: ScriptGrammar, { path, text }: JudgedText): Judgement {
  const typescript = askTypeScript(path, text);
  const oxc = askOxc(grammar, path, text);
  const [reference, other] = grammar === "javascript" ? [oxc, typescript] : [typescript, oxc];
  return { ...reference, isWholeToOther: other.isWhole };
}

const pythonVersion = tryRun("python3", ["--version"])?.trim();

function tryRun(command: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, { stdio: ["ignore", "pipe", "ignore"] }).toString();
  } catch {
    return undefined;
  }
}

const pythonJudge = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def is_whole(text):
    try:
        ast.parse(text)
        return True
    except (SyntaxError, ValueError):
        return False
print(json.dumps([is_whole(text) for text in json.load(sys.stdin)]))
`;

function judgePython(texts: readonly JudgedText[]): Judgement[] {
  const input = JSON.stringify(texts.map(({ text }) => text));
  const answer = execFileSync("python3", ["-c", pythonJudge], { input, maxBuffer: 2 ** 30 });
  return (JSON.parse(answer.toString()) as boolean[]).map((isWhole) => ({ isWhole }));
}

/**
 * A tree without an error: the languages whose grammars are made from tree-sitter's have no parser
 * of their own here.
 */
async function judgeByTree(language: string, texts: readonly JudgedText[]): Promise<Judgement[]> {
  const syntax = openSyntax();
  try {
    const judgements: Judgement[] = [];
    for (const { text } of texts) {
      const tree = await syntax.parse({ language, text });
      judgements.push({ isWhole: tree?.hasError === false });
      tree?.[Symbol.dispose]();
    }
    return judgements;
  } finally {
    syntax[Symbol.dispose]();
  }
}
