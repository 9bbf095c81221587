import fc from "fast-check";
import { expect, test } from "vitest";
import { Lines } from "../text/index.ts";
import { OpenDocuments } from "./open-documents.ts";
import { Positions } from "./positions.ts";

const uri = "file:///w/a.ts";
const positions = new Positions("utf-16");

function opened(text: string, languageId = "typescript", at = uri): OpenDocuments {
  const documents = new OpenDocuments();
  documents.open({ uri: at, languageId, version: 1, text });
  return documents;
}

const range = (line: number, character: number, endLine: number, endCharacter: number) => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});

test("composes consecutive changes into one edit", () => {
  const documents = opened("ab\ncd\n");
  const changed = documents.change(
    uri,
    [
      { range: range(0, 1, 1, 1), text: "X\nY" },
      { range: range(1, 0, 1, 1), text: "" },
    ],
    { version: 9, positions },
  )!;
  expect(changed.after.document).toMatchObject({ text: "aX\nd\n", version: 9 });
  expect(changed.edit.apply("ab\ncd\n")).toBe("aX\nd\n");
  expect(documents.get(uri)?.document.text).toBe("aX\nd\n");
});

test("reduces a change of the whole text to what differs", () => {
  const documents = opened("ab\ncd\n");
  const { edit } = documents.change(uri, [{ text: "ab\ncXd\n" }], { version: 2, positions })!;
  expect(documents.get(uri)?.document.text).toBe("ab\ncXd\n");
  expect(edit.edits).toEqual([{ start: 4, end: 4, text: "X" }]);
});

test("clamps a range outside of the text, and swaps a reversed one", () => {
  const documents = opened("ab\ncd");
  documents.change(uri, [{ range: range(1, 1, 99, 99), text: "!" }], { version: 2, positions });
  expect(documents.get(uri)?.document.text).toBe("ab\nc!");
  documents.change(uri, [{ range: range(1, 0, 0, 1), text: "" }], { version: 3, positions });
  expect(documents.get(uri)?.document.text).toBe("ac!");
});

test("whatever is sent, the lines are those of the text", () => {
  const places = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6), fc.nat(6)).map((numbers) => range(...numbers));
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "😀", "\ud800") });
  fc.assert(
    fc.property(text, fc.array(fc.oneof(fc.record({ range: places, text }), fc.record({ text }))), (start, changes) => {
      const documents = opened(start);
      const { after, edit } = documents.change(uri, changes, { version: 2, positions })!;
      expect(edit.apply(start)).toBe(after.document.text);
      expect(after.lines.source).toBe(after.document.text);
      expect(after.lines.count).toBe(Lines.of(after.document.text).count);
    }),
  );
});

test("ignores changes of a document that is not open, and closing it twice", () => {
  const documents = opened("a");
  expect(documents.close(uri)?.document.text).toBe("a");
  expect(documents.close(uri)).toBeUndefined();
  expect(documents.change(uri, [{ text: "b" }], { version: 2, positions })).toBeUndefined();
});

test.each([
  ["typescript", "file:///w/a.py", "", "typescript"],
  ["", "file:///w/a.py", "", "python"],
  ["klingon", "file:///w/a.rs", "", "rust"],
  ["klingon", "file:///w/run", "#!/usr/bin/env node\n", "javascript"],
  ["klingon", "untitled:Untitled-1", "", "klingon"],
  ["klingon", "file:///w/a.tlh", "", "klingon"],
  ["klingon", "file:///w/a.txt", "", "plaintext"],
  ["text", "file:///w/README", "", "plaintext"],
  ["", "untitled:Untitled-1", "", "plaintext"],
  ["two words", "untitled:Untitled-1", "", "plaintext"],
  ["python", "untitled:Untitled-1", "", "python"],
])("the language %j of %s is %s", (languageId, at, text, language) => {
  expect(opened(text, languageId, at).get(at)?.document.language).toBe(language);
});

test("keeps one text for a file with several URIs", () => {
  const documents = opened("a", "typescript", "file:///c%3A/x/a%20b.ts");
  expect(documents.get("file:///C:/x/a b.ts")?.document.text).toBe("a");
});
