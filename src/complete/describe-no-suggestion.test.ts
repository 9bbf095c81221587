import { expect, test } from "vitest";
import { describeNoSuggestion } from "./describe-no-suggestion.ts";
import type { NoSuggestionReason } from "./outcome.ts";

const cases: readonly (readonly [NoSuggestionReason, string])[] = [
  [
    { kind: "language-off", language: "markdown", setting: "languages.markdown" },
    "Switched off for markdown by complete.languages.markdown; ask for it by key, or change that setting.",
  ],
  [
    { kind: "language-off", language: "go", setting: "enabled" },
    "Switched off everywhere by complete.enabled; ask for it by key, or change that setting.",
  ],
  [
    { kind: "in-comment" },
    "Switched off inside comments by complete.comments; ask for it by key, or change that setting.",
  ],
  [
    { kind: "mid-line", rest: " + somethingThatGoesOnForVeryLong();" },
    'The line goes on with "+ somethingThatGoesOnForVeryL…"; ghost text comes by itself only at its end. Ask for it by key.',
  ],
  [
    { kind: "too-large", characters: 20_000_000, limit: 2_000_000 },
    "The document has 20,000,000 characters, more than 2,000,000; raise complete.maxDocumentCharacters, or split it.",
  ],
  [
    { kind: "unwelcome", score: 0.1, threshold: 0.15 },
    "Held back: its score of 0.10 is under 0.15, as complete.eagerness wants it; ask for it by key.",
  ],
  [
    { kind: "timed-out", waitedFor: "model", afterMs: 1500 },
    "No answer within 1.5 s, the limit of complete.timeoutMs; `emend status` measures the model.",
  ],
  [
    { kind: "timed-out", waitedFor: "prompt", afterMs: 1200 },
    "What the model is to be shown was not found within 1.2 s; ask again.",
  ],
  [
    { kind: "empty", startsWith: "line-break" },
    "The model's answer begins with a line break, but the cursor's line goes on.",
  ],
  [
    { kind: "just-deleted", text: ", user.id" },
    '", user.id" was deleted or undone here; it comes by itself again once something is written on this line. Ask for it by key.',
  ],
  [{ kind: "model-failed", code: "unreachable", message: "No\nserver." }, "The model failed (unreachable): No server."],
];

for (const [reason, line] of cases) test(reason.kind, () => expect(describeNoSuggestion(reason)).toBe(line));
