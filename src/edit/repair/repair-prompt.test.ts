import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { play } from "../fixtures/play.ts";
import { goldenPrompt } from "../node/fixtures/golden-prompt.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = `import { read } from "./read.ts";

export class Counter {
  count = 0;

  add(path: string): void {
    for (const line of read(path)) {
      if (line !== "") {
        this.count++;
      }
    }
  }

  reset(): void {
    this.count = 0;
  }
}
`;
const answer = `@@ 8-9 if (line | this.count
      const text = line.trim();
      if (text !== "" && !text.startsWith("#")) {
        this.count++;
        if (this.count > 100) {
          return;
@@ end
`;

test("the prompts for a broken block, first and again, are those of the golden files", async () => {
  const helpless = "```ts\n  add(path: string): void {\n```\n";
  const scene = { before, answers: [answer, helpless], otherwise: "?", maxRetries: 2 };
  const { model } = await play({ syntax, ...scene, instruction: "コメント行を数えないでください。" });
  const first = goldenPrompt("mend", model.calls[1]!.messages);
  expect(first.actual).toBe(first.expected);
  const again = goldenPrompt("mend-again", model.calls[2]!.messages);
  expect(again.actual).toBe(again.expected);
});
