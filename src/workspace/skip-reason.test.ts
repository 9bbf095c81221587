import { expect, test } from "vitest";
import { printSkipReason, type SkipReason } from "./skip-reason.ts";

const rule = { excluded: true, file: ".gitignore", lineNumber: 3, pattern: "*.log" };
const cases: readonly (readonly [SkipReason, string])[] = [
  [{ kind: "ignored", rule }, "ignored by .gitignore:3: *.log"],
  [{ kind: "secret", by: "name", detail: ".env" }, "secret by its name: .env"],
  [{ kind: "output", folder: "target", detail: "CACHEDIR.TAG" }, "output folder target: CACHEDIR.TAG"],
  [{ kind: "oversized", size: 12, maxBytes: 10 }, "12 bytes, more than 10"],
  [{ kind: "link", refusal: "outside", target: "/etc" }, "link out of the workspace: /etc"],
  [{ kind: "link", refusal: "loop" }, "link back to itself"],
];

for (const [reason, line] of cases)
  test(`printSkipReason prints "${line}"`, () => expect(printSkipReason(reason)).toBe(line));
