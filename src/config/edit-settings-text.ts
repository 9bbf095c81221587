import { createScanner, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { byteOrderMark, detectLineEnding } from "../text/index.ts";
import { isPlainObject } from "./entries.ts";
import { readJson, valueOfNode } from "./read-json.ts";

/** One setting for a file: its names from the top down, and its value; `undefined` takes it out. */
export interface SettingEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The new text of a settings file, or why there is none, as a clause behind the file's name. */
export type SettingsTextAnswer =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "refused"; readonly detail: string };

/**
 * Sets and takes out settings in the text of a settings file: JSON with comments and trailing
 * commas. Everything else stays byte for byte, comments included; a setting that has its value
 * already is left as it is written. A section that loses its last setting is taken out, too. An
 * empty text is a new file.
 *
 * Refused where the text is broken, where a section on the way is no object, and where a name
 * occurs twice, for then it is unclear which one counts.
 *
 * Laws: a second run changes nothing; taking out what was added restores the text, except for an
 * object without settings.
 */
export function editSettingsText(text: string, edits: readonly SettingEdit[]): SettingsTextAnswer {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let edited = text.slice(mark.length);
  if (edited.trim() === "") edited = "{}\n";
  const answer = readJson(edited, "");
  if (answer.kind === "broken") return { kind: "refused", detail: `line ${answer.line}: ${answer.detail}` };
  // The last one is written first, for each is added in front.
  for (const { path, value } of edits.toReversed()) {
    const object = parseTree(edited, [], { allowTrailingComma: true });
    if (object?.type !== "object") return { kind: "refused", detail: "an object in braces is expected" };
    const refusal = whyNot(object, path);
    if (refusal !== undefined) return { kind: "refused", detail: refusal };
    const property = findNodeAtLocation(object, [...path])?.parent;
    if (value !== undefined) edited = setIn(edited, object, path, value);
    else if (property !== undefined) edited = takeOut(edited, property);
  }
  return { kind: "edited", text: mark + edited };
}

/** The value at a path in the text of a settings file; `undefined` where there is none. */
export function settingInText(text: string, path: readonly string[]): unknown {
  const node = tryNodeAt(text, path);
  return node && valueOfNode(node);
}

/**
 * The line of a setting in the text of a settings file, from 1; `undefined` where there is none.
 */
export function lineOfSetting(text: string, path: readonly string[]): number | undefined {
  const name = tryNodeAt(text, path)?.parent?.children?.[0];
  return name && text.replace(byteOrderMark, "").slice(0, name.offset).split("\n").length;
}

function tryNodeAt(text: string, path: readonly string[]): Node | undefined {
  const object = parseTree(text.replace(byteOrderMark, ""), [], { allowTrailingComma: true });
  return object && findNodeAtLocation(object, [...path]);
}

/** Why a path can't be followed; the names of its sections are looked at from the top down. */
function whyNot(object: Node, path: readonly string[]): string | undefined {
  let at: Node | undefined = object;
  for (const [index, name] of path.entries()) {
    const shown = path.slice(0, index).join(".");
    if (at === undefined) return undefined;
    if (at.type !== "object") return `\`${shown}\` is no object in braces`;
    const named: readonly Node[] = (at.children ?? []).filter(({ children }) => children?.[0]?.value === name);
    if (named.length > 1) return `\`${[...path.slice(0, index), name].join(".")}\` occurs twice`;
    at = named[0]?.children?.[1];
  }
  return undefined;
}

function setIn(text: string, object: Node, path: readonly string[], value: unknown): string {
  const present = findNodeAtLocation(object, [...path]);
  if (present !== undefined) {
    return isSame(valueOfNode(present), value) ? text : replaced(text, present, present.length, printValue(value));
  }
  let depth = path.length - 1;
  while (depth > 0 && findNodeAtLocation(object, path.slice(0, depth)) === undefined) depth -= 1;
  const section = depth === 0 ? object : findNodeAtLocation(object, path.slice(0, depth))!;
  const [name, ...below] = path.slice(depth);
  const whole = below.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return insertIn(text, section, `${JSON.stringify(name)}: ${printValue(whole)}`, depth);
}

/** Inserts a setting at the front of an object, where no comment can be about it. */
function insertIn(text: string, object: Node, setting: string, depth: number): string {
  const start = object.offset + 1;
  const eol = detectLineEnding(text) ?? "\n";
  const isEmpty = (object.children ?? []).length === 0;
  const comma = isEmpty ? "" : ",";
  const lineEnd = tryLineEndAfter(text, start, object.offset + object.length);
  if (lineEnd !== undefined) {
    return `${text.slice(0, lineEnd)}${eol}${indentIn(text, object, depth)}${setting}${comma}${text.slice(lineEnd)}`;
  }
  if (!isEmpty) return `${text.slice(0, start)} ${setting},${text.slice(start)}`;
  const inner = text.slice(start, object.offset + object.length - 1).trimEnd();
  const [before, after] = depth === 0 ? [`${eol}  `, eol] : [" ", " "];
  return `${text.slice(0, start)}${inner}${before}${setting}${after}${text.slice(object.offset + object.length - 1)}`;
}

/** The end of the line on which an object opens, where nothing but comments is on that line. */
function tryLineEndAfter(text: string, start: number, end: number): number | undefined {
  for (const { kind, offset } of tokensFrom(text, start)) {
    if (offset >= end || kind === "sign") return undefined;
    if (kind === "line-end") return offset;
  }
  return undefined;
}

function indentIn(text: string, object: Node, depth: number): string {
  const first = object.children?.[0];
  const before = first === undefined ? undefined : text.slice(0, first.offset).match(/(?:^|\n)([ \t]*)$/)?.[1];
  if (before !== undefined) return before;
  return (/\n([ \t]+)\S/.exec(text)?.[1] ?? "  ").repeat(depth + 1);
}

/** Takes a property out, and its section where that loses its last setting. */
function takeOut(text: string, property: Node): string {
  const object = property.parent!;
  const siblings = object.children!;
  if (siblings.length === 1 && object.parent !== undefined) return takeOut(text, object.parent);
  let start = property.offset;
  let end = property.offset + property.length;
  const comma = tryCommaAfter(text, end);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  let kept = "";
  if (comma !== undefined) {
    // What is between the value and its comma may be a comment.
    kept = text.slice(end, comma).trimEnd();
    end = comma + 1;
  }
  const rest = /^([ \t]*)(\r?\n)?/.exec(text.slice(end))!;
  const isFirst = text.slice(lineStart, start).trim() === "";
  if (isFirst && kept === "") {
    // A line without anything else goes whole; a comment behind moves to the front.
    if (rest[2] !== undefined) start = lineStart;
    end += rest[0].length;
  } else {
    while (start > lineStart && /[ \t]/.test(text[start - 1]!)) start -= 1;
  }
  const without = text.slice(0, start) + kept + text.slice(end);
  const index = siblings.indexOf(property);
  if (comma !== undefined || index <= 0) return without;
  // The last one has no comma behind it, so the one before loses its own.
  const previous = siblings[index - 1]!;
  const at = tryCommaAfter(text, previous.offset + previous.length)!;
  return without.slice(0, at) + without.slice(at + 1);
}

function tryCommaAfter(text: string, offset: number): number | undefined {
  for (const token of tokensFrom(text, offset)) {
    if (token.kind === "sign") return text[token.offset] === "," ? token.offset : undefined;
  }
  return undefined;
}

/** The tokens from an offset on; a line break within a comment is none. */
function* tokensFrom(text: string, start: number) {
  const scanner = createScanner(text, false);
  scanner.setPosition(start);
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, offset + scanner.getTokenLength());
    if (token === "") return;
    const kind = /^\r?\n$/.test(token) ? "line-end" : /^(\s|\/[/*])/.test(token) ? "blank" : "sign";
    yield { kind, offset } as const;
  }
}

function replaced(text: string, { offset }: Node, length: number, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}

function isSame(one: unknown, other: unknown): boolean {
  return printValue(one) === printValue(other);
}

/** A value on one line, with blanks as a person writes them. */
function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${printValue(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
