import type { TextEdit } from "../../text/index.ts";
import { gapAt, indentAt } from "./learn-rewrites.ts";
import type { CodeTokens } from "./code-tokens.ts";
import { lineFeed } from "./code-tokens.ts";
import type { RewriteMatch } from "./match-rewrite.ts";

/** What a match replaces, in the text of its tokens, and how many words of the new text were called otherwise in the example. */
export function rewrittenText(
  { example, from, to, words, groups }: RewriteMatch,
  tokens: CodeTokens,
): { readonly edit: TextEdit; readonly renamed: number } {
  const { list } = tokens;
  const inStretch = new Set(example.items.flatMap((item) => (item.kind === "word" ? [item.sample] : [])));
  let renamed = 0;
  let text = "";
  for (const part of example.result) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "group") text += groups.get(part.hole) ?? "";
    else {
      const said = words.get(part.sample) ?? part.sample;
      if (said !== part.sample && !inStretch.has(part.sample)) renamed++;
      text += said;
    }
  }
  const { gaps } = example;
  const [lead, tail] = [gapAt(tokens, from), gapAt(tokens, to)];
  const beginsLine = from === 0 || list[from - 1]!.text === lineFeed;
  const endsBeforeLine = to > from ? list[to - 1]!.text === lineFeed : beginsLine;
  const [base, indent] = [example.indent, indentAt(tokens, from)];
  const relative = (blanks: string) => {
    if (blanks.startsWith(base)) return indent + blanks.slice(base.length);
    const less = base.startsWith(blanks) ? base.slice(blanks.length) : undefined;
    return less !== undefined && indent.endsWith(less) ? indent.slice(0, indent.length - less.length) : blanks;
  };
  const lines = text.split("\n");
  const body = lines.map((line, i) => (i === 0 || line === "" ? line : relativeLine(line, relative))).join("\n");
  const start = from === 0 ? (list[0]?.start ?? 0) - lead.length : list[from - 1]!.end;
  const end = list[to]?.start ?? tokens.end;
  const isEmptyBefore = to === from;
  if (text === "") {
    const kept = endsBeforeLine ? tail : gaps.leadAfter;
    return { edit: { start, end, text: isEmptyBefore ? lead : kept }, renamed };
  }
  const newLead = beginsLine
    ? gaps.leadAfter === gaps.leadBefore && !isEmptyBefore ? lead : relative(gaps.leadAfter)
    : gaps.leadAfter === gaps.leadBefore ? lead : gaps.leadAfter;
  const newTail = gaps.tailAfter === gaps.tailBefore || (beginsLine && text.endsWith("\n")) ? tail : gaps.tailAfter;
  return { edit: { start, end, text: newLead + body + newTail }, renamed };
}

function relativeLine(line: string, relative: (blanks: string) => string): string {
  const blanks = /^[^\S\n]*/.exec(line)![0];
  return relative(blanks) + line.slice(blanks.length);
}
