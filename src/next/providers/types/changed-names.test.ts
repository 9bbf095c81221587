import { describe, expect, test } from "vitest";
import { Edit } from "../../../text/index.ts";
import { isOfTheSameChange, namesOfEdit, namesOfPast } from "./changed-names.ts";

describe("an unresolved name is part of the same change as earlier edits", () => {
  /** `past` and `edit` are `old > new`; the diagnostic is at `«…»`. */
  const cases: readonly (readonly [past: string, edit: string, diagnostic: string, isOne: boolean, code?: string])[] = [
    ["client > clientQuery", "client > clientQuery", "this.«clientQuery»()", true],
    ["f(sql) > f(sql, ctx)", "g(sql) > g(sql, ctx)", "«ctx»", true],
    ["import pg from 'pg' > ", "import pg from 'pg' > ", "«pg».types", true],
    ["import { a } from './old' > import { a } from './new'", "'./old' > './new'", "from «'./new'»", true],
    ["'../old.js' > '../new.js'", "'../old.js' > '../new.js'", "from «'../new.js'»", true],
    ["#own > #other", "#own > #other", "this.«#other»", true],
    ["this.client() > this.clientQuery()", "client > clientQuery", "this.«clientQuery»()", true, "2339"],
    ["  count = 0; >   amount = 0;", "count > amount", "this.«amount»", true, "2339"],
    ["  private count: number; >   private amount: number;", "count > amount", "this.«amount»", true, "2339"],
    ["type A = { count: 1 } > type A = { amount: 1 }", "count > amount", "a.«amount»", true, "2339"],
    ["add(count: number) > add(amount: number)", "count > amount", "this.«amount»", false, "2339"],
    ["this.count += count > this.count += amount", "count > amount", "this.«amount»", false, "2339"],
    ["client > clientQuery", "other > clientQuery", "this.«client»()", false],
    ["client > session", "client > clientQuery", "this.«clientQuery»()", false],
    ["", "client > clientQuery", "this.«clientQuery»()", false],
    ["f(sql) > f(sql, ctx)", "g(sql) > g(sql, ctx)", "«g(sql, ctx)»", false],
    ["pg > pg, pool", "pg > pg, pool", "«pg».types", false],
    ["", "", "«»", false],
    ["port > port, ssl", "port > port, ssl", "{ «ssl» }", false, "2353"],
    ["a > b", "a > b", "let «b»", false, "2451"],
  ];
  const rows = cases.map(
    ([past, edit, diagnostic, isOne, code = "2304"]) => [past, edit, diagnostic, isOne, code] as const,
  );
  test.each(rows)("earlier edit %s, edit %s, diagnostic %s: %s", (past, edit, diagnostic, isOne, code) => {
    const [before = "", after = ""] = past.split(" > ");
    const [old = "", now = ""] = edit.split(" > ");
    const start = diagnostic.indexOf("«");
    const end = diagnostic.indexOf("»") - 1;
    const names = {
      own: namesOfEdit(old, Edit.replace({ start: 0, end: old.length }, now)),
      past: namesOfPast([{ before: [before], after: [after] }]),
    };
    expect(isOfTheSameChange({ code, start, end }, diagnostic.replaceAll(/[«»]/g, ""), names)).toBe(isOne);
  });
});
