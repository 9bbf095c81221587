import { pick, seededRandom } from "../../scripts/train/seeded-random.ts";
import { Edit, type TextEdit } from "../../src/text/index.ts";

/** One edit of a person in a workspace, with what it is a part of. */
export interface MadeEdit {
  readonly kind: "typing" | "rename" | "signature" | "repeat";
  readonly path: string;
  readonly edit: Edit;
}

/**
 * What the edits are made in: the present texts, kept up to date by the caller that applies them.
 */
export interface EditedTexts {
  readonly paths: readonly string[];
  textOf(path: string): string | undefined;
  containing(words: readonly string[]): readonly string[];
}

/**
 * Edits without an end, the same for the same seed and texts: statements typed piece by piece and
 * taken out again, functions renamed, parameters that come and go, and a call that becomes another
 * here and there. Each is to be applied before the next is requested.
 */
export function* madeEdits(texts: EditedTexts, seed = 1): Generator<MadeEdit> {
  const random = seededRandom(seed);
  const scenarios = [typing, typing, rename, signature, repeat];
  for (let round = 0; ; round++) yield* scenarios[round % scenarios.length]!({ texts, random, round });
}

interface Round {
  readonly texts: EditedTexts;
  readonly random: () => number;
  readonly round: number;
}

/** A statement in a function, three to eight characters at a time, and then it is taken out. */
function* typing({ texts, random, round }: Round): Generator<MadeEdit> {
  const place = tryFind(texts, random, /\) ?(?::[^={;]*)?\{\n/g);
  if (place === undefined) return;
  const { path, end } = place;
  const statement = `  const typed${round} = Math.round(${Math.floor(random() * 1000)} / 3);\n`;
  let at = end;
  for (let from = 0; from < statement.length; ) {
    const to = Math.min(statement.length, from + 3 + Math.floor(random() * 6));
    yield { kind: "typing", path, edit: Edit.insert(at, statement.slice(from, to)) };
    at += to - from;
    from = to;
  }
  yield { kind: "typing", path, edit: Edit.delete({ start: end, end: at }) };
}

/**
 * A function gets another name: where it is declared first, and then file by file where it is used.
 */
function* rename({ texts, random, round }: Round): Generator<MadeEdit> {
  const place = tryFind(texts, random, /(?<=function )[A-Za-z_$][\w$]*/g);
  if (place === undefined) return;
  const { path, text } = place;
  const fresh = `${text.replace(/_\d+$/, "")}_${round}`;
  yield { kind: "rename", path, edit: Edit.replace(place, fresh) };
  for (const file of [path, ...texts.containing([text]).filter((one) => one !== path)].slice(0, maxFiles)) {
    const edit = replaceWords(texts.textOf(file) ?? "", text, fresh);
    if (!edit.isEmpty) yield { kind: "rename", path: file, edit };
  }
}

/** A function gets one more parameter, and its calls one more argument; then both go again. */
function* signature({ texts, random }: Round): Generator<MadeEdit> {
  const place = tryFind(texts, random, /(?<=function )[A-Za-z_$][\w$]*(?=\([^()]+\))/g);
  if (place === undefined) return;
  const { path, text: name } = place;
  const files = [path, ...texts.containing([name]).filter((one) => one !== path)].slice(0, maxFiles);
  const declared = (source: string) => Edit.of(behindBrackets(source, `function ${name}(`, ", more: number"));
  const called = (source: string) =>
    Edit.of(behindBrackets(source, `${name}(`, ", 1").filter(({ start }) => !isDeclaration(source, start, name)));
  const made: { readonly path: string; readonly back: Edit }[] = [];
  for (const [file, edit] of [[path, declared] as const, ...files.map((one) => [one, called] as const)]) {
    const before = texts.textOf(file) ?? "";
    const forth = edit(before);
    if (forth.isEmpty) continue;
    made.push({ path: file, back: forth.invert(before) });
    yield { kind: "signature", path: file, edit: forth };
  }
  for (const { path: file, back } of made.reverse()) yield { kind: "signature", path: file, edit: back };
}

/**
 * A call becomes another at some places of a file, one after the other, and then all become what
 * they were.
 */
function* repeat({ texts, random }: Round): Generator<MadeEdit> {
  const place = tryFind(texts, random, /console\.log\(/g);
  if (place === undefined) return;
  const { path } = place;
  const change = (from: string, to: string) => (source: string) => {
    const start = source.indexOf(from);
    return start < 0 ? undefined : Edit.replace({ start, end: start + from.length }, to);
  };
  const pairs = [
    ["console.log(", "console.info("],
    ["console.info(", "console.log("],
  ] as const;
  for (const [from, to] of pairs) {
    for (let i = 0; i < 4; i++) {
      const edit = change(from, to)(texts.textOf(path) ?? "");
      if (edit !== undefined) yield { kind: "repeat", path, edit };
    }
  }
}

/** How many files one change is carried through. */
const maxFiles = 12;

/** A match of a pattern in some file, of some that are tried. */
function tryFind(texts: EditedTexts, random: () => number, pattern: RegExp) {
  for (let tries = 0; tries < 50; tries++) {
    const path = pick(texts.paths, random);
    const text = texts.textOf(path) ?? "";
    const matches = [...text.matchAll(pattern)];
    if (matches.length === 0) continue;
    const match = pick(matches, random);
    return { path, text: match[0], start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function replaceWords(source: string, word: string, fresh: string): Edit {
  const escaped = word.replaceAll("$", "\\$&");
  const matches = source.matchAll(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, "g"));
  return Edit.of(Array.from(matches, ({ index }) => ({ start: index, end: index + word.length, text: fresh })));
}

/** An insertion before the bracket that closes each of the brackets which `opening` ends with. */
function behindBrackets(source: string, opening: string, text: string): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = source.indexOf(opening); at >= 0; at = source.indexOf(opening, at + 1)) {
    if (/[\w$]/.test(source[at - 1] ?? "")) continue;
    let depth = 1;
    let end = at + opening.length;
    for (; end < source.length && depth > 0; end++) depth += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0;
    if (depth === 0) edits.push({ start: end - 1, end: end - 1, text });
  }
  // A call within a call's brackets ends before it.
  return edits.sort((a, b) => a.start - b.start);
}

/** Whether the brackets that close at `end` are those of the function's declaration. */
function isDeclaration(source: string, end: number, name: string): boolean {
  const declared = source.indexOf(`function ${name}(`);
  return declared >= 0 && source.indexOf(")", declared) === end;
}
