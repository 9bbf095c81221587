import type { TextRange } from "../../text/index.ts";
import type { BlockPart } from "./code-block.ts";
import { assignmentSign, commaList, insideBrackets, type ListRules } from "./comma-list.ts";
import type { LanguageTraits } from "./language-traits.ts";

/**
 * The parameters in the brackets that follow at `start`, after the name of a function, up to `end`;
 * empty if no brackets follow. White space and type parameters in front of the brackets are
 * skipped; pieces without a name are left out.
 */
export function treeParameters(text: string, { start: from, end }: TextRange, traits: LanguageTraits): BlockPart[] {
  // Type parameters come between the name and the list.
  const open = /^\s*(?:(?:<[^()]*>|\[[^()]*\])\s*)?\(/.exec(text.slice(from, end))?.[0].length;
  if (open === undefined) return [];
  const list = insideBrackets(text, from + open - 1, traits.quotes);
  return commaList(text, list, traits).flatMap((range) => {
    const name = parameterName(text.slice(range.start, range.end), traits.typeFirst === true);
    return name === undefined ? [] : [{ kind: "parameter", name, range }];
  });
}

/** `a: int = 3`, `**kw`, `ref List<int> a = null`, `a, b int` (Go, each by itself), `$a = 1`. */
function parameterName(piece: string, typeFirst: boolean): string | undefined {
  const sign = assignmentSign(piece, { start: 0, end: piece.length }, { angles: typeFirst });
  const declared = piece.slice(0, sign ?? piece.length).trimEnd();
  const marked = /\$\w+/.exec(declared)?.[0];
  if (marked !== undefined) return marked;
  if (typeFirst) return /(?<!\p{ID_Continue})[\p{ID_Start}_@]\p{ID_Continue}*(?=(\[\])*$)/u.exec(declared)?.[0];
  return /[\p{ID_Start}_$][\p{ID_Continue}]*/u.exec(declared.replace(/^(&?\s*'\w+\s+)?&?\s*(mut\s+)?/, ""))?.[0];
}

/**
 * The names that a statement declares in `range`, which begins at the first name: `a = 1, b`
 * declares two. Pieces between commas that don't begin with a name are left out.
 */
export function declaredParts(text: string, range: TextRange, rules: ListRules): BlockPart[] {
  return commaList(text, range, rules).flatMap((piece) => {
    const name = /^[\p{ID_Start}_$][\p{ID_Continue}]*/u.exec(text.slice(piece.start, piece.end))?.[0];
    return name === undefined ? [] : [{ kind: "member", name, range: piece }];
  });
}

/**
 * The names that an import takes: Python's names, Go's paths, the last names in the braces of a
 * Rust `use`. Empty for languages without such lists.
 */
export function treeImportParts(
  text: string,
  range: TextRange,
  { importPath, importList }: Pick<LanguageTraits, "importPath" | "importList">,
): BlockPart[] {
  const source = text.slice(range.start, range.end);
  if (importPath !== undefined) {
    return [...source.matchAll(importPath)].map((match) =>
      imported(match[1]!, range.start + match.index, match[0].length),
    );
  }
  const head = importList?.exec(source);
  if (head == null) return [];
  const inner = source.slice(head[0].length).replace(/(?<![)};\s])[)};\s]+$/, "");
  const start = range.start + head[0].length;
  return commaList(text, { start, end: start + inner.length }, {}).flatMap((piece) => {
    const name = /^[\p{ID_Start}_*][\p{ID_Continue}.:]*/u.exec(text.slice(piece.start, piece.end))?.[0];
    return name === undefined ? [] : [imported(name, piece.start, piece.end - piece.start)];
  });
}

function imported(name: string, start: number, length: number): BlockPart {
  return { kind: "imported", name, range: { start, end: start + length } };
}
