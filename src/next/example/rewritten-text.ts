import type { TextEdit } from "../../text/index.ts";
import { type CodeTokens, lineFeed } from "./code-tokens.ts";
import { derivedWord } from "./derived-words.ts";
import { gapAt, indentAt } from "./learn-rewrites.ts";
import type { RewriteMatch } from "./match-rewrite.ts";
import type { TextLines } from "./text-lines.ts";

/** What a match makes of its place. */
export interface Rewritten {
  /** What is replaced, in the text of the tokens, up to the tokens beside it, so that the blanks are right too. */
  readonly edit: TextEdit;
  /** How many words of the new text are derived from what others are called there, and how many nobody knows there. */
  readonly derived: number;
  readonly unknown: number;
}

/** Writes the place of a match anew. */
export function rewritten(match: RewriteMatch, tokens: CodeTokens, text: Pick<TextLines, "says">): Rewritten {
  const { text: said, derived, unknown } = saidBy(match, text);
  return { edit: editFor(said, match, tokens), derived, unknown };
}

function editFor(said: string, match: RewriteMatch, tokens: CodeTokens): TextEdit {
  const { example, from, to } = match;
  const { gaps } = example;
  const { list, source } = tokens;
  const [lead, tail] = [gapAt(tokens, from), gapAt(tokens, to)];
  const start = from === 0 ? (list[0]?.start ?? 0) - lead.length : list[from - 1]!.end;
  const end = list[to]?.start ?? tokens.end;
  const beginsLine = from === 0 || list[from - 1]!.text === lineFeed;
  const ending = endingAt(source, start);
  const isLeadKept = gaps.leadAfter === gaps.leadBefore;
  const endsLine = to > from && list[to - 1]!.text === lineFeed;
  // An empty line behind the example kept its lines apart; what stands here instead stays on its own.
  const isCutOff = isAtLineEnd(example.before, example.to) && !isAtLineEnd(tokens, to);
  const staysApart = endsLine && !beginsLine && !said.endsWith("\n") && isCutOff;
  if (said === "") {
    if (staysApart) return { start, end, text: ending + tail };
    if (endsLine) return { start, end, text: beginsLine ? tail : gaps.leadAfter };
    return { start, end, text: isLeadKept ? lead : gaps.leadAfter };
  }
  const relative = relativeIndent(example.indent, indentAt(tokens, from));
  const isKept = isLeadKept && !(beginsLine && to === from);
  const newLead = isKept ? lead : beginsLine ? relative(gaps.leadAfter) : gaps.leadAfter;
  const isTailKept = gaps.tailAfter === gaps.tailBefore || (beginsLine && said.endsWith("\n"));
  // What stood on the line behind the stretch gets a line of its own.
  const isTailOwn = said.endsWith("\n") && !endsLine && !beginsLine;
  const ownTail = isTailOwn ? relative(gaps.tailAfter) : isTailKept ? tail : gaps.tailAfter;
  const newTail = staysApart ? ending + tail : ownTail;
  const lines = said.split("\n").map((line, i) => (i === 0 || line === "" ? line : withIndent(line, relative)));
  return { start, end, text: newLead + lines.join(ending) + newTail };
}

/** How the line that holds an offset ends; the last one as the one in front of it. */
function endingAt(source: string, offset: number): string {
  const next = source.indexOf("\n", offset);
  const at = next < 0 ? source.lastIndexOf("\n") : next;
  return source[at - 1] === "\r" ? "\r\n" : "\n";
}

function isAtLineEnd({ list }: CodeTokens, index: number): boolean {
  return (list[index]?.text ?? lineFeed) === lineFeed;
}

/** The new text, its lines as deep as in the example. A word that nothing at the place says, nor the text, is derived from what others are called there. */
function saidBy({ example, words, groups }: RewriteMatch, text: Pick<TextLines, "says">) {
  let derived = 0;
  let unknown = 0;
  const wordFor = (sample: string) => {
    const known = words.get(sample);
    if (known !== undefined || text.says(sample)) return known ?? sample;
    const word = derivedWord(sample, words);
    if (word === sample) unknown++;
    else derived++;
    return word;
  };
  const said = example.result.map((part) => {
    if (part.kind === "text") return part.text;
    return part.kind === "word" ? wordFor(part.sample) : (groups.get(part.hole) ?? "");
  });
  return { text: said.join(""), derived, unknown };
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
