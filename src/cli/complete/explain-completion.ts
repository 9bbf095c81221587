import type { FileSystem } from "../../codebase/index.ts";
import { readSource } from "../../codebase/index.ts";
import type { BuiltinModel, Completion } from "../../model/index.ts";
import { printable, styled } from "../terminal/terminal.ts";
import { printSureness } from "./print-completion.ts";

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

/** Explains each token of a completion: its likelihood, and where it comes from. */
export async function explainCompletion(
  { tokens }: Completion,
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

/** The explanation as lines for a person, one for each token. */
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
