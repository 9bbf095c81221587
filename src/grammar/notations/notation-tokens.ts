import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { SourcePlace } from "../tables/grammar-source.ts";

/** A token of a grammar's text. */
export interface NotationToken {
  readonly kind: "name" | "text" | "pattern" | "mark";
  /** The name or mark itself; the value of a quoted text; the source between the slashes. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** The included file; absent for the grammar's own text. */
  readonly file?: string;
}

/** The position of a token, as the fields of an issue. Line and column count from 0. */
export function placeOf({ line, column, file }: NotationToken): Pick<GrammarIssue, "line" | "column" | "file"> {
  return { line, column, ...(file === undefined ? {} : { file }) };
}

/** The line of a token, from 0, as the place of a declaration. */
export function lineOf({ line, file }: NotationToken): SourcePlace {
  return { line, ...(file === undefined ? {} : { file }) };
}

const pieces = new RegExp(
  [
    /(?<space>[ \t\r\u00a0]+|#.*)/u,
    /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
    /"(?<text>(?:[^"\\]|\\.)*)"/u,
    /\/(?<pattern>(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\//u,
    /(?<mark>\|=|[=|()?*+<>,%-])/u,
  ]
    .map((piece) => piece.source)
    .join("|"),
  "uy",
);

/**
 * Splits a grammar's text into tokens, one list for each declaration. A declaration starts at the
 * left margin and includes the indented lines below it. `file`: the name that the text is included
 * by. Does not throw: the rest of a line that can't be read is left out, and an error is added to
 * `issues`.
 */
export function readNotation(text: string, issues: GrammarIssue[], file?: string): NotationToken[][] {
  const declarations: NotationToken[][] = [];
  for (const [line, content] of text
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    let column = 0;
    while (column < content.length) {
      const place = { line, column, ...(file === undefined ? {} : { file }) };
      pieces.lastIndex = column;
      const found = pieces.exec(content);
      if (found === null) {
        issues.push({ code: "syntax", severity: "error", ...place, message: whyUnreadable(content.slice(column)) });
        break;
      }
      const token = toToken(found.groups!, place, issues);
      if (token !== undefined) {
        if (column === 0) declarations.push([]);
        if (declarations.length === 0) {
          const message = `Start the first declaration at the left margin, not at column ${column + 1}.`;
          issues.push({ code: "syntax", severity: "error", ...place, message });
          declarations.push([]);
        }
        declarations.at(-1)!.push(token);
      }
      column = pieces.lastIndex;
    }
  }
  return declarations;
}

function whyUnreadable(rest: string): string {
  if (rest.startsWith('"')) return `Close the text that begins with ${rest.slice(0, 12)} by a quote on the same line.`;
  if (rest.startsWith("/"))
    return `Close the pattern that begins with ${rest.slice(0, 12)} by a slash on the same line.`;
  return `The notation knows no ${JSON.stringify(String.fromCodePoint(rest.codePointAt(0)!))}; text goes in double quotes.`;
}

type Place = Omit<NotationToken, "kind" | "text">;

function toToken(
  { name, text, pattern, mark }: Record<string, string | undefined>,
  place: Place,
  issues: GrammarIssue[],
): NotationToken | undefined {
  if (name !== undefined) return { kind: "name", text: name, ...place };
  if (pattern !== undefined) return { kind: "pattern", text: pattern, ...place };
  if (mark !== undefined) return { kind: "mark", text: mark, ...place };
  if (text !== undefined) return { kind: "text", text: toPlainText(text, place, issues), ...place };
  return undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", '"': '"' };

function toPlainText(text: string, place: Place, issues: GrammarIssue[]): string {
  return text.replace(/\\(u\{([0-9a-fA-F]{1,6})\}|.)/gu, (whole, escaped: string, digits: string | undefined) => {
    const codePoint = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
    const isCharacter = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
    const character = isCharacter ? String.fromCodePoint(codePoint) : escapes[escaped];
    if (character !== undefined) return character;
    const message = `Text knows the escapes \\" \\\\ \\n \\t \\r and \\u{…} with a character's number, not ${whole}.`;
    issues.push({ code: "syntax", severity: "error", ...place, message });
    return whole;
  });
}
