import type { Language, LanguageRow, Pair, ScriptKind } from "./language.ts";
import { c } from "./records/c.ts";
import { cpp } from "./records/cpp.ts";
import { csharp } from "./records/csharp.ts";
import { css, less, scss } from "./records/css.ts";
import { go } from "./records/go.ts";
import { html } from "./records/html.ts";
import { java } from "./records/java.ts";
import { javascript, javascriptreact } from "./records/javascript.ts";
import { json, jsonc } from "./records/json.ts";
import { php } from "./records/php.ts";
import { python } from "./records/python.ts";
import { ruby } from "./records/ruby.ts";
import { rust } from "./records/rust.ts";
import { scanned } from "./records/scanned.ts";
import { shellscript } from "./records/shellscript.ts";
import { double, single } from "./records/spellings.ts";
import { typescript, typescriptreact } from "./records/typescript.ts";

const parentheses: Pair = ["(", ")"];
const squares: Pair = ["[", "]"];
const braces: Pair = ["{", "}"];

const records: readonly LanguageRow[] = [
  ...[typescript, typescriptreact, javascript, javascriptreact, python, go, rust, java, c, cpp, csharp],
  ...[ruby, php, json, jsonc, shellscript, html, css, scss, less, ...scanned],
];

/**
 * All known languages. To add one, write its record in `records` and list it here.
 *
 * Ids follow VS Code's list of known language identifiers
 * (https://code.visualstudio.com/docs/languages/identifiers). Where two records have one extension,
 * the later one wins.
 */
export const languages: readonly Language[] = records.map((record) => ({
  extensions: [],
  filenames: [],
  lineComments: [],
  blockComments: [],
  nestedComments: false,
  strings: [double, single],
  brackets: [parentheses, squares, braces],
  indentationSensitive: false,
  quirks: {},
  isProse: false,
  isComponent: false,
  checksLayout: false,
  traits: {},
  ...record,
}));

const byId = new Map<string, Language>();
const byFilename = new Map<string, Language>();
const byExtension = new Map<string, Language>();
for (const language of languages) {
  byId.set(language.id, language);
  for (const filename of language.filenames) byFilename.set(filename, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
}

/** The language of a text that no other language matches. */
export const plaintext: Language = byId.get("plaintext")!;

/**
 * The language with this id of VS Code's list, such as `typescriptreact`; `undefined` for an
 * unknown one. Case matters.
 */
export function languageById(id: string): Language | undefined {
  return byId.get(id);
}

/** Whether the files of a language are scripts, or components with scripts in their tags. */
export function hasScripts(id: string): boolean {
  const language = byId.get(id);
  return language !== undefined && (language.script !== undefined || language.isComponent);
}

/**
 * The language of the file at `path`: by its whole name, then by its longest known extension, then
 * by `firstLine`, the first line of its text. Case does not matter in names.
 *
 * `path` may be a path of any system or a URI. Returns {@link plaintext} when nothing matches. `.h`
 * is C, since C++ has extensions of its own for headers.
 */
export function languageOf(path: string, firstLine = ""): Language {
  const name = fileName(path);
  const named = byFilename.get(name);
  if (named !== undefined) return named;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const language = byExtension.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  if (firstLine === "") return plaintext;
  return languages.find((language) => language.firstLine?.test(firstLine)) ?? plaintext;
}

/**
 * The dialect in which the script parser reads the file at `path`; `undefined` where `language` is
 * no dialect of JavaScript.
 *
 * A declaration file of TypeScript is recognized by its name only: `.d.ts`, `.d.mts`, `.d.cts` and
 * `.d.css.ts` and similar. Any other name has the dialect of `language`.
 */
export function scriptKindOf(language: Language, path: string): ScriptKind | undefined {
  if (language.script === "ts" && /\.d(\.[^.]+)?\.ts$|\.d\.[mc]ts$/.test(fileName(path))) return "dts";
  return language.script;
}

function fileName(path: string): string {
  const plain = /^[a-z][a-z0-9+.-]+:/i.test(path) ? path.split(/[?#]/, 1)[0]! : path;
  return plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1).toLowerCase();
}
