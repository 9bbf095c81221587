import { expect, test } from "vitest";
import { describeNoSuggestion } from "./explain-outcome.ts";
import type { NoSuggestionReason } from "./outcome.ts";

const cases: readonly (readonly [NoSuggestionReason, string])[] = [
  [
    { kind: "language-off", language: "markdown", setting: "languages.markdown" },
    "Switched off for markdown by complete.languages.markdown; request it by key, or change that setting.",
  ],
  [
    { kind: "language-off", language: "go", setting: "enabled" },
    "Switched off everywhere by complete.enabled; request it by key, or change that setting.",
  ],
  [
    { kind: "in-comment" },
    "Switched off inside comments by complete.comments; request it by key, or change that setting.",
  ],
  [
    { kind: "mid-line", rest: " + somethingThatGoesOnForVeryLong();" },
    'The line continues with "+ somethingThatGoesOnForVeryL…"; ghost text appears automatically only at the end of a line. Request it by key.',
  ],
  [
    { kind: "too-large", characters: 20_000_000, limit: 2_000_000 },
    "The document has 20,000,000 characters, more than the limit of 2,000,000; raise complete.maxDocumentCharacters, or split the document.",
  ],
  [
    { kind: "low-acceptance", score: 0.1, threshold: 0.15 },
    "Filtered out: the score of 0.10 is below 0.15, the threshold of complete.eagerness; request it by key.",
  ],
  [
    { kind: "timed-out", waitedFor: "model", afterMs: 1500, limit: "complete.timeoutMs", model: "ollama:qwen" },
    "No answer of ollama:qwen within 1.5 s, the limit of complete.timeoutMs: raise it, or take a faster model. `emend status` measures the model.",
  ],
  [
    { kind: "timed-out", waitedFor: "prompt", afterMs: 1200, limit: "typing", model: "llamacpp:http://127.0.0.1:8918" },
    "The prompt for llamacpp:http://127.0.0.1:8918 was not ready within 1.2 s, the limit while you type: its server does not count it, or the workspace is still being read. `emend status` tests the server. A request by key waits as long as complete.timeoutMs.",
  ],
  [
    { kind: "timed-out", waitedFor: "prompt", afterMs: 15_000, limit: "complete.timeoutMs", model: "ollama:qwen" },
    "The prompt for ollama:qwen was not ready within 15 s, the limit of complete.timeoutMs: its server does not count it, or the workspace is still being read. `emend status` tests the server.",
  ],
  [
    { kind: "empty", startsWith: "line-break" },
    "The model's answer begins with a line break, but the cursor's line continues.",
  ],
  [
    { kind: "just-deleted", text: ", user.id" },
    '", user.id" was deleted or undone here; it appears automatically again after you type on this line. Request it by key.',
  ],
  [{ kind: "model-failed", code: "unreachable", message: "No\nserver." }, "The model failed (unreachable): No server."],
];

for (const [reason, line] of cases)
  test(`the reason "${reason.kind}" is described as: ${line}`, () => expect(describeNoSuggestion(reason)).toBe(line));
