import { languageById, nearContext, Structure, type SyntaxDiagnostic } from "../../syntax/index.ts";
import { closersFor } from "./bracket-balance.ts";
import { indentOf, lastLineOf } from "./line-indentation.ts";
import type { CursorPlace } from "./only-repeats.ts";

/**
 * `text` without the comments at its end that stand where an operand is due, as in
 * `sum = /* the total *\/`: they leave the line unfinished, and look as if it were not. Empty where
 * the text is nothing else. A comment behind complete code, or on a line of its own, is kept.
 *
 * `errorsIn` gives the syntax errors of the document with everything after the cursor replaced by a
 * text; where it rejects, so does this function. Without a parser every comment is kept.
 */
export async function withoutDanglingComment(
  text: string,
  { language: id, prefix, suffix }: CursorPlace,
  errorsIn: (after: string) => Promise<readonly SyntaxDiagnostic[]>,
): Promise<string> {
  const language = languageById(id);
  if (language?.grammar === undefined) return text;
  const context = nearContext({ prefix, language: id });
  const kept = text.slice(0, beforeComments(text, context, id));
  if (kept.length === text.length) return text;
  const before = (prefix + kept).trimEnd();
  const open = Structure.of(before, language).openersBefore(before.length);
  if (!endsInOperator.test(before.slice(-20)) && !(before.endsWith(":") && open.length > 0)) return text;
  const rest = /^[^\r\n]*/.exec(suffix)![0];
  const whole = prefix + kept + rest;
  for (const below of new Set([
    closersFor(Structure.of(whole, language).openersBefore(whole.length)),
    outerLines(before, suffix.slice(rest.length)),
  ])) {
    const countWith = async (operand: string) => (await errorsIn(`${kept}${operand}${rest}\n${below}`)).length;
    const unfinished = await countWith("");
    for (const operand of operands) if ((await countWith(operand)) < unfinished) return kept.trimEnd();
  }
  return text;
}

/** The end of `text` without the comments at its end, up to one on a line of its own. */
function beforeComments(text: string, context: string, id: string): number {
  const whole = context + text;
  const { regions } = Structure.of(whole, languageById(id)!);
  let end = text.length;
  for (const { kind, start, end: regionEnd } of regions.toReversed()) {
    const from = start - context.length;
    const isLast = kind === "comment" && from >= 0 && text.slice(regionEnd - context.length, end).trim() === "";
    if (!isLast || /(?:^|\n)[ \t]*$/.test(whole.slice(Math.max(0, start - 200), start))) break;
    end = from;
  }
  return end;
}

/**
 * A sign, or a word, that an operand follows in most languages. The parser decides whether one is
 * due.
 */
const endsInOperator =
  /[-+*/%=<>!&|^~?.]$|(?<![\p{L}\p{N}_$])(?:and|or|not|in|is|new|await|typeof|instanceof|throw|yield)$/u;

/** What makes an unfinished line whole. PHP has names with a sign. */
const operands = [" x", " x;", " $x", " $x;"];

/**
 * The lines below from the first that is indented less than the last line before: they end its
 * block, and none of them is the operand of that line.
 */
function outerLines(before: string, below: string): string {
  const depth = indentOf(lastLineOf(before)).length;
  const lines = below.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && indentOf(line).length < depth);
  return first < 0 ? "" : lines.slice(first).join("\n");
}
