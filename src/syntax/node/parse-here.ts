import { type ParseResult, type ParserOptions, parseSync, Visitor } from "oxc-parser";
import type { ScriptGoal } from "../script-errors.ts";
import type { SyntaxDiagnostic } from "../syntax-diagnostic.ts";

/**
 * Parses a script with `oxc-parser` in this process, and returns its errors in the order of the
 * parser; empty for a valid text. Its offsets are UTF-16 already. An error without a place is at
 * the first character.
 *
 * Of the errors that need more than the grammar, only a `break` or `continue` without its loop
 * counts, and an import or export in a block. The tree is copied to JavaScript only where the text
 * may have one of these.
 */
export function parseHere(text: string, { kind, source }: ScriptGoal): readonly SyntaxDiagnostic[] {
  const parse = (options: ParserOptions) =>
    parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source, ...options });
  // They are found in another pass over the tree, with others that do not count.
  const showSemanticErrors = /\b(?:break|continue)\b/.test(text);
  const parsed = parse({ showSemanticErrors });
  let errors = seriousErrors(parsed);
  if (showSemanticErrors && errors.length > 0) {
    const ofGrammar = seriousErrors(parse({}));
    errors =
      ofGrammar.length > 0 ? ofGrammar : errors.filter(({ message }) => /^Illegal (?:break|continue)\b/.test(message));
  }
  if (errors.length === 0 && mayHaveModuleItemInBlock.test(text)) return moduleItemsInBlocks(parsed);
  return errors.map(({ message, labels: [at] }) => ({
    code: codeOf(message),
    message,
    start: at?.start ?? 0,
    end: at?.end ?? Math.min(1, text.length),
  }));
}

function seriousErrors({ errors }: ParseResult) {
  return errors.filter(({ severity }) => severity === "Error");
}

function codeOf(message: string): SyntaxDiagnostic["code"] {
  if (/^(?:A '(?:return|yield)'|`await` is only|Illegal (?:break|continue))/.test(message)) return "misplaced";
  if (/^(Unexpected|Invalid Character|File appears)/.test(message)) return "unexpected";
  return /^(Expected|Missing|Unterminated)/.test(message) ? "missing" : "invalid";
}

/** An `import` or `export` that is not at the start of a line. */
const mayHaveModuleItemInBlock = /(?:^[ \t]+|[{};][ \t]*)(?:import\b(?![ \t]*[(.])|export\b)/m;

/**
 * Imports and exports that are neither at the top of a script nor of a module or namespace in it.
 */
function moduleItemsInBlocks({ program }: ParseResult): readonly SyntaxDiagnostic[] {
  const allowed = new Set<object>(program.body);
  const found: SyntaxDiagnostic[] = [];
  const check = (word: "import" | "export") => (node: { readonly start: number; readonly end: number }) => {
    const message = `"${word}" is only allowed at the top of a module`;
    if (!allowed.has(node)) found.push({ code: "misplaced", message, start: node.start, end: node.end });
  };
  const visitor = new Visitor({
    TSModuleBlock: ({ body }) => {
      for (const item of body) allowed.add(item);
    },
    ...{ ImportDeclaration: check("import"), TSImportEqualsDeclaration: check("import") },
    ...{ ExportNamedDeclaration: check("export"), ExportDefaultDeclaration: check("export") },
    ...{ ExportAllDeclaration: check("export"), TSExportAssignment: check("export") },
  });
  visitor.visit(program);
  return found;
}
