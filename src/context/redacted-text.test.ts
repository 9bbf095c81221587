import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ContextText, FillRequest } from "../model/index.ts";
import { hideSecrets } from "./hide-secrets.ts";

test("row 5: the compiler rejects prompt context that was not redacted", () => {
  const text = "const a = 1;\n";
  const shown: ContextText = { path: "a.ts", text: hideSecrets(text, "typescript").text };
  // @ts-expect-error: any text may hold secrets.
  const unredacted: ContextText = { path: "a.ts", text };
  // @ts-expect-error: also as a part of a request.
  const request: Pick<FillRequest, "context"> = { context: [{ path: "a.ts", text }] };
  // @ts-expect-error: and a part of what was looked through is another text.
  const part: ContextText = { path: "a.ts", text: shown.text.slice(1) };
  expect([shown.text, unredacted.text, request.context?.length, part.text]).toEqual([text, text, 1, text.slice(1)]);
});

test("row 5: only one file creates texts of the type RedactedText", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const makers = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|laws)\.ts$|(?:^|\/)fixtures\//.test(path))
    .filter((path) =>
      /\bas (?:RedactedText|RedactedPiece|ContextText|NextEditPromptInput|RedactedEdit)\b/.test(
        readFileSync(join(folder, path), "utf8"),
      ),
    );
  expect(makers.map((path) => path.replaceAll("\\", "/")).toSorted()).toEqual([
    "context/hide-secrets.ts",
    // A piece without secrets is the same piece.
    "context/secret-hider.ts",
  ]);
});
