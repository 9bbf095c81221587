import { execFileSync } from "node:child_process";
import { ts } from "@ts-morph/common";
import { parseSync } from "oxc-parser";
import type { JudgedGrammar } from "./real-files.ts";

/** A text to judge, by the name of the file that it is in. */
export interface JudgedText {
  readonly path: string;
  readonly text: string;
}

/** What reference parsers say. */
export interface Judgement {
  /** Whether the text is whole: by TypeScript for scripts, by `JSON.parse`, and by CPython's `ast.parse`. */
  readonly isWhole: boolean;
  /** Whether oxc says so too, for scripts. */
  readonly isWholeToOxc?: boolean;
  /** Whether TypeScript misses nothing but that a tag is closed by its own name, which is beyond any grammar. */
  readonly lacksTagNames?: boolean;
}

/** Judges texts of one language by its reference parser. */
export function judge(grammar: JudgedGrammar, texts: readonly JudgedText[]): Judgement[] {
  switch (grammar) {
    case "json":
      return texts.map(({ text }) => ({ isWhole: isJson(text) }));
    case "python":
      return judgePython(texts);
    default:
      return texts.map((text) => ({ ...judgeScript(text), isWholeToOxc: isWholeToOxc(grammar, text) }));
  }
}

/** Which parsers judge here, with their versions. */
export function referenceVersions(): string {
  const python = execFileSync("python3", ["--version"]).toString().trim();
  return `TypeScript ${ts.version}, ${python}, JSON of Node ${process.versions.node}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const options = {
  noLib: true,
  noResolve: true,
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.Latest,
};

/** "Expected corresponding JSX closing tag for …" and "JSX element … has no corresponding closing tag". */
const tagNameCodes: readonly number[] = [17002, 17008];

/** What the parser of TypeScript reports; in JavaScript also types, which it reads but does not allow. */
function judgeScript({ path, text }: JudgedText): Judgement {
  const file = `/text${/(\.d)?\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? ".ts"}`;
  const source = ts.createSourceFile(file, text, { languageVersion: options.target });
  const { parseDiagnostics } = source as ts.SourceFile & { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  if (parseDiagnostics.length > 0) {
    return { isWhole: false, lacksTagNames: parseDiagnostics.every(({ code }) => tagNameCodes.includes(code)) };
  }
  if (!/\.[cm]?jsx?$/.test(file)) return { isWhole: true };
  const host: ts.CompilerHost = {
    fileExists: (name) => name === file,
    readFile: () => undefined,
    getSourceFile: (name) => (name === file ? source : undefined),
    getDefaultLibFileName: () => "lib.d.ts",
    writeFile: () => {},
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
  return { isWhole: ts.createProgram([file], options, host).getSyntacticDiagnostics(source).length === 0 };
}

function isWholeToOxc(grammar: JudgedGrammar, { path, text }: JudgedText): boolean {
  const lang = /\.d\.[cm]?ts$/.test(path) ? "dts" : grammar === "typescript" ? "ts" : grammar === "tsx" ? "tsx" : "jsx";
  return (["module", "script"] as const).some((sourceType) => {
    // TypeScript and our grammars hear the mark at the start as no part of the text.
    const { errors } = parseSync(`text.${lang}`, text.replace(/^\ufeff/, ""), { lang, sourceType });
    return !errors.some(({ severity }) => severity === "Error");
  });
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
