import { expect, test } from "vitest";
import { silentAssertions } from "./lint-tests.ts";

test.each<[code: string, found: readonly string[]]>([
  ["test('a', () => {\n  expect(a).toBe(1);\n});", []],
  ["test('a', () => {\n  if (b) expect(a).toBe(1);\n});", ["2: an expect depends on an if"]],
  ["test('a', () => {\n  if (expect(a)) b();\n});", []],
  ["test('a', () => {\n  b ? expect(a) : c;\n});", ["2: an expect depends on a ?:"]],
  ["test('a', () => {\n  b && expect(a).toBe(1);\n});", ["2: an expect depends on a logical operator"]],
  ["try { a(); }\ncatch (error) { expect(error).toBe(1); }", ["2: an expect depends on a catch"]],
  ["switch (a) {\n  case 1: expect(b).toBe(1);\n}", ["2: an expect depends on a switch"]],
  ["if (a) test('b', () => {\n  expect(b).toBe(1);\n});", []],
  ["fc.property(a, (b) => {\n  if (b) return;\n  expect(b).toBe(1);\n});", ["2: a test or property returns early"]],
  ["fc.asyncProperty(a, async (b) => {\n  if (b) {\n    return;\n  }\n});", ["3: a test or property returns early"]],
  ["test.each(a)('b', (c) => {\n  if (c) return;\n});", ["2: a test or property returns early"]],
  ["list.forEach((one) => {\n  if (one) return;\n});", []],
  ["test('a', () => {\n  const b = (c) => {\n    if (c) return;\n  };\n});", []],
])("silentAssertions of %j", (code, found) => {
  expect(silentAssertions(code)).toEqual(found);
});
