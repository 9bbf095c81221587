import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { closing, opening, readUnified, responseTags, section, unifiedCursor, unifiedMarks } from "./read-unified.ts";

/**
 * The format for any chat model with the prompt of VS Code's Copilot extension, unified format: all
 * context is between tags, and the model answers with the rewritten window, with text for the
 * cursor, or that nothing changes.
 *
 * No marker is a stop sequence, so that the answer shows whether it is complete. Diagnostics have a
 * section, which is left out where there are none.
 *
 * Sources: the prompt of `xtab` in microsoft/vscode-copilot-chat, version 0.42, which sets snippets
 * apart by a tag each; the instructions are in our own words.
 */
export const unified: NextEditFormat = {
  name: "unified",
  ask: (input) =>
    tryRefuse(input, unifiedMarks) ?? {
      kind: "chat",
      messages: [
        { role: "system", text: system(input) },
        { role: "user", text: user(input) },
      ],
      stop: [],
    },
  read: readUnified,
};

function system({ diagnostics }: NextEditPromptInput): string {
  const { edit, insert, noChange } = responseTags;
  const linter = `- ${opening("linter")}: what a compiler or linter has against the lines around;`;
  return [
    `You watch a programmer at work and predict their next edit. It is an edit of the lines between ${opening("code_to_edit")} and ${closing("code_to_edit")}; nothing else may change.`,
    "",
    "What you are shown:",
    `- ${opening("recently_viewed_code_snippets")}: code they looked at a short while ago, the latest last; it may have nothing to do with the edit;`,
    `- ${opening("current_file_content")}: the file they are in;`,
    ...(diagnostics.length === 0 ? [] : [linter]),
    `- ${opening("edit_diff_history")}: what they changed before, as diffs, the latest last; the last ones tell the most about what comes next, the first ones perhaps nothing;`,
    `- ${opening("area_around_code_to_edit")}: the lines to edit with those around them;`,
    `- ${unifiedCursor}: where their cursor is. They may have stopped in the middle of a word or a statement.`,
    "",
    "Find out what they are about, then carry it on by one step: finish what is half written, make the change that their last ones call for, mend what these have broken. Stay with what they are doing; improve nothing that they have not touched. What they have just changed you do not change back, unless it is plainly a slip. Write as the code around is written, with its indentation. If you are not sure that something has to change, nothing does.",
    "",
    "Answer in one of three ways, with nothing in front and nothing behind:",
    `- ${edit}, below it all of the lines to edit as they will be, changed or not, below them ${closing(edit)};`,
    `- ${insert}, below it new text, below that ${closing(insert)}, if something is only to be added at the cursor: the first line goes in at the cursor, in front of what remains of its line, further lines below that line;`,
    `- ${noChange} alone, if nothing has to change.`,
    "",
    `Repeat no line from outside of the lines to edit, and no mark: neither ${opening("code_to_edit")} nor ${unifiedCursor}.`,
  ].join("\n");
}

function user(input: NextEditPromptInput): string {
  const { path, page, area, window, viewed, history, diagnostics } = input;
  const shown = new PromptLines(input);
  const snippets = viewed.map(({ path, text }) =>
    section("recently_viewed_code_snippet", `code_snippet_file_path: ${path}\n${text.replace(/\r?\n$/, "")}\n`),
  );
  const edits = history.map((edit) => `--- ${edit.path}\n+++ ${edit.path}\n${pastEditDiff(edit, shown, 0)}`);
  const problems = diagnostics.map(({ line, severity, message }) => `line ${line + 1}: ${severity}: ${message}\n`);
  return [
    section("recently_viewed_code_snippets", snippets.join("")),
    section("current_file_content", `current_file_path: ${path}\n${shown.show(page)}`),
    problems.length === 0 ? "" : section("linter", problems.join("")),
    section("edit_diff_history", edits.join("")),
    section(
      "area_around_code_to_edit",
      [
        shown.show({ start: area.start, end: window.start }),
        section("code_to_edit", shown.show(window, unifiedCursor)),
        shown.show({ start: window.end, end: area.end }),
      ].join(""),
    ),
  ].join("");
}
