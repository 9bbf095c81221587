import type { Pattern } from "../lexing/pattern.ts";
import { patternsOverlap } from "../lexing/pattern-language.ts";
import { literalsIn } from "../tables/expression-parts.ts";
import type { ModeRule, Rule, TokenRule } from "../tables/grammar-source.ts";

type Member = ModeRule["members"][number];

/**
 * Modes in which no two tokens match the same text, so that each is read wherever the parser can
 * take it.
 *
 * Trivia are in all of them. None where there is nothing to keep apart. Keywords and `word`, which
 * they look like, are read both ways within one mode.
 */
export function modesApart(rules: readonly Rule[], tokens: readonly TokenRule[], word?: string): ModeRule[] {
  const trivia = tokens.filter(({ kind }) => kind !== "token");
  const lexemes = [
    ...[...new Set(rules.flatMap(({ expression }) => [...literalsIn(expression)]))].map((text) => ({
      member: { literal: text } as Member,
      pattern: { kind: "text", text } as Pattern,
    })),
    ...tokens.filter(({ kind }) => kind === "token").map(({ name, pattern }) => ({ member: name as Member, pattern })),
  ];
  const isKeyword = (a: (typeof lexemes)[number], b: (typeof lexemes)[number]) =>
    (a.member === word && typeof b.member !== "string") || (b.member === word && typeof a.member !== "string");
  const groups: (typeof lexemes)[] = [];
  const free: typeof lexemes = [];
  const clash = new Map(
    lexemes.map((lexeme) => [
      lexeme,
      lexemes.filter(
        (other) => other !== lexeme && !isKeyword(lexeme, other) && patternsOverlap(lexeme.pattern, other.pattern),
      ),
    ]),
  );
  for (const lexeme of lexemes) {
    const others = clash.get(lexeme)!;
    if (others.length === 0) {
      free.push(lexeme);
      continue;
    }
    const group = groups.find((each) => !each.some((other) => others.includes(other)));
    if (group === undefined) groups.push([lexeme]);
    else group.push(lexeme);
  }
  return groups.map((group, i) => ({
    name: i === 0 ? "main" : `main${i + 1}`,
    members: [...[...free, ...group].map(({ member }) => member), ...trivia.map(({ name }) => name)],
  }));
}
