const number = /(\d+\.\d*|\.\d+|\d+)/.source;
const float = /(\d+(\.\d*)?[eE][+-]?\d+|\.\d+[eE][+-]?\d+|\d+\.\d*|\.\d+)/.source;
const anyNumber = `(${float}|\\d+)`;

/**
 * The terminals that Lark's library `common` gives, as regular expressions.
 *
 * Source: the documentation of lark-parser/lark, "Common terminals".
 */
export const commonLarkTerminals: ReadonlyMap<string, string> = new Map([
  ["DIGIT", "[0-9]"],
  ["HEXDIGIT", "[0-9a-fA-F]"],
  ["INT", "\\d+"],
  ["SIGNED_INT", "[+-]?\\d+"],
  ["DECIMAL", number.replace("|\\d+)", ")")],
  ["FLOAT", float],
  ["SIGNED_FLOAT", `[+-]?${float}`],
  ["NUMBER", anyNumber],
  ["SIGNED_NUMBER", `[+-]?${anyNumber}`],
  ["ESCAPED_STRING", '"([^"\\\\\\n]|\\\\.)*"'],
  ["LCASE_LETTER", "[a-z]"],
  ["UCASE_LETTER", "[A-Z]"],
  ["LETTER", "[A-Za-z]"],
  ["WORD", "[A-Za-z]+"],
  ["CNAME", "[A-Za-z_][A-Za-z0-9_]*"],
  ["WS_INLINE", "[ \\t]+"],
  ["WS", "[ \\t\\f\\r\\n]+"],
  ["CR", "\\r"],
  ["LF", "\\n"],
  ["NEWLINE", "(\\r?\\n)+"],
  ["SH_COMMENT", "#[^\\n]*"],
  ["CPP_COMMENT", "\\/\\/[^\\n]*"],
  ["C_COMMENT", "\\/\\*[^*]*\\*+([^*\\/][^*]*\\*+)*\\/"],
  ["SQL_COMMENT", "--[^\\n]*"],
]);
