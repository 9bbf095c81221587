import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type VerifierFormatName, verifierFormat, verifierFormatNames } from "./verifier-format.ts";

/** Pieces of tools' outputs, so that random outputs resemble real ones. */
const pieces = fc.constantFrom(
  ...[
    "src/a.ts(1,2): ",
    "a.py:3: ",
    "a.go:3:4: ",
    "error ",
    "error TS1005: ",
    "warning: ",
    "x\n",
    "\n",
    "\r\n",
    "  ",
    "\t",
  ],
  ...['{"filePath": "a", "messages": [', '{"line": 1}', "]}", "[", "{", '"', "}\n", '{"Action":"fail","Test":"T"}\n'],
  ...[
    "FAIL a.ts > b\n",
    "  ● a › b\n",
    "--- FAIL: T (0s)\n",
    "FAIL\tp\t1s\n",
    " --> src/a.rs:1:2\n",
    "test a ... FAILED\n",
  ],
  ...[
    "=== FAILURES ===\n",
    "___ test_a ___\n",
    "E   no\n",
    "FAILED a.py::b - no\n",
    "<testsuite>",
    '<testcase name="a">',
  ],
  ...["<failure>", "</failure>", "<![CDATA[", "&#x110000;", "\u001b[31m", "\u001b]0;", "\u0000", "\ud800", "ü", "⎯⎯⎯⎯"],
);

const output = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
  fc.string(),
);

describe.each(verifierFormatNames)("%s", (name: VerifierFormatName) => {
  const { read } = verifierFormat(name);

  test("law: any output is read without an exception, and numbers count from 0", () => {
    fc.assert(
      fc.property(output, (text) => {
        for (const found of read(text).findings) {
          for (const number of [found.line, found.column, found.endLine, found.endColumn]) {
            expect(number === undefined || (Number.isInteger(number) && number >= 0)).toBe(true);
          }
          expect(found.line === undefined ? found.column : undefined).toBe(undefined);
        }
      }),
    );
  });

  test("law: unread lines give no finding and are unread when they are read again", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { findings, unread } = read(text);
        fc.pre(findings.length === 0);
        expect(read(unread.join("\n")).unread).toEqual(unread);
      }),
    );
  });
});

test("law: an empty output has no findings", () => {
  for (const name of verifierFormatNames) {
    expect(verifierFormat(name).read("")).toEqual({ findings: [], unread: [], isCut: false });
  }
});
