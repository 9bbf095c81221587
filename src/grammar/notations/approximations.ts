import { anyCharacter } from "../lexing/character-set.ts";
import { choiceOf, sequenceOf } from "../lexing/parse-pattern.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { patternsOverlap, withoutEmpty } from "../lexing/pattern-language.ts";
import { literalsIn, symbolsIn } from "../tables/expressions.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { GrammarSource, TokenRule } from "../tables/grammar-source.ts";

/** A grammar as text in another notation, and what that notation can't express. */
export interface WrittenGrammar {
  readonly text: string;
  /**
   * Warnings. The text accepts a superset of the language, unless a warning reports that it also
   * refuses something.
   */
  readonly issues: readonly GrammarIssue[];
}

/**
 * Warnings about what a notation can't express of `source`; `lexes`: whether the notation has
 * tokens. Empty where it can express all.
 */
export function approximationsOf(source: GrammarSource, lexes: boolean): GrammarIssue[] {
  const { rules, lexical, same = [] } = source;
  const literals = new Set(rules.flatMap(({ expression }) => [...literalsIn(expression)]));
  const tokens = lexical.tokens.filter(({ kind }) => kind === "token");
  const isLong = (token: TokenRule) => longest(token.pattern) > 1;
  const issues: GrammarIssue[] = [];
  const warn = (code: string, message: string) => issues.push({ code, severity: "warning", message });
  const names = (values: readonly { readonly name: string }[]) => values.map(({ name }) => name).join(", ");
  if (lexical.layout !== undefined) {
    warn("layout", "Lines and indentation mean nothing there: any white space may stand for them.");
  }
  if (lexical.virtuals.length > 0) {
    warn("conditions", `What must stand beside other text is not said there: ${names(lexical.virtuals)}.`);
  }
  if (lexical.modes.length > 1 && lexes) {
    const modes = lexical.modes.map(({ name }) => name).join(", ");
    warn(
      "modes",
      `All tokens are looked for everywhere there, and a longer one may hide another: ${modes} are not known.`,
    );
  }
  if (lexical.word !== undefined && lexical.reserved.length > 0) {
    warn("keywords", `Keywords are words there too: ${lexical.word} takes ${lexical.reserved.join(", ")}.`);
  }
  if (!lexes && (tokens.some(isLong) || [...literals].some((text) => text.length > 1))) {
    warn("longest-match", "There a token may end early, so that two may stand side by side that are read as one here.");
  }
  if (same.length > 0) warn("same", `What must be written the same is not held to that there: ${names(same)}.`);
  const never = hidingTokens(source);
  if (never.length > 0) warn("never", `Nothing is refused there for beginning like ${names(never)}.`);
  return issues;
}

/**
 * The tokens that no rule takes and that hide others: a text of theirs may begin like a lexeme that
 * a rule takes, or like trivia.
 */
function hidingTokens({ rules, lexical }: GrammarSource): readonly TokenRule[] {
  const symbols = new Set(rules.flatMap(({ expression }) => [...symbolsIn(expression)]));
  const isUnused = ({ name, kind, splitsInto }: TokenRule) =>
    kind === "never" || (kind === "token" && splitsInto === undefined && !symbols.has(name));
  const unused = lexical.tokens.filter(isUnused);
  if (unused.length === 0) return [];
  const literals = rules.flatMap(({ expression }) => [...literalsIn(expression)]);
  const lexemes = choiceOf([
    ...literals.map((text): Pattern => ({ kind: "text", text })),
    ...lexical.tokens.flatMap((token) => (isUnused(token) ? [] : (withoutEmpty(token.pattern) ?? []))),
  ]);
  const character: Pattern = { kind: "characters", set: anyCharacter };
  const anything: Pattern = { kind: "repeat", item: character, min: 0, max: Number.POSITIVE_INFINITY };
  const longer = sequenceOf([lexemes, anything]);
  return unused.filter(({ pattern }) => patternsOverlap(pattern, longer));
}

/** The length of the longest text that a pattern matches, in characters. */
function longest(pattern: Pattern): number {
  switch (pattern.kind) {
    case "characters":
      return 1;
    case "text":
      return Array.from(pattern.text).length;
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + longest(item), 0);
    case "choice":
      return Math.max(0, ...pattern.items.map(longest));
    case "repeat":
      return pattern.max === 0 ? 0 : longest(pattern.item) * pattern.max;
  }
}
