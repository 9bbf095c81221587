import type { BlockRow, BlockWhat } from "../block-table.ts";
import type { StringRule } from "../language.ts";

export const double: StringRule = { open: '"', close: '"', escape: "backslash", multiline: false };
export const single: StringRule = { open: "'", close: "'", escape: "backslash", multiline: false };
export const tripleDouble: StringRule = { open: '"""', close: '"""', escape: "backslash", multiline: true };
export const tripleSingle: StringRule = { open: "'''", close: "'''", escape: "backslash", multiline: true };
export const backticks: StringRule = { open: "`", close: "`", escape: "none", multiline: true };
export const doubledSingle: StringRule = { open: "'", close: "'", escape: "doubled", multiline: true };
export const doubledDouble: StringRule = { open: '"', close: '"', escape: "doubled", multiline: true };
/** A literal with code in it, as in JavaScript. */
export const template: StringRule = { ...backticks, escape: "backslash", interpolation: [["${", "}"]] };
/** The literal of a character in C, after the prefix of its encoding. */
export const prefixedSingle: StringRule = { ...single, after: /^(u8|[uUL])?$/ };

/** The literal of one character, where a quote may also begin something else. */
export const quotedCharacter = ["'", /'(?:\\[^\n]{1,10}?|[^'\\\n])'/u] as const;

export const slashes = { lineComments: ["//"], blockComments: [["/*", "*/"]] } as const;
export const hash = { lineComments: ["#"] } as const;
export const angles = { lineComments: [], blockComments: [["<!--", "-->"]] } as const;

/** Blocks of statements, by the names that most grammars have for them. */
export const statements: Readonly<Record<string, BlockWhat | BlockRow>> = {
  if_statement: { what: "if", body: ["consequence"] },
  for_statement: "loop",
  while_statement: "loop",
  do_statement: "loop",
  switch_statement: "switch",
  try_statement: "try",
  return_statement: "return",
  throw_statement: "throw",
  break_statement: "jump",
  continue_statement: "jump",
};
