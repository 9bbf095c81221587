import { printExpression } from "../tables/expressions.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { Expression, Rule } from "../tables/grammar-source.ts";
import { lineOf, type NotationToken, placeOf } from "./notation-tokens.ts";
import type { WrittenExpression } from "./read-expression.ts";

/** A rule as written. */
export interface WrittenRule {
  readonly name: string;
  readonly at: NotationToken;
  readonly parameters: readonly string[];
  readonly expression: WrittenExpression;
}

/** Limits that only parameters that grow with each use exceed. */
const limits = { rules: 20_000, nameLength: 2_000 };

type Values = ReadonlyMap<string, Expression>;

/**
 * Instantiates rules with parameters, once for each list of arguments: `Pair<Name>` becomes a rule
 * of that name. Rules without parameters keep their order; the instances follow.
 *
 * Does not throw: adds an error with the code `parameters` to `issues` for a wrong number of
 * arguments, for arguments of an unknown rule or of a parameter, and where the instances would
 * never end. Such a use becomes an empty sequence; of endless instances, those within the limits
 * are returned. A name without arguments that no rule has is kept, without an issue.
 */
export function writeOutRules(written: ReadonlyMap<string, WrittenRule>, issues: GrammarIssue[]): Rule[] {
  const rules: Rule[] = [];
  const uses = new Map<string, { readonly rule: WrittenRule; readonly values: Values }>();
  let overflow: NotationToken | undefined;

  const fail = (message: string, at: NotationToken): Expression => {
    issues.push({ code: "parameters", severity: "error", ...placeOf(at), message });
    return { kind: "sequence", items: [] };
  };

  const use = (name: string, given: readonly Expression[], at: NotationToken): Expression => {
    const rule = written.get(name);
    const wanted = rule?.parameters ?? [];
    if (rule === undefined && given.length > 0) return fail(`There is no rule ${name} that takes parameters.`, at);
    if (wanted.length !== given.length) {
      return fail(`${name} takes ${wanted.length} parameters, not ${given.length}.`, at);
    }
    if (rule === undefined || given.length === 0) return { kind: "symbol", name };
    const fullName = `${name}<${given.map(printExpression).join(", ")}>`;
    if (!uses.has(fullName)) {
      if (fullName.length > limits.nameLength || uses.size >= limits.rules) overflow ??= at;
      else uses.set(fullName, { rule, values: new Map(wanted.map((parameter, i) => [parameter, given[i]!])) });
    }
    return { kind: "symbol", name: fullName };
  };

  const writeOut = (expression: WrittenExpression, values: Values): Expression => {
    switch (expression.kind) {
      case "literal":
        return expression;
      case "name": {
        const value = values.get(expression.name);
        if (value === undefined) {
          const given = (expression.values ?? []).map((each) => writeOut(each, values));
          return use(expression.name, given, expression.at);
        }
        if (expression.values === undefined) return value;
        return fail(`The parameter ${expression.name} stands for an expression and takes none itself.`, expression.at);
      }
      case "sequence":
      case "choice":
        return { kind: expression.kind, items: expression.items.map((item) => writeOut(item, values)) };
      case "list": {
        const separator = writeOut(expression.separator, values);
        return { kind: "list", item: writeOut(expression.item, values), separator };
      }
      default:
        return { kind: expression.kind, item: writeOut(expression.item, values) };
    }
  };

  for (const { name, at, parameters, expression } of written.values()) {
    if (parameters.length > 0) continue;
    rules.push({ name, expression: writeOut(expression, new Map()), ...lineOf(at) });
  }
  // The map grows during the loop.
  for (const [name, { rule, values }] of uses) {
    rules.push({ name, expression: writeOut(rule.expression, values), ...lineOf(rule.at) });
  }
  if (overflow !== undefined) {
    fail("This use asks for endlessly many rules: its parameters grow each time. Pass what does not grow.", overflow);
  }
  return rules;
}
