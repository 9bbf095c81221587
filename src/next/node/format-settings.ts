import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Options } from "prettier";
import { isRecord } from "../../text/index.ts";
import type { CodeStyle } from "../layout/code-style.ts";

/** The options of Prettier that change how it prints code, beside those of a {@link CodeStyle}. */
const printOptions = [
  "quoteProps",
  "jsxSingleQuote",
  "objectWrap",
  "bracketSameLine",
  "singleAttributePerLine",
  "experimentalTernaries",
  "experimentalOperatorPosition",
] as const satisfies readonly (keyof Options)[];

/** The most bytes of a file of settings. */
const maxBytes = 100_000;

/** The extensions of files of settings whose text is an object or the name of a module. */
const objectOrModule: ReadonlySet<string> = new Set(["", ".json", ".json5", ".yaml", ".yml"]);

/**
 * Reads the style that Prettier's settings and `.editorconfig` give a file, which need not exist.
 * Prettier's settings decide all of the style, because its defaults apply to what they leave out;
 * `.editorconfig` alone decides indentation and width. Empty where neither is found or they are
 * broken.
 *
 * A file of settings that is code, or that names a module, is read only where the folder is
 * trusted, because reading it runs that code. `path` is absolute.
 */
export async function readFormatSettings(path: string, isTrusted: boolean): Promise<Partial<CodeStyle>> {
  try {
    const { resolveConfig, resolveConfigFile } = await import("prettier");
    const config = await resolveConfigFile(path);
    if (config !== null && !(await mayRead(config, isTrusted))) return {};
    const editorconfig = await areReadable(editorConfigsOf(path));
    const found = config === null ? {} : { config };
    const options = await resolveConfig(path, { ...found, editorconfig, useCache: false });
    return options === null ? {} : styleOf(options, config !== null);
  } catch {
    // The project's own formatter reports broken settings.
    return {};
  }
}

/**
 * Whether a file of Prettier's settings can be read, and without running code where not trusted.
 */
async function mayRead(path: string, isTrusted: boolean): Promise<boolean> {
  if (!(await areReadable([path]))) return false;
  if (isTrusted) return true;
  if (extname(path) === ".toml") return true;
  const text = await readFile(path, "utf8");
  if (basename(path) === "package.json") return isRecord(JSON.parse(text).prettier);
  return basename(path) !== "package.yaml" && objectOrModule.has(extname(path)) && isMapping(text);
}

/** Whether each path is a regular file of bounded size, or nothing. */
async function areReadable(paths: readonly string[]): Promise<boolean> {
  const all = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return all.every((one) => one === undefined || (one.isFile() && one.size <= maxBytes));
}

function editorConfigsOf(path: string): readonly string[] {
  const folders = [dirname(path)];
  for (let above = dirname(folders[0]!); above !== folders.at(-1); above = dirname(above)) folders.push(above);
  return folders.map((folder) => join(folder, ".editorconfig"));
}

/**
 * Whether a text of JSON or YAML is an object, if it can be read. Other texts may be the name of a
 * module.
 */
function isMapping(text: string): boolean {
  const first = text.split(/\r?\n/).find((line) => line.trim() !== "" && !/^\s*#|^---\s*$/.test(line));
  return first !== undefined && /^\s*\{|^(?:[A-Za-z]+|"[A-Za-z]+"):(\s|$)/.test(first);
}

function styleOf(options: Options, isWhole: boolean): Partial<CodeStyle> {
  const { useTabs = false, tabWidth = isWhole ? 2 : undefined, printWidth = isWhole ? 80 : undefined } = options;
  const style: Partial<CodeStyle> = {
    ...(printWidth !== undefined && { width: printWidth }),
    ...(useTabs ? { indent: "tab" } : tabWidth !== undefined && { indent: tabWidth }),
  };
  if (!isWhole) return style;
  const { semi = true, singleQuote = false, trailingComma = "all", arrowParens = "always" } = options;
  return {
    ...{ ...style, semicolons: semi, singleQuotes: singleQuote, trailingCommas: trailingComma },
    ...{ arrowParentheses: arrowParens === "always", bracketSpacing: options.bracketSpacing ?? true },
    options: Object.fromEntries(printOptions.flatMap((name) => (name in options ? [[name, options[name]]] : []))),
  };
}
