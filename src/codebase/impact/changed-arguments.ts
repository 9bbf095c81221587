import { diffSequences } from "../../text/index.ts";
import { type CodeToken, isWord } from "./code-tokens.ts";

/**
 * The names of the functions that a body calls with other arguments than before. They may have to
 * follow the change.
 *
 * An argument counts as changed if it differs directly in its call, not only in a nested call or
 * object; or if it is a local variable whose initializer changed outside of nested brackets. A
 * constructor call counts by the name of its class. Both token lists are without idle tokens.
 */
export function callsWithOtherArguments(before: readonly CodeToken[], after: readonly CodeToken[]): string[] {
  const old = before.map(({ text }) => text);
  const now = after.map(({ text }) => text);
  const isChanged = new Uint8Array(now.length + 1);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(old, now)) {
    isChanged.fill(1, afterStart, afterEnd);
    // A deletion marks the token after it, such as the closing bracket of its call.
    if (afterStart === afterEnd && beforeEnd > beforeStart) isChanged[afterStart] = 1;
  }
  const others = localsMadeOtherwise(now, isChanged);
  const known = new Set(Array.from(calls(old), ([, callee]) => callee));
  const found = new Set<string>();
  for (const [open, callee] of calls(now)) {
    // A call that is new is the purpose of the change, not an effect of it.
    if (!known.has(callee)) continue;
    let depth = 0;
    for (let at = open; at < now.length; at++) {
      const text = now[at]!;
      const isClosing = /^[)\]}]$/.test(text);
      if (isClosing) depth--;
      const isHere = at > open && (depth === 1 || (depth === 0 && text === ")"));
      if (isHere && isChanged[at] === 1) found.add(callee);
      if (depth === 1 && others.has(text) && !/^(\.|\?\.)$/.test(now[at - 1]!) && now[at + 1] !== "=")
        found.add(callee);
      if (depth === 0 && at > open) break;
      if (/^[([{]$/.test(text)) depth++;
    }
  }
  return [...found];
}

/**
 * Whether the bodies differ only in arguments of calls. The results are then likely unchanged, as
 * where a caller passes one more argument. Both token lists are without idle tokens.
 */
export function differsInArgumentsOnly(before: readonly CodeToken[], after: readonly CodeToken[]): boolean {
  const old = before.map(({ text }) => text);
  const now = after.map(({ text }) => text);
  const inOld = argumentMarks(old);
  const inNow = argumentMarks(now);
  return diffSequences(old, now).every(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const isIn = (marks: Uint8Array, start: number, end: number) =>
      marks.subarray(start, end).every((mark) => mark === 1);
    return isIn(inOld, beforeStart, beforeEnd) && isIn(inNow, afterStart, afterEnd);
  });
}

/** Marks with 1 each token between the brackets of a call. */
function argumentMarks(texts: readonly string[]): Uint8Array {
  const marks = new Uint8Array(texts.length);
  for (const [open] of calls(texts)) {
    let depth = 0;
    for (let at = open; at < texts.length; at++) {
      if (/^[([{]$/.test(texts[at]!)) depth++;
      if (/^[)\]}]$/.test(texts[at]!) && --depth === 0) break;
      if (at > open) marks[at] = 1;
    }
  }
  return marks;
}

/** The opening bracket of each call, and the last name before it. */
function* calls(texts: readonly string[]): Generator<readonly [open: number, callee: string]> {
  for (const [at, text] of texts.entries()) {
    if (text !== "(") continue;
    let end = at - 1;
    if (texts[end] === ">") {
      // Skip the type arguments between the name and the bracket.
      for (let depth = 0; end >= 0; end--) {
        if (texts[end] === ">") depth++;
        if (texts[end] === "<" && --depth === 0) break;
      }
      end--;
    }
    const callee = texts[end];
    if (isWord(callee) && !notCalled.test(callee)) yield [at, callee];
  }
}

/** Local variables whose initializer changed outside of nested brackets. */
function localsMadeOtherwise(texts: readonly string[], isChanged: Uint8Array): Set<string> {
  const found = new Set<string>();
  for (const [at, text] of texts.entries()) {
    const name = texts[at - 1];
    if (text !== "=" || !isWord(name) || /^(\.|\?\.|->)$/.test(texts[at - 2] ?? "")) continue;
    let depth = 0;
    for (let next = at + 1; next < texts.length && depth >= 0; next++) {
      const one = texts[next]!;
      if (/^[)\]}]$/.test(one)) depth--;
      if (depth === 0 && /^([;,↵])$/.test(one)) break;
      if (depth === 0 && isChanged[next] === 1) {
        found.add(name);
        break;
      }
      if (/^[([{]$/.test(one)) depth++;
    }
  }
  return found;
}

const notCalled =
  /^(if|for|while|switch|catch|foreach|function|async|await|return|typeof|nameof|in|of|and|or|not|is|elif|else|using|lock|with|match|except|assert|def|class|func|fn|lambda|when|yield|new)$/;
