import { expect, test } from "vitest";
import { type ImpactCoverage, type PythonCoverage, printCoverage } from "./impact-coverage.ts";

const queried = { kind: "queried", queried: 0, known: 0, left: 0, files: 1, unchecked: 0, errorsBefore: 0 } as const;

/** The queries to pyright, and the sentences about them; those after `!` are gaps. */
const cases: readonly (readonly [python: PythonCoverage | undefined, sentences: readonly string[]])[] = [
  [undefined, []],
  [{ kind: "not-queried" }, []],
  [{ kind: "missing" }, ["! types of Python are not checked: install pyright"]],
  [{ kind: "failed", message: "It ended." }, ["! types of Python are not checked: It ended"]],
  [queried, ["pyright checked 1 file of Python"]],
  [
    { ...queried, queried: 3, known: 2, files: 2, errorsBefore: 1 },
    ["pyright checked 2 files of Python, 2 of 3 doubtful names settled; 1 error of before left out"],
  ],
  [
    { ...queried, queried: 1000, known: 1, left: 1, unchecked: 2, files: 40 },
    [
      "pyright checked 40 files of Python, 1 of 1,000 doubtful names settled",
      "! 1 doubtful name of Python was not settled, for there were too many",
      "! 2 files of Python that the change reaches at once were not checked, for there were too many",
    ],
  ],
  [
    {
      ...queried,
      leftOut: [
        { path: "a.py", reason: "memory" },
        { path: "b.py", reason: "time" },
        { path: "c.py", reason: "ended" },
      ],
    },
    [
      "pyright checked 1 file of Python",
      "! types of a.py are not known: pyright needs too much memory for it",
      "! types of b.py are not known: pyright needs too much time for it",
      "! types of c.py are not known: pyright ended by itself on it",
    ],
  ],
];

test("printCoverage describes what was queried from pyright, and what was not", () => {
  for (const [python, sentences] of cases) {
    const coverage: ImpactCoverage = {
      ...{ languages: [], blocks: 0, edges: 0, types: { kind: "not-needed" }, unresolvedNames: 0 },
      ...{ skippedChanges: [], skipped: [], ...(python && { python }) },
    };
    const lines = printCoverage(coverage).filter(({ text }) => /python|pyright/i.test(text));
    expect(lines.map(({ kind, text }) => (kind === "gap" ? `! ${text}` : text))).toEqual(sentences);
  }
});

/** What is said of 5 files of Python, and of one other language, after these queries. */
test.each<[string, string, PythonCoverage | undefined, readonly string[]]>([
  ["a checker was not used", "python", undefined, ["names alone, which may be too much or too little"]],
  ["a checker is missing", "python", { kind: "missing" }, ["names alone, which may be too much or too little"]],
  [
    "some files were checked",
    "python",
    { ...queried, files: 2 },
    ["names; what pyright did not check of it may be too much or too little"],
  ],
  [
    "some files were checked, and names were settled",
    "python",
    { ...queried, queried: 3, known: 3, files: 2 },
    ["names, and by types where those are guesses; what pyright did not check of it may be too much or too little"],
  ],
  ["all files were checked", "python", { ...queried, files: 5 }, []],
  [
    "pyright checked another language",
    "go",
    { ...queried, files: 5 },
    ["names alone, which may be too much or too little"],
  ],
])("printCoverage names what is followed by names: %s", (_, language, python, expected) => {
  const coverage: ImpactCoverage = {
    ...{ languages: [{ language, files: 5, precision: "names" }], blocks: 0, edges: 0 },
    ...{
      types: { kind: "not-needed" },
      unresolvedNames: 0,
      skippedChanges: [],
      skipped: [],
      ...(python && { python }),
    },
  };
  const gaps = printCoverage(coverage).filter(({ kind, text }) => kind === "gap" && text.includes("followed by"));
  expect(gaps.map(({ text }) => text)).toEqual(expected.map((how) => `${language} (5 files) is followed by ${how}`));
});
