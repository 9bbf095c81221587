import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { invariant } from "../../text/index.ts";
import { fieldsOfEvents } from "./event-schema.ts";
import { readRecording } from "./read-recording.ts";
import { writeRecording } from "./recording.ts";

const page = readFileSync(new URL("../../../docs/recordings.md", import.meta.url), "utf8");

test("the recording in the documentation is read, and written in the same form", async () => {
  const shown = /<!-- recording -->\n+```text\n([\s\S]*?)```/.exec(page)![1]!;
  const reading = await readRecording(shown);
  invariant(reading.kind === "read", () => JSON.stringify(reading));
  expect(writeRecording(reading.recording)).toBe(shown);
});

test("the table in the documentation has every kind of event with its fields, optional ones with a question mark", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(
    ([, kind, fields]) => `${kind}: ${fields!.replaceAll("`", "")}`,
  );
  expect(rows).toEqual([...fieldsOfEvents()].map(([kind, fields]) => `${kind}: ${fields.join(", ")}`));
});
