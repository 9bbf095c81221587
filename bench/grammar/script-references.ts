import { ts } from "@ts-morph/common";
import { parseSync } from "oxc-parser";

/** The verdict of one parser on a script. */
export interface ScriptVerdict {
  readonly isWhole: boolean;
  /** Whether it misses nothing but that each tag is closed by its own name. */
  readonly lacksTagNames: boolean;
}

/** What is read: JavaScript with JSX, TypeScript, or TypeScript with JSX. */
export type ScriptGrammar = "javascript" | "typescript" | "tsx";

const options = {
  noLib: true,
  noResolve: true,
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.Latest,
};

/**
 * "Expected corresponding JSX closing tag for …" and "JSX element … has no corresponding closing
 * tag".
 */
const tagNameCodes: readonly number[] = [17002, 17008];

/**
 * What the parser of TypeScript reports; in JavaScript also types, which it reads but does not
 * allow.
 */
export function askTypeScript(path: string, text: string): ScriptVerdict {
  const file = `/text${/(\.d)?\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? ".ts"}`;
  const source = ts.createSourceFile(file, text, { languageVersion: options.target });
  const { parseDiagnostics } = source as ts.SourceFile & { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  if (parseDiagnostics.length > 0) {
    return { isWhole: false, lacksTagNames: parseDiagnostics.every(({ code }) => tagNameCodes.includes(code)) };
  }
  if (!/\.[cm]?jsx?$/.test(file)) return { isWhole: true, lacksTagNames: false };
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
  const errors = ts.createProgram([file], options, host).getSyntacticDiagnostics(source);
  return { isWhole: errors.length === 0, lacksTagNames: false };
}

/**
 * What oxc reports in the reading that suits it best: as a module, as a script, or as CommonJS, in
 * which `return` may stand anywhere.
 */
export function askOxc(grammar: ScriptGrammar, path: string, text: string): ScriptVerdict {
  const lang = grammar === "javascript" ? "jsx" : /\.d\.[cm]?ts$/.test(path) ? "dts" : grammar === "tsx" ? "tsx" : "ts";
  // TypeScript and our grammars read the mark at the start as no part of the text.
  const bare = text.replace(/^\ufeff/, "");
  const readings = (["module", "script", "commonjs"] as const).map((sourceType) =>
    parseSync(`text.${lang}`, bare, { lang, sourceType }).errors.filter(({ severity }) => severity === "Error"),
  );
  return {
    isWhole: readings.some((errors) => errors.length === 0),
    lacksTagNames: readings.some(
      (errors) => errors.length > 0 && errors.every(({ message }) => message.includes("JSX closing tag")),
    ),
  };
}
