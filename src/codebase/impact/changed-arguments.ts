import { diffSequences } from "../../text/diff-sequences.ts";
import { type CodeToken, isWord } from "./code-tokens.ts";

/**
 * The names of what a body calls with other arguments than before: it may have to follow, whoever
 * it is.
 *
 * An argument is another one if it changed where it is in its call, not only deeper, in a call or
 * an object inside of it; or if it is a local name whose value is made another way: what changed is
 * outside of the brackets of the expression. An instance that is made counts by the name of its
 * class. Both sides are tokens that are not idle.
 */
export function callsWithOtherArguments(before: readonly CodeToken[], after: readonly CodeToken[]): string[] {
  const old = before.map(({ text }) => text);
  const now = after.map(({ text }) => text);
  const isChanged = new Uint8Array(now.length + 1);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(old, now)) {
    isChanged.fill(1, afterStart, afterEnd);
    // What went leaves a mark on the text behind it, such as the bracket that closes its call.
    if (afterStart === afterEnd && beforeEnd > beforeStart) isChanged[afterStart] = 1;
  }
  const others = localsMadeOtherwise(now, isChanged);
  const known = new Set(Array.from(calls(old), ([, callee]) => callee));
  const found = new Set<string>();
  for (const [open, callee] of calls(now)) {
    // What was not called before is what the change was made for.
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
 * Whether all that differs is in the arguments of calls: what the calls give is then likely what it
 * was, as where a caller follows a function that takes one more argument. Both sides are tokens
 * that are not idle.
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

/** 1 for each token that is between the brackets of a call. */
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

/** Where each call opens its bracket, and the last name in front of it. */
function* calls(texts: readonly string[]): Generator<readonly [open: number, callee: string]> {
  for (const [at, text] of texts.entries()) {
    if (text !== "(") continue;
    let end = at - 1;
    if (texts[end] === ">") {
      // Type arguments stand between the name and the bracket.
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

/**
 * Locals whose value is another one by what changed outside of any bracket of the expression that
 * they are given.
 */
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
