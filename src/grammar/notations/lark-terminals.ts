const number = /([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)/.source;
const float = /([0-9]+(\.[0-9]*)?[eE][+-]?[0-9]+|\.[0-9]+[eE][+-]?[0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)/.source;
const anyNumber = `(${float}|[0-9]+)`;

/**
 * The terminals that Lark's library `common` gives, as regular expressions.
 *
 * Source: the documentation of lark-parser/lark, "Common terminals".
 */
export const commonLarkTerminals: ReadonlyMap<string, string> = new Map([
  ["DIGIT", "[0-9]"],
  ["HEXDIGIT", "[0-9a-fA-F]"],
  ["INT", "[0-9]+"],
  ["SIGNED_INT", "[+-]?[0-9]+"],
  ["DECIMAL", number.replace("|[0-9]+)", ")")],
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
