import { expect, test } from "vitest";
import { Notebooks } from "./notebooks.ts";
import { OpenDocuments } from "./open-documents.ts";

/** Opens documents of `[uri, language, text]`. */
function documentsOf(...rows: readonly (readonly [uri: string, language: string, text: string])[]): OpenDocuments {
  const documents = new OpenDocuments();
  for (const [uri, languageId, text] of rows) documents.open({ uri, languageId, version: 1, text });
  return documents;
}

/** The notebook's text with `>` where the cell begins; `-` for a document that is no cell. */
function around(notebooks: Notebooks, uri: string): string {
  const found = notebooks.textAround(uri);
  return found === undefined ? "-" : `${found.text.slice(0, found.start)}>${found.text.slice(found.start)}`;
}

test("the cells of a notebook are one text in their order, by language", () => {
  const documents = documentsOf(["c:3", "python", "z"], ["c:1", "python", "x"], ["c:2", "markdown", "# y"]);
  const notebooks = new Notebooks(documents);
  notebooks.open("n:1", ["c:1", "c:2", "c:3", "c:closed"]);
  expect([around(notebooks, "c:1"), around(notebooks, "c:3"), around(notebooks, "c:2")]).toEqual([
    ">x\n\nz",
    "x\n\n>z",
    "># y",
  ]);
  notebooks.splice("n:1", 0, 2, ["c:new"]);
  documents.open({ uri: "c:new", languageId: "python", version: 1, text: "new\r\n" });
  expect([around(notebooks, "c:3"), around(notebooks, "c:new"), around(notebooks, "c:1")]).toEqual([
    "new\r\n\n\n>z",
    ">new\r\n\r\n\r\nz",
    "-",
  ]);
  notebooks.splice("n:unknown", 0, 0, ["c:1"]);
  notebooks.close("n:1");
  expect([around(notebooks, "c:3"), around(notebooks, "c:1")]).toEqual(["-", "-"]);
});

test("cells are known by their URIs where the client sends no notebooks", () => {
  const documents = documentsOf(
    ["vscode-notebook-cell:/w/a.ipynb#X10sZmlsZQ%3D%3D", "python", "last"],
    ["vscode-notebook-cell:/w/a.ipynb#W0sZmlsZQ%3D%3D", "python", "first"],
    ["vscode-notebook-cell:/w/b.ipynb#W0sZmlsZQ%3D%3D", "python", "other"],
    ["file:///w/a.py", "python", "file"],
  );
  const notebooks = new Notebooks(documents);
  expect(documents.all.map(({ document: { uri } }) => around(notebooks, uri))).toEqual([
    "first\n\n>last",
    ">first\n\nlast",
    ">other",
    "-",
  ]);
});
