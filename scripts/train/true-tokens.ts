import { lexRulesOf } from "../../src/model/builtin/lex-rules.ts";
import { indentUnitOf, type Lexer } from "../../src/model/builtin/lexer.ts";
import { isNewline } from "../../src/model/builtin/token.ts";
import type { Vocabulary } from "../../src/model/builtin/vocabulary.ts";

/** A token by its text, since its id lives only as long as the token is counted. */
export interface TrueToken {
  readonly name: string;
  readonly kind: number;
  readonly gap: number;
  /** Its offset in the file. */
  readonly start: number;
}

/** The tokens of a whole file, line breaks left out. Nothing stays counted in the vocabulary. */
export function tokensOf(lexer: Lexer, vocabulary: Vocabulary, language: string, text: string): TrueToken[] {
  lexer.lex(text, lexRulesOf(language), indentUnitOf(text));
  const tokens: TrueToken[] = [];
  for (let i = 0; i < lexer.length; i++) {
    const token = lexer.tokens[i]!;
    const id = token >> 2;
    if (isNewline(id)) continue;
    const start = lexer.starts[i]!;
    tokens.push({ name: vocabulary.names[id]!, kind: vocabulary.kinds[id]!, gap: token & 3, start });
  }
  for (let i = 0; i < lexer.length; i++) vocabulary.release(lexer.tokens[i]! >> 2);
  return tokens;
}

/**
 * The tokens that `[start, end)` of the file touches, the one that begins before `start` included.
 */
export function tokensWithin(tokens: readonly TrueToken[], start: number, end: number): TrueToken[] {
  return tokens.filter((token) => token.start + token.name.length > start && token.start < end);
}
