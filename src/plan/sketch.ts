import type { CodeBlock } from "../analysis/index.ts";
import type { TextRange } from "../text/index.ts";

/**
 * The outline of a file: all declarations, with `…` for bodies of more than one line.
 *
 * For a member it is the outline of its class, for anything else that of the whole file. The bodies
 * in `kept` stay.
 */
export function sketchOf(text: string, blocks: readonly CodeBlock[], kept: CodeBlock): string {
  const around = blocks.find(({ name, kind }) => name === kept.owner && kind !== "constructor");
  const range = around?.range ?? { start: 0, end: text.length };
  const holes = blocks
    .filter((block) => block !== kept && isWithin(block.ownRange, range))
    .flatMap((block) => bodiesOf(text, block))
    .filter((hole) => !overlaps(hole, kept.range));
  let sketch = "";
  let at = range.start;
  for (const { start, end } of holes.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    sketch += text.slice(at, start) + elided(text.slice(start, end));
    at = end;
  }
  return sketch + text.slice(at, range.end);
}

/**
 * The text of a block for its users: the whole block up to `maxLines` lines, otherwise without its
 * bodies.
 */
export function outlineOf(text: string, block: CodeBlock, maxLines = 12): string {
  const { start, end } = block.ownRange;
  const whole = text.slice(start, end);
  if (whole.split("\n").length <= maxLines) return whole;
  let outline = "";
  let at = start;
  for (const hole of bodiesOf(text, block)) {
    outline += text.slice(at, hole.start) + elided(text.slice(hole.start, hole.end));
    at = hole.end;
  }
  return outline + text.slice(at, end);
}

/** The parts of a block that are not in its signature and have more than one line. */
function bodiesOf(text: string, { ownRange, signature }: CodeBlock): readonly TextRange[] {
  if (signature.length === 0) return [];
  const holes: TextRange[] = [];
  let at = signature[0]!.start;
  for (const { start, end } of [...signature, { start: ownRange.end, end: ownRange.end }]) {
    if (start > at && text.slice(at, start).trim().includes("\n")) holes.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  return holes;
}

/** The text that replaces a body: `…` in the brackets of the body. */
function elided(body: string): string {
  const trimmed = body.trim();
  const lead = body.slice(0, body.length - body.trimStart().length);
  const trail = body.slice(body.trimEnd().length);
  const open = /^(?:=>\s*)?[{[(]/.exec(trimmed)?.[0] ?? "";
  const close = open === "" ? "" : (/[}\])][;,]?$/.exec(trimmed)?.[0] ?? "");
  return `${lead}${open}${open === "" ? "" : " "}…${close === "" ? "" : ` ${close}`}${trail}`;
}

function isWithin(inner: TextRange, outer: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && b.start < a.end;
}
