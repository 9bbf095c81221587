import type { BuiltinModel, Completion } from "../../model/index.ts";
import { Lines } from "../../text/index.ts";
import { type FileSystem, readSource } from "../../workspace/index.ts";
import { printable, styled } from "../terminal/terminal.ts";

/** A place, its ghost text, and how to print it. */
export interface PrintedPlace {
  readonly text: string;
  readonly offset: number;
  /** The text to insert; empty when there is no suggestion. */
  readonly ghost: string;
  readonly colour: boolean;
}

/** The numbers of lines shown before and after the line of the cursor. */
const around = { before: 3, after: 3 };

/** The most characters that are shown of a line other than the cursor's. */
const maxWidth = 160;

/**
 * The lines around a place with the ghost text in it, numbered from 1, without a line break at the
 * end. `offset` is in UTF-16 code units; throws `EmendError` `out-of-bounds` where it is outside of
 * the text.
 *
 * With colours the ghost text is dim, otherwise it is between `«` and `»`. Its further lines have
 * no number.
 */
export function printPlace({ text, offset, ghost, colour }: PrintedPlace): string {
  const lines = Lines.of(text);
  const cursorLine = lines.lineAt(offset);
  const first = Math.max(0, cursorLine - around.before);
  const last = Math.min(lines.count - 1, cursorLine + around.after);
  const width = String(last + 1).length;
  const row = (number: number | undefined, content: string) =>
    `${styled(`${(number === undefined ? "" : String(number)).padStart(width + 2)} │`, "dim", colour)} ${content}`.trimEnd();

  const rows: string[] = [];
  for (let line = first; line <= last; line += 1) {
    if (line !== cursorLine) {
      rows.push(row(line + 1, shortened(shown(lines.text(line)))));
      continue;
    }
    const before = shown(text.slice(lines.start(line), offset));
    const after = shown(text.slice(offset, lines.end(line)));
    const ghostLines = ghost.split(/\r\n|\n|\r/).map(shown);
    for (const [index, ghostLine] of ghostLines.entries()) {
      const isLast = index === ghostLines.length - 1;
      const start = index === 0 ? before : "";
      const end = isLast ? after : "";
      rows.push(
        row(index === 0 ? line + 1 : undefined, start + markGhost(ghostLine, { index, isLast, colour, ghost }) + end),
      );
    }
  }
  // An empty last line is only the line break of the line before it.
  if (last === lines.count - 1 && last > cursorLine && lines.text(last) === "") rows.pop();
  return rows.join("\n");
}

function markGhost(
  line: string,
  {
    index,
    isLast,
    colour,
    ghost,
  }: { readonly index: number; readonly isLast: boolean; readonly colour: boolean; readonly ghost: string },
): string {
  if (colour) return ghost === "" ? styled("▏", "cyan", true) : styled(line, "dim", true);
  if (ghost === "") return "«»";
  return `${index === 0 ? "«" : ""}${line}${isLast ? "»" : ""}`;
}

/** A likelihood, from 0 to 1, in percent: `42%`, `<1%` or `>99%`. */
export function printSureness(probability: number): string {
  const percent = probability * 100;
  return `${percent < 1 ? "<1" : percent > 99 ? ">99" : Math.round(percent)}%`;
}

/**
 * The alternatives as rows that are numbered from 1, each with its likelihood in percent where it
 * is known; `probability` is from 0 to 1. Without a line break at the end.
 */
export function printAlternatives(
  completions: readonly { readonly text: string; readonly probability?: number }[],
  colour: boolean,
): string {
  return completions
    .map(({ text, probability }, index) => {
      const [first, ...rest] = text.split(/\r\n|\n|\r/).map(shown);
      const head = `  ${index + 1}. ${(probability === undefined ? "" : printSureness(probability)).padStart(4)}  `;
      return [
        `${head}${quoted(first!, colour)}`,
        ...rest.map((line) => " ".repeat(head.length) + quoted(line, colour)),
      ].join("\n");
    })
    .join("\n");
}

function quoted(line: string, colour: boolean): string {
  return colour ? styled(line, "dim", true) : `«${line}»`;
}

function shown(line: string): string {
  return printable(line.replace(/^\uFEFF/, "")).replaceAll("\t", "    ");
}

function shortened(line: string): string {
  return line.length > maxWidth ? `${line.slice(0, maxWidth)}…` : line;
}

/** Why one token of a completion was predicted. */
export interface TokenExplanation {
  readonly text: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** The contexts that predicted it, the strongest first. */
  readonly contexts: readonly string[];
  /** Where the longest match of the text before it ends. */
  readonly match?: {
    /** Relative to the workspace's root. */
    readonly path: string;
    /** From 1; missing when the file has changed since it was learnt. */
    readonly line?: number;
    /** The number of equal tokens before it. */
    readonly tokens: number;
  };
}

/**
 * Explains each token of a completion: its likelihood, and where it comes from. Lines of matches
 * count from 1; a match has none where its file cannot be read or has changed.
 */
export async function explainCompletion(
  { tokens }: Pick<Completion, "tokens">,
  { model, root, fileSystem }: { readonly model: BuiltinModel; readonly root: string; readonly fileSystem: FileSystem },
): Promise<TokenExplanation[]> {
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (path: string) => {
    const text = texts.get(path) ?? readText(path, root, fileSystem);
    texts.set(path, text);
    return text;
  };
  return Promise.all(
    tokens.map(async ({ text, probability, contexts, match }): Promise<TokenExplanation> => {
      const base = { text, probability, contexts };
      if (match === undefined) return base;
      const { path, tokenIndex, length } = match;
      const source = await textOf(path);
      const language = model.knowledge.files.get(path)?.language;
      const line =
        source === undefined || language === undefined ? undefined : model.lineOfToken(language, source, tokenIndex);
      return { ...base, match: { path, tokens: length, ...(line !== undefined && { line: line + 1 }) } };
    }),
  );
}

/** The explanation as rows for a person, one for each token. Without a line break at the end. */
export function printExplanation(tokens: readonly TokenExplanation[], colour: boolean): string {
  const texts = tokens.map(({ text }) => printable(JSON.stringify(text)));
  const width = Math.min(28, Math.max(0, ...texts.map((text) => text.length)));
  return tokens
    .map(({ probability, contexts, match }, index) => {
      const votes = contexts.length === 0 ? "no context" : contexts.slice(0, 4).join("; ");
      const from =
        match === undefined
          ? ""
          : `  ← ${printable(match.path)}${match.line === undefined ? "" : `:${match.line}`} (${match.tokens} equal tokens)`;
      const sure = printSureness(probability).padStart(4);
      return `  ${texts[index]!.padEnd(width)} ${sure}  ${votes}${styled(from, "dim", colour)}`;
    })
    .join("\n");
}

async function readText(path: string, root: string, fileSystem: FileSystem): Promise<string | undefined> {
  const answer = await readSource(root, path, { fileSystem });
  return answer.kind === "source" ? answer.text : undefined;
}
