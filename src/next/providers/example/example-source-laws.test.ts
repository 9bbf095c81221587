import fc from "fast-check";
import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { Edit, Lines } from "../../../text/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { ExampleProvider } from "./example-provider.ts";

const path = "src/a.ts";

/**
 * Lines as people repeat them, of a few words, with brackets, strings, comments and broken code.
 */
const line = fc
  .tuple(
    fc.constantFrom("", "  ", "    "),
    fc.array(fc.constantFrom("one", "two(", "three", ")", "= ", ", ", '"', "{", "} ", "// ", "await ", ";", ".", "x"), {
      maxLength: 7,
    }),
  )
  .map(([indent, parts]) => indent + parts.join(""));

/** A text and edits of its lines: a line is replaced, removed, or gets another before it. */
const cases = fc.record({
  lines: fc.array(line, { minLength: 3, maxLength: 14 }),
  edits: fc.array(fc.record({ at: fc.nat(), fresh: fc.array(line, { maxLength: 2 }), takes: fc.nat(1) }), {
    minLength: 1,
    maxLength: 3,
  }),
  elsewhere: fc.array(line, { maxLength: 6 }),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

class Person {
  readonly files = new TextIndex();
  readonly history = new EditHistory({ maxEntries: 1_000 });
  #cursor = 0;

  constructor({ lines, edits }: Case) {
    this.files.update(path, `${lines.join("\n")}\n`);
    for (const { at, fresh, takes } of edits) {
      const now = Lines.of(this.text);
      const start = at % now.count;
      const end = Math.min(start + takes, now.count - 1);
      const range = { start: now.start(start), end: now.start(Math.max(start, end)) };
      this.edit(Edit.replace(range, fresh.map((one) => `${one}\n`).join("")));
    }
  }

  get text(): string {
    return this.files.textOf(path)!;
  }

  get context(): NextEditContext {
    const { text, files } = this;
    return { path, language: "typescript", text, cursor: this.#cursor, history: this.history.entries(0), files };
  }

  edit(edit: Edit): void {
    const before = this.text;
    this.history.record(path, before, edit, 0);
    this.files.update(path, edit.apply(before));
    this.#cursor = edit.rangesAfter()[0]?.start ?? 0;
  }
}

test("law: proposed edits are inside the text, change it, and keep lines that were just written", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const person = new Person(one);
      const { text, history } = person.context;
      for (const { edit, likelihood, place } of new ExampleProvider().propose(person.context)) {
        const after = edit!.apply(text);
        expect(after).not.toBe(text);
        expect(place.start).toBeLessThanOrEqual(place.end);
        expect(likelihood).toBeGreaterThan(0);
        expect(likelihood).toBeLessThan(1);
        for (const { after: written } of history) for (const one of written) expect(after.split("\n")).toContain(one);
      }
    }),
  );
});

test("law: accepting proposals one after the other comes to an end", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const person = new Person(one);
      const source = new ExampleProvider();
      let accepted = 0;
      for (; accepted <= 200; accepted++) {
        const [first] = source.propose(person.context);
        if (first === undefined) break;
        person.edit(first.edit!);
      }
      expect(accepted).toBeLessThanOrEqual(200);
    }),
  );
});

test("law: the proposals in a file do not depend on other files or on earlier requests", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const [alone, among] = [new Person(one), new Person(one)];
      const source = new ExampleProvider();
      among.files.update("src/b.ts", `${one.elsewhere.join("\n")}\n`);
      Array.from(source.propose(among.context));
      const own = (proposals: ReturnType<ExampleProvider["propose"]>) =>
        [...proposals].filter((one) => one.path === path).map(({ edit, likelihood }) => [`${edit!}`, likelihood]);
      expect(own(source.propose(among.context))).toEqual(own(new ExampleProvider().propose(alone.context)));
    }),
  );
});
