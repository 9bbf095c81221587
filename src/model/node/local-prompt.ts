import type { FillRequest } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { printModelSetting } from "../model-name.ts";
import { type FillTemplate, fillTemplateByName, fillTemplates } from "../templates/families.ts";
import { contextComments, renderFill } from "../templates/render-fill.ts";
import type { LlamaModel } from "./llama-package.ts";

/**
 * How a model file is shown a hole: by a template, or by the tokens that the file itself names for
 * it.
 */
export interface LocalPrompt {
  /**
   * The tokens that show the hole, at least one. What comes from files is never read as a special
   * token.
   */
  tokensOf(request: FillRequest): readonly number[];
  /** Texts at which an answer is cut. */
  readonly cuts: readonly string[];
}

/**
 * How `model` is shown a hole. `name` is the model's, for messages.
 *
 * Throws {@link ModelError} `unsupported` for an unknown template, and for a model whose file names
 * no tokens for a hole when no template is given.
 */
export function localPromptOf(
  model: LlamaModel,
  template: string | FillTemplate | undefined,
  name: string,
): LocalPrompt {
  const beginning = beginningOf(model);
  if (template !== undefined) {
    const known = typeof template === "string" ? fillTemplateByName(template) : template;
    if (known === undefined) {
      const message = `There is no template \`${template}\` for \`${name}\`; there are ${templateNames()}.`;
      throw new ModelError("unsupported", message);
    }
    return {
      tokensOf: (request) => [...beginning, ...model.tokenize(renderFill(known, request), true, "trimLeadingSpace")],
      cuts: [...known.stops, ...known.specialTokens],
    };
  }
  const { prefix: before, suffix: after, middle: hole } = model.tokens.infill;
  if (before === null || after === null || hole === null) {
    const message = `\`${name}\` names no tokens for a hole, so it cannot fill in the middle by itself. Take a base model made for code, or name its template in \`${printModelSetting(name, "template")}\`: ${templateNames()}.`;
    throw new ModelError("unsupported", message);
  }
  const text = (source: string) => model.tokenize(source, false, "trimLeadingSpace");
  const others = repositoryTokens(model, text);
  return {
    tokensOf: (request) => {
      const { prefix, suffix, path, language, context = [] } = request;
      const comments = others === undefined ? contextComments(context, language) : "";
      // The line's own beginning goes behind the hole: while a line is typed all before it stays as
      // it was, and was read.
      const line = prefix.lastIndexOf("\n") + 1;
      return [
        ...beginning,
        ...(context.length > 0 ? (others?.(context, path) ?? []) : []),
        ...[before, ...text(comments + prefix.slice(0, line))],
        ...[after, ...text(suffix)],
        ...[hole, ...text(prefix.slice(line))],
      ];
    },
    cuts: [],
  };
}

/** The token that every prompt of the model begins with, in a list; empty where there is none. */
export function beginningOf({ tokens: { shouldPrependBosToken, bos } }: LlamaModel): readonly number[] {
  return shouldPrependBosToken && bos !== null ? [bos] : [];
}

/**
 * Texts of other files, for models whose file names tokens for a repository and its files.
 *
 * Source: Qwen2.5-Coder's technical report, whose order llama.cpp's own server writes too.
 */
function repositoryTokens(
  model: LlamaModel,
  text: (source: string) => readonly number[],
): ((context: NonNullable<FillRequest["context"]>, path: string) => readonly number[]) | undefined {
  const named = model.fileInfo.metadata.tokenizer?.ggml ?? {};
  const { fim_rep_token_id: repository, fim_sep_token_id: file } = named;
  if (typeof repository !== "number" || typeof file !== "number") return undefined;
  return (context, path) => [
    ...[repository, ...text("workspace\n")],
    ...context.flatMap((piece) => [file, ...text(`${piece.path}\n${piece.text.replace(/\r?\n$/, "")}\n`)]),
    ...[file, ...text(`${path}\n`)],
  ];
}

function templateNames(): string {
  return fillTemplates.map(({ name }) => name).join(", ");
}
