import { printPattern } from "../lexing/parse-pattern.ts";
import { printExpression } from "../tables/expressions.ts";
import type { GrammarSource, NextTerminal, VirtualRule } from "../tables/grammar-source.ts";

/**
 * Writes a grammar in the notation of `docs/grammar-notation.md`.
 *
 * Law: `parseGrammar` reads the same grammar from it, without places. All names must be names of
 * the notation: the names of instantiated rules with parameters are not.
 */
export function writeGrammar(source: GrammarSource): string {
  const { lexical } = source;
  const lines = [`grammar ${source.name}`, ""];
  for (const { name, kind, pattern, splitsInto } of lexical.tokens) {
    const into = splitsInto === undefined ? "" : ` as ${splitsInto.map(printTerminal).join(" ")}`;
    lines.push(`${splitsInto === undefined ? kind : "split"} ${name} = /${printPattern(pattern)}/${into}`);
  }
  if (lexical.word !== undefined) lines.push(`word ${lexical.word}`);
  if (lexical.reserved.length > 0) lines.push(`reserved ${lexical.reserved.map(printLiteral).join(" ")}`);
  lines.push(`newline /${printPattern(lexical.newline)}/`);
  for (const { name, members } of lexical.modes) lines.push(`mode ${name} = ${members.map(printTerminal).join(" ")}`);
  for (const virtual of lexical.virtuals) lines.push(`${virtual.kind} ${virtual.name} = ${printCondition(virtual)}`);
  if (lexical.layout !== undefined) {
    const { newline, indent, dedent, brackets } = lexical.layout;
    lines.push(`layout ${newline} ${indent} ${dedent}`);
    for (const { open, close } of brackets) {
      const pairs = Array.from({ length: Math.max(open.length, close.length) }, (_, i) => [
        open[Math.min(i, open.length - 1)]!,
        close[Math.min(i, close.length - 1)]!,
      ]);
      lines.push(`suspend ${pairs.map((pair) => pair.map(printTerminal).join(" ")).join(" , ")}`);
    }
  }
  for (const { name } of source.same ?? []) lines.push(`same ${name}`);
  for (const text of source.openings ?? []) lines.push(`opening ${printLiteral(text)}`);
  lines.push("");
  // The first rule is the start.
  const rules = [...source.rules].sort((a, b) => Number(b.name === source.start) - Number(a.name === source.start));
  for (const { name, expression } of rules) lines.push(`${name} = ${printExpression(expression)}`);
  return `${lines.join("\n")}\n`;
}

function printTerminal(terminal: NextTerminal): string {
  return typeof terminal === "string" ? terminal : printLiteral(terminal.literal);
}

function printLiteral(text: string): string {
  return printExpression({ kind: "literal", text });
}

function printCondition({ kind, when }: VirtualRule): string {
  const parts: string[] = [];
  if (when.newline !== undefined) parts.push(when.newline === "with" ? "newline" : "no newline");
  if (when.glued === true) parts.push("glued");
  if (when.nextIn !== undefined) parts.push(`next ${when.nextIn.map(printTerminal).join(" ")}`);
  if (when.nextNotIn !== undefined) parts.push(`next not ${when.nextNotIn.map(printTerminal).join(" ")}`);
  return parts.join(kind === "require" ? ", " : " | ");
}
