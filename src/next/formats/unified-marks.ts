import type { FormatMarks } from "./said-mark.ts";

const sections = [
  "recently_viewed_code_snippets",
  "recently_viewed_code_snippet",
  "current_file_content",
  "linter",
  "edit_diff_history",
  "area_around_code_to_edit",
  "code_to_edit",
] as const;

/** A part of the prompt, by its tag. */
export type UnifiedTag = (typeof sections)[number];

/** The ways to answer, by the tag that begins them. */
export const responseTags = { edit: "<EDIT>", insert: "<INSERT>", noChange: "<NO_CHANGE>" } as const;

/** Where the cursor is. */
export const unifiedCursor = "<|cursor|>";

/** The mark that begins a part of the prompt. */
export function opening(tag: UnifiedTag): string {
  return `<|${tag}|>`;
}

/** The mark that ends a part of the prompt, or an answer that began with the tag. */
export function closing(tag: UnifiedTag | "<EDIT>" | "<INSERT>"): string {
  return tag.startsWith("<") ? `</${tag.slice(1)}` : `<|/${tag}|>`;
}

/** What scenes in the unified format may not say. */
export const unifiedMarks: FormatMarks = {
  anywhere: [
    ...sections.flatMap((tag) => [opening(tag), closing(tag)]),
    unifiedCursor,
    ...Object.values(responseTags),
    closing(responseTags.edit),
    closing(responseTags.insert),
  ],
};
