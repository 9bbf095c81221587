import type { Language } from "../../syntax/index.ts";
import { diffSequences } from "../../text/index.ts";
import { allStatements, type CodeStatement, codeStatements } from "./code-statements.ts";
import { type CodeToken, isWord } from "./code-tokens.ts";

/** A body before and after, and the names of its parameters. */
export interface BodyChange {
  readonly before: readonly CodeToken[];
  readonly after: readonly CodeToken[];
  readonly parameters: ReadonlySet<string>;
}

/**
 * Whether a change of a body is visible outside of it.
 *
 * The paper requires "an escaping object" and does not define it. Here: a statement is *touched* if
 * its tokens changed, if it is in the block of a statement whose header changed, or if it reads a
 * local variable that a touched statement writes. The change escapes if a touched statement, before
 * or after,
 *
 * - returns, throws or yields, or is the expression that is the whole body;
 * - writes a name that is not local, or through a parameter, `this`, or a local whose object was
 *   not created in this body;
 * - calls, or constructs, anything but a local function or a method of an object that was created
 *   in this body;
 * - deletes or asserts anything.
 *
 * It may return true where nothing is visible (a call of a pure function), never false for a
 * consistent reading of the tokens. Renaming local variables is no change. Source: CodePlan (Bairi
 * et al. 2024), Table 1, row MMB.
 */
export function escapes({ before, after, parameters }: BodyChange, language: Language): boolean {
  const one = before.filter(({ isIdle }) => !isIdle);
  const other = after.filter(({ isIdle }) => !isIdle);
  if (isExpression(one, language) || isExpression(other, language)) return true;
  const left = readBody(before, parameters, language);
  const right = readBody(after, parameters, language);
  const leftNames = numbered(one, left.locals);
  const rightNames = numbered(other, right.locals);
  const changes = diffSequences(leftNames, rightNames);
  if (changes.length === 0) return false;
  const real = diffSequences(
    one.map(({ text }) => text),
    other.map(({ text }) => text),
  );
  const removed = new Set(real.flatMap(({ beforeStart, beforeEnd }) => one.slice(beforeStart, beforeEnd)));
  const added = new Set(real.flatMap(({ afterStart, afterEnd }) => other.slice(afterStart, afterEnd)));
  return isSeen(left, removed) || isSeen(right, added);
}

/** The statements of a body, and the roles of its names. */
interface Body {
  readonly statements: readonly CodeStatement[];
  readonly locals: ReadonlySet<string>;
  /** Locals whose object was created here: by `{`, `[`, `new` or a literal. */
  readonly fresh: ReadonlySet<string>;
  readonly endsWithValue: boolean;
}

const assignment = /^(:?=|[-+*/%&|^]=|\*\*=|<<=|>>=|&&=|\|\|=|\?\?=|\/\/=)$/;
const declaring = /^(const|let|var|val|mut|auto|using|final)$/;
const leaving = /^(return|throw|raise|yield|delete|del|assert|defer|go|panic)(;)?$/;
const jumping = /^(case|default|break|continue|goto|fallthrough)(;)?$/;
const notCalled =
  /^(if|for|while|switch|catch|foreach|function|async|await|return|typeof|in|of|and|or|not|is|elif|else|using|lock|with|match|except|assert|def|class|func|fn|lambda|when|print\b)$/;

/**
 * Whether a body is one expression, such as that of `(a) => a + 1`: it has neither braces nor lines
 * of its own.
 */
function isExpression(tokens: readonly CodeToken[], language: Language): boolean {
  const first = tokens[0]?.text;
  return language.indentationSensitive !== true && first !== undefined && first !== "{";
}

function readBody(tokens: readonly CodeToken[], parameters: ReadonlySet<string>, language: Language): Body {
  const isBraced = tokens[0]?.text === "{";
  const inside = isBraced
    ? tokens.slice(
        1,
        tokens.findLastIndex(({ text }) => text === "}"),
      )
    : tokens;
  const statements = codeStatements(inside, language);
  const locals = new Set<string>();
  const fresh = new Set<string>();
  const outer = new Set<string>();
  const { implicitLocals: isImplicit = false, lastIsValue = false } = language.traits;
  for (const { tokens: own } of allStatements(statements)) {
    if (/^(global|nonlocal)$/.test(own[0]?.text ?? "")) for (const { text } of own.slice(1)) outer.add(text);
    const at = assignmentIndex(own);
    const names = declaredNames(own, at, isImplicit);
    for (const name of names) locals.add(name);
    if (names.length === 1 && at >= 0 && isMaking(own[at + 1]?.text)) fresh.add(names[0]!);
  }
  for (const name of outer) {
    locals.delete(name);
    fresh.delete(name);
  }
  for (const name of parameters) fresh.delete(name);
  return { statements, locals, fresh, endsWithValue: lastIsValue };
}

function isMaking(text: string | undefined): boolean {
  return text !== undefined && /^([{[]|new|["'`\d].*)$/s.test(text);
}

/** The names that a statement declares; `at` is the place of its assignment, or -1. */
function declaredNames(tokens: readonly CodeToken[], at: number, isImplicit: boolean): string[] {
  const texts = tokens.map(({ text }) => text);
  const names: string[] = [];
  // `catch (e)`, `for (const a of b)`, `with open(a) as b`, `for a in b`, callbacks' parameters.
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]!;
    if (text === "as" && isWord(texts[index + 1]) && isImplicit) names.push(texts[index + 1]!);
    if (/^(function|def|class|fn|func)$/.test(text) && isWord(texts[index + 1])) names.push(texts[index + 1]!);
    if (text === "catch" && texts[index + 1] === "(") names.push(...wordsUntil(texts, index + 2, ")"));
    if (text === "for" && isImplicit) names.push(...wordsUntil(texts, index + 1, "in"));
    if (text === "for" || text === "foreach") {
      const until = texts.findIndex((one, i) => i > index && /^(of|in|=|:|;|:=)$/.test(one));
      if (until > 0 && isWord(texts[until - 1])) names.push(texts[until - 1]!);
    }
    if (text === "=>") names.push(...parametersBefore(texts, index));
  }
  const first = texts.findIndex((text) => declaring.test(text));
  if (first >= 0) {
    const end = at > first ? at : texts.length;
    const colon = texts.indexOf(":", first);
    const isPattern = texts[first + 1] === "{" || texts[first + 1] === "[" || texts[first + 1] === "(";
    names.push(
      ...texts.slice(first + 1, !isPattern && colon > 0 && colon < end ? colon : end).filter((one) => isWord(one)),
    );
  } else if (at > 0 && texts[at] === ":=") names.push(...texts.slice(0, at).filter((one) => isWord(one)));
  else if (at > 0 && isImplicit && texts[at] === "=") {
    const target = texts.slice(0, texts.indexOf(":") > 0 ? Math.min(at, texts.indexOf(":")) : at);
    if (!target.includes(".") && !target.includes("[")) names.push(...target.filter((one) => isWord(one)));
  } else {
    // `Type name = …` and `Type name;`
    const end = at > 0 ? at : texts.length;
    const [type, name] = [texts[end - 2], texts[end - 1]];
    if (
      isWord(name) &&
      type !== undefined &&
      (/^[>\]?*&]$/.test(type) || (isWord(type) && !leaving.test(type) && type !== "new"))
    ) {
      names.push(name);
    }
  }
  return names;
}

function wordsUntil(texts: readonly string[], start: number, stop: string): string[] {
  const end = texts.indexOf(stop, start);
  return texts.slice(start, end < 0 ? texts.length : end).filter((one) => isWord(one));
}

/** The parameters of the arrow function whose arrow is at `arrow`. */
function parametersBefore(texts: readonly string[], arrow: number): string[] {
  const last = texts[arrow - 1];
  if (isWord(last)) return [last];
  const open = texts.lastIndexOf("(", arrow);
  return open < 0 ? [] : texts.slice(open, arrow).filter((one) => isWord(one));
}

/**
 * The index of a statement's assignment operator, outside of any bracket; -1 where there is none.
 */
function assignmentIndex(tokens: readonly CodeToken[]): number {
  let depth = 0;
  for (let index = 0; index < tokens.length; index++) {
    const { text } = tokens[index]!;
    if (/^[([{]$/.test(text)) depth++;
    else if (/^[)\]}]$/.test(text)) depth--;
    else if (depth === 0 && index > 0 && assignment.test(text)) return index;
  }
  return -1;
}

/**
 * The tokens with locals replaced by the order of their first occurrence, keys of objects excepted.
 */
function numbered(tokens: readonly CodeToken[], locals: ReadonlySet<string>): string[] {
  const numbers = new Map<string, number>();
  return tokens.map(({ text }, index) => {
    const before = tokens[index - 1]?.text ?? "";
    const after = tokens[index + 1]?.text ?? "";
    const isMember = before === "." || before === "?." || after === ":";
    const isShorthand = /^[{,]$/.test(before) && /^[},]$/.test(after);
    if (!locals.has(text) || isMember || isShorthand) return text;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return `${number} `;
  });
}

/** Whether the statements with these tokens have an effect outside of the body. */
function isSeen(body: Body, changed: ReadonlySet<CodeToken>): boolean {
  const touched = new Set<CodeStatement>();
  const tainted = new Set<string>();
  for (let size = -1; size < touched.size + tainted.size; ) {
    size = touched.size + tainted.size;
    touch(body, body.statements, { changed, touched, tainted });
  }
  for (const statement of touched) if (reachesOut(body, statement)) return true;
  const last = body.statements.at(-1);
  return body.endsWithValue && last !== undefined && touched.has(last);
}

function touch(
  body: Body,
  list: readonly CodeStatement[],
  state: {
    readonly changed: ReadonlySet<CodeToken>;
    readonly touched: Set<CodeStatement>;
    readonly tainted: Set<string>;
  },
): void {
  const { changed, touched, tainted } = state;
  for (const [index, statement] of list.entries()) {
    const { tokens, children, holdsFunction } = statement;
    touch(body, children, state);
    const isTouched =
      touched.has(statement) ||
      tokens.some((token) => changed.has(token) || tainted.has(token.text)) ||
      (holdsFunction && children.some((child) => touched.has(child)));
    if (!isTouched) continue;
    touched.add(statement);
    for (const name of writtenNames(body, tokens)) tainted.add(name);
    for (const child of allStatements(children)) touched.add(child);
    // An `else` depends on the condition before it, and the cases of a switch on each other.
    for (let next = index + 1; /^(else|elif|elsif)$/.test(list[next]?.tokens[0]?.text ?? ""); next++)
      touched.add(list[next]!);
    if (jumping.test(tokens[0]?.text ?? "")) for (const other of list) touched.add(other);
  }
}

/** The locals that a statement assigns, or whose object it changes. */
function writtenNames(body: Body, tokens: readonly CodeToken[]): string[] {
  const names = declaredNames(tokens, assignmentIndex(tokens), false);
  for (const [index, { text }] of tokens.entries()) {
    const root = assignment.test(text)
      ? rootBefore(tokens, index)
      : /^(\+\+|--)$/.test(text)
        ? rootAround(tokens, index)
        : undefined;
    if (root !== undefined) names.push(root);
    if (text === "(" && tokens[index - 2]?.text === ".") names.push(rootBefore(tokens, index) ?? "");
  }
  return names.filter((name) => body.locals.has(name));
}

/** Whether a statement has a visible effect of its own. */
function reachesOut(body: Body, { tokens }: CodeStatement): boolean {
  for (const [index, { text }] of tokens.entries()) {
    const before = tokens[index - 1]?.text;
    if (leaving.test(text) && before !== ".") return true;
    if (index > 0 && assignment.test(text) && !isLocalTarget(body, tokens, index)) return true;
    if (/^(\+\+|--)$/.test(text)) {
      const root = rootAround(tokens, index);
      if (root === undefined || !body.locals.has(root)) return true;
    }
    if (text === "(" && isCall(before) && !isLocalCall(body, tokens, index)) return true;
    if (text.startsWith("`") && (isWord(before) || before === ")")) return true;
  }
  return false;
}

function isCall(before: string | undefined): boolean {
  return before !== undefined && ((isWord(before) && !notCalled.test(before)) || /^[)\]>]$/.test(before));
}

function isLocalTarget(body: Body, tokens: readonly CodeToken[], index: number): boolean {
  if (declaredNames(tokens, assignmentIndex(tokens), false).length > 0) return true;
  const root = rootBefore(tokens, index);
  if (root === undefined) return false;
  const isPlain = tokens[index - 1]?.text === root;
  return isPlain ? body.locals.has(root) : body.fresh.has(root) || declaring.test(tokens[0]?.text ?? "");
}

function isLocalCall(body: Body, tokens: readonly CodeToken[], index: number): boolean {
  const root = rootBefore(tokens, index);
  if (root === undefined) return false;
  return tokens[index - 1]?.text === root ? body.locals.has(root) && !body.fresh.has(root) : body.fresh.has(root);
}

/**
 * The name at the root of the chain of members and calls before `index`; none if it begins with
 * something else.
 */
function rootBefore(tokens: readonly CodeToken[], index: number): string | undefined {
  let at = index - 1;
  for (;;) {
    const text = tokens[at]?.text;
    if (text === undefined) return undefined;
    if (text === ")" || text === "]") at = openerOf(tokens, at) - 1;
    else if (!isWord(text)) return undefined;
    else if (/^(\.|\?\.|->|::|!)$/.test(tokens[at - 1]?.text ?? "")) at -= 2;
    else return text;
  }
}

function rootAround(tokens: readonly CodeToken[], index: number): string | undefined {
  const next = tokens[index + 1]?.text;
  return rootBefore(tokens, index) ?? (isWord(next) ? next : undefined);
}

/** The index of the bracket that is closed at `close`; -1 where there is none. */
function openerOf(tokens: readonly CodeToken[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const text = tokens[at]!.text;
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text) && --depth === 0) return at;
  }
  return -1;
}
