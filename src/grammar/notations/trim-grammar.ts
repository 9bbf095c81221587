import { literalsIn, symbolsIn } from "../tables/expression-parts.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";

/** A grammar without what it never uses. */
export interface TrimmedGrammar {
  readonly grammar: GrammarSource;
  /** Names that stand for nothing, where a rule that is used asks for them. */
  readonly unknown: readonly string[];
}

/**
 * Leaves out the rules that no text can have, and the tokens and conditions that no rule asks for.
 */
export function trimGrammar(source: GrammarSource): TrimmedGrammar {
  const { lexical } = source;
  const rules = new Map(source.rules.map((rule) => [rule.name, rule]));
  const layout = lexical.layout;
  const known = new Set([
    ...lexical.tokens.map(({ name }) => name),
    ...lexical.virtuals.map(({ name }) => name),
    ...(layout === undefined ? [] : [layout.newline, layout.indent, layout.dedent]),
  ]);
  const used = new Set<string>([source.start]);
  const literals = new Set<string>();
  // The set grows while it is walked.
  for (const name of used) {
    const rule = rules.get(name);
    if (rule === undefined) continue;
    for (const symbol of symbolsIn(rule.expression)) used.add(symbol);
    for (const text of literalsIn(rule.expression)) literals.add(text);
  }
  const tokens = lexical.tokens.filter(
    ({ name, kind, splitsInto }) =>
      kind !== "token" || used.has(name) || name === lexical.word || splitsInto !== undefined,
  );
  const names = new Set(tokens.map(({ name }) => name));
  const isThere = (member: string | { readonly literal: string }) =>
    typeof member === "string" ? names.has(member) || member === "end" : literals.has(member.literal);
  return {
    grammar: {
      ...source,
      rules: source.rules.filter(({ name }) => used.has(name)),
      lexical: {
        ...lexical,
        tokens,
        modes: lexical.modes.map((mode) => ({ ...mode, members: mode.members.filter(isThere) })),
        virtuals: lexical.virtuals.filter(({ name }) => used.has(name)),
      },
    },
    unknown: [...used].filter((name) => !rules.has(name) && !known.has(name)),
  };
}
