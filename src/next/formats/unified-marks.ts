import type { FormatMarks } from "./reserved-markers.ts";

const sections = [
  "recently_viewed_code_snippets",
  "recently_viewed_code_snippet",
  "current_file_content",
  "linter",
  "edit_diff_history",
  "area_around_code_to_edit",
  "code_to_edit",
] as const;

/** The tag of a section of the prompt. */
export type UnifiedTag = (typeof sections)[number];

/** The tags with which the kinds of answers begin. */
export const responseTags = { edit: "<EDIT>", insert: "<INSERT>", noChange: "<NO_CHANGE>" } as const;

/** The cursor marker. */
export const unifiedCursor = "<|cursor|>";

/** Returns the marker that begins a section of the prompt. */
export function opening(tag: UnifiedTag): string {
  return `<|${tag}|>`;
}

/** Returns the marker that ends a section of the prompt, or an answer with this tag. */
export function closing(tag: UnifiedTag | "<EDIT>" | "<INSERT>"): string {
  return tag.startsWith("<") ? `</${tag.slice(1)}` : `<|/${tag}|>`;
}

/** Markers that no prompt input in the unified format may contain. */
export const unifiedMarks: FormatMarks = {
  anywhere: [
    ...sections.flatMap((tag) => [opening(tag), closing(tag)]),
    unifiedCursor,
    ...Object.values(responseTags),
    closing(responseTags.edit),
    closing(responseTags.insert),
  ],
};
