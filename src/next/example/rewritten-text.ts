import type { TextEdit } from "../../text/index.ts";
import { type CodeTokens, lineFeed } from "./code-tokens.ts";
import { gapAt, indentAt } from "./learn-rewrites.ts";
import type { RewriteMatch } from "./match-rewrite.ts";

/** What a match replaces, in the text of its tokens, up to the tokens beside it, so that the blanks are right too. */
export function rewrittenText(match: RewriteMatch, tokens: CodeTokens): TextEdit {
  const { example, from, to } = match;
  const { gaps } = example;
  const { list, source } = tokens;
  const [lead, tail] = [gapAt(tokens, from), gapAt(tokens, to)];
  const start = from === 0 ? (list[0]?.start ?? 0) - lead.length : list[from - 1]!.end;
  const end = list[to]?.start ?? tokens.end;
  const beginsLine = from === 0 || list[from - 1]!.text === lineFeed;
  const said = saidBy(match);
  if (said === "") {
    const endsLine = to > from && list[to - 1]!.text === lineFeed;
    return { start, end, text: endsLine ? tail : gaps.leadAfter };
  }
  const relative = relativeIndent(example.indent, indentAt(tokens, from));
  const isKept = gaps.leadAfter === gaps.leadBefore && !(beginsLine && to === from);
  const newLead = isKept ? lead : beginsLine ? relative(gaps.leadAfter) : gaps.leadAfter;
  const isTailKept = gaps.tailAfter === gaps.tailBefore || (beginsLine && said.endsWith("\n"));
  const newTail = isTailKept ? tail : gaps.tailAfter;
  const lines = said.split("\n").map((line, i) => (i === 0 || line === "" ? line : withIndent(line, relative)));
  const ending = source.slice(start - 1, tokens.end).includes("\r\n") ? "\r\n" : "\n";
  return { start, end, text: newLead + lines.join(ending) + newTail };
}

/** The new text, its lines as deep as in the example. */
function saidBy({ example, words, groups }: RewriteMatch): string {
  const said = example.result.map((part) => {
    if (part.kind === "text") return part.text;
    return part.kind === "word" ? (words.get(part.sample) ?? part.sample) : (groups.get(part.hole) ?? "");
  });
  return said.join("");
}

/** Takes a line's indentation next to one of `base` to where that one is `indent`. */
function relativeIndent(base: string, indent: string): (blanks: string) => string {
  return (blanks) => {
    if (blanks.startsWith(base)) return indent + blanks.slice(base.length);
    const less = base.startsWith(blanks) ? base.slice(blanks.length) : undefined;
    return less !== undefined && indent.endsWith(less) ? indent.slice(0, indent.length - less.length) : blanks;
  };
}

function withIndent(line: string, relative: (blanks: string) => string): string {
  const blanks = /^[^\S\n]*/.exec(line)![0];
  return relative(blanks) + line.slice(blanks.length);
}
