/** The kind of a line of an explanation. */
export type ExplanationKind =
  | "headline"
  | "repaired"
  | "understood"
  | "warning"
  | "refused"
  | "broken"
  | "changed"
  | "other";

/** A line of an explanation, with its detail lines unchanged. */
export interface ExplanationLine {
  readonly kind: ExplanationKind;
  readonly text: string;
  readonly details: readonly string[];
}

const labelled = /^ {2}(repaired|understood|warning|refused|broken|changed) +(?! )(.*)$/;

/**
 * Parses the explanation of an answer: a headline with the result, then lines that start with their
 * kind, each followed by detail lines such as code.
 */
export function readExplanation(explanation: string): readonly ExplanationLine[] {
  const lines: ExplanationLine[] = [];
  for (const [at, line] of explanation.replace(/\n$/, "").split("\n").entries()) {
    const [, kind, text] = labelled.exec(line) ?? [];
    const last = lines.at(-1);
    if (at === 0) lines.push({ kind: "headline", text: line, details: [] });
    else if (kind !== undefined) lines.push({ kind: kind as ExplanationKind, text: text!, details: [] });
    else if (last === undefined || last.kind === "headline") lines.push({ kind: "other", text: line, details: [] });
    else lines[lines.length - 1] = { ...last, details: [...last.details, line] };
  }
  return lines;
}
