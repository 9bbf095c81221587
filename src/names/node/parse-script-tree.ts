import { type ParseResult, parseSync } from "oxc-parser";
import { indentLength, nestingBound, type ScriptGoal } from "../../syntax/index.ts";
import { blank } from "../components/component-code.ts";
import type { ScriptTreeParser } from "../script-node.ts";

/**
 * Functions that read the tree are recursive, and the stack has room for some thousand levels. Code
 * that people write stays below 300.
 */
const maxNesting = 1_000;

/**
 * Parses a script with `oxc-parser`, in this process. Offsets are in UTF-16 code units. Returns
 * `undefined` for a text that nests deeper than 1,000 levels or that cannot be parsed.
 */
export const parseScriptTree: ScriptTreeParser = (text, goal) => {
  const result = tryParse(text, goal);
  // When the parser cannot recover from an error, its program is empty.
  if (result === undefined || isEmpty(result)) return undefined;
  return { program: result.program, comments: result.comments };
};

/** The result of the parser; `undefined` for a text that nests too deep. */
export function tryParse(text: string, { kind, source }: ScriptGoal): ParseResult | undefined {
  if (nestingBound(text) > maxNesting) return undefined;
  return parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source });
}

/** Whether the parser could not recover from an error. */
export function isEmpty({ program, errors }: ParseResult): boolean {
  return program.body.length === 0 && errors.length > 0;
}

/** The most characters that are parsed for one text, in UTF-16 units: about 50 milliseconds. */
const maxParsed = 500_000;

/** The most places that are repaired; a text with more of them is probably no script. */
const maxRepairs = 8;

/**
 * Parses a script that has syntax errors, such as one with a line that is being typed, for its
 * names. Offsets are those of the text. Returns `undefined` for a text that
 * {@link parseScriptTree} could parse without a change, that nests too deep, or that is broken in
 * too many places.
 *
 * The parser stops at the first error. There, a missing bracket is written over white space, or
 * a line is reduced to the names that it uses, until the text can be parsed; a name that is
 * declared on a reduced line counts as used.
 */
export const parseBrokenScript: ScriptTreeParser = (text, goal) => {
  let present: Attempt | undefined = attemptOf(text, tryParse(text, goal));
  let rest = maxParsed;
  for (let count = 0; count < maxRepairs && present !== undefined; count += 1) {
    let better: Attempt | undefined;
    for (const next of repairs(present)) {
      rest -= next.length;
      const result = rest < 0 ? undefined : tryParse(next, goal);
      if (result === undefined) return undefined;
      if (!isEmpty(result)) return { program: result.program, comments: result.comments };
      const attempt = attemptOf(next, result);
      if (attempt !== undefined && isFurther(attempt, present)) better ??= attempt;
    }
    present = better;
  }
  return undefined;
};

/** A text that cannot be parsed. */
interface Attempt {
  readonly text: string;
  /** The offset where the parser stopped. */
  readonly at: number;
  /** The offset of the bracket whose partner it missed there. */
  readonly opener: number | undefined;
  /** The bracket that it missed. */
  readonly closer: string | undefined;
}

function attemptOf(text: string, result: ParseResult | undefined): Attempt | undefined {
  const [error] = result !== undefined && isEmpty(result) ? result.errors : [];
  const [stop, start] = error?.labels ?? [];
  if (error === undefined || stop === undefined) return undefined;
  const opener = start !== undefined && closers.has(text[start.start]!) ? start.start : undefined;
  const named = /^Expected (?:`,` or )?`([)\]}])` but found/.exec(error.message)?.[1];
  return { text, at: stop.start, opener, closer: opener === undefined ? named : closers.get(text[opener]!) };
}

const closers: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Whether the parser came further, or missed the partner of an outer bracket only. */
function isFurther(one: Attempt, other: Attempt): boolean {
  return one.at > other.at || (one.at === other.at && (one.opener ?? 0) < (other.opener ?? 0));
}

/** Texts in which the error of an attempt may be repaired, the likeliest first. */
function* repairs({ text, at, opener, closer }: Attempt): Generator<string> {
  if (closer !== undefined) {
    const block = opener === undefined || closer !== "}" ? undefined : endOfBlock(text, opener);
    if (block !== undefined) yield written(text, block, closer);
    const space = text.slice(0, at).trimEnd().length;
    // A line break that is left ends the statement.
    if (at - space > 1) yield written(text, space, `${closer}\n`);
    else if (at - space === 1) yield written(text, space, closer);
    if (text.slice(at).trim() === "") yield text + closer;
  }
  const here = lineAt(text, at);
  const before = lineAt(text, text.slice(0, here.start).trimEnd().length);
  const lines = [...(opener === undefined ? [] : [[lineAt(text, opener)]]), [before], [here], [before, here]];
  for (const reduce of [namesOf, blank])
    for (const some of lines)
      yield some.reduce((now, { start, end }) => written(now, start, reduce(now.slice(start, end))), text);
}

function written(text: string, start: number, part: string): string {
  return text.slice(0, start) + part + text.slice(start + part.length);
}

function lineAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const feed = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: feed < 0 ? text.length : feed };
}

/**
 * The line break before the next line whose indentation is at most that of the line of a bracket:
 * the block that the bracket opens ends there.
 */
function endOfBlock(text: string, opener: number): number | undefined {
  const first = lineAt(text, opener);
  const indent = indentLength(text.slice(first.start, first.end));
  for (let { end } = first; end < text.length; ) {
    const next = lineAt(text, end + 1);
    const line = text.slice(next.start, next.end);
    if (line.trim() !== "" && indentLength(line) <= indent) return end;
    end = next.end;
  }
  return undefined;
}

/** A line of the same length with the names that it uses, a statement each. */
function namesOf(line: string): string {
  let shown = "";
  for (const { 0: token, index, groups } of line.matchAll(tokens)) {
    if (groups?.["name"] === undefined || keywords.test(token)) continue;
    if (/^\s*\??:/.test(line.slice(index + token.length))) continue;
    shown = `${shown.padEnd(index)}${token}${index + token.length < line.length ? ";" : ""}`;
  }
  return shown.padEnd(line.length);
}

/** Comments, literals, members, and names. */
const tokens =
  /\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|(?<!\.\.)\.\s*#?[\p{ID_Continue}$]+|\d[\w.]*|(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

/** Words of the language that are no names of code. */
const keywords =
  /^(?:abstract|any|as|async|await|boolean|break|case|catch|class|const|constructor|continue|debugger|declare|default|delete|do|else|enum|export|extends|false|finally|for|from|function|get|if|implements|import|in|infer|instanceof|interface|is|keyof|let|namespace|never|new|null|number|object|of|package|private|protected|public|readonly|return|satisfies|set|static|string|super|switch|symbol|this|throw|true|try|type|typeof|undefined|unique|unknown|using|var|void|while|with|yield)$/;
