import type { ScriptKind } from "../languages/index.ts";
import { movedBy } from "../text/index.ts";
import type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";

/** How the script parser reads a text. */
export interface ScriptGoal {
  readonly kind: ScriptKind;
  /** `unambiguous` is a module if the text has an import or export, and a script otherwise. */
  readonly source: "module" | "commonjs" | "unambiguous";
}

/**
 * A parser of JavaScript dialects that returns errors only. It never throws; `undefined` where the
 * text takes too long or nests too deeply.
 */
export type ScriptParser = (
  text: string,
  goal: ScriptGoal,
) => readonly SyntaxDiagnostic[] | Promise<readonly SyntaxDiagnostic[] | undefined>;

/**
 * The syntax errors of a script, with UTF-16 offsets in `text`, in the order of the parser.
 *
 * `.mjs` and `.mts` are parsed as modules, `.cjs` and `.cts` as CommonJS. For other names a text is
 * only wrong if it is wrong both ways, and the errors of the parse with fewer errors are returned.
 * A text that the parser can't read has no errors here.
 */
export async function scriptErrors(
  parse: ScriptParser,
  text: string,
  kind: ScriptKind,
  path: string,
): Promise<SyntaxDiagnostic[]> {
  // A byte order mark hides a `#!` line from the parser.
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const read = async (source: ScriptGoal["source"]) => parse(text.slice(mark), { kind, source });
  const named = scriptSourceOf(path);
  let problems = (await read(named ?? "unambiguous")) ?? [];
  if (problems.length > 0 && named === undefined) {
    const returns = mayReturnAtTop(text, kind) ? [] : problems.filter(({ message }) => isReturn.test(message));
    const other = [...((await read("commonjs")) ?? problems), ...returns];
    if (other.length < problems.length) problems = other;
  }
  return problems.map((problem) => movedBy(problem, mark));
}

/** The error for a `return` outside of a function, which CommonJS alone allows. */
const isReturn = /^A 'return' statement can only be used within/;

/**
 * Whether a script is for Node.js as CommonJS, by what it uses. TypeScript refuses it there, too.
 */
function mayReturnAtTop(text: string, kind: ScriptKind): boolean {
  if (kind !== "jsx" || /^(?:import|export)\b/m.test(text)) return false;
  return /^#!|\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/.test(text);
}

/**
 * Whether a file is a module or a CommonJS script by its name; `undefined` where its text decides.
 */
export function scriptSourceOf(path: string): "module" | "commonjs" | undefined {
  if (/\.m[jt]s$/i.test(path)) return "module";
  return /\.c[jt]s$/i.test(path) ? "commonjs" : undefined;
}
