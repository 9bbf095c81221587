import fc from "fast-check";
import { expect, test } from "vitest";
import { EditHistory } from "../../context/index.ts";
import { Edit, Lines } from "../../text/index.ts";
import type { Moment } from "../next-edit-source.ts";
import { TextIndex } from "../text-index.ts";
import { ExampleSource } from "./example-source.ts";

const path = "src/a.ts";

/** Lines such as people repeat, of a few words, with brackets, strings, comments and what is broken. */
const line = fc
  .tuple(
    fc.constantFrom("", "  ", "    "),
    fc.array(fc.constantFrom("one", "two(", "three", ")", "= ", ", ", '"', "{", "} ", "// ", "await ", ";", ".", "x"), {
      maxLength: 7,
    }),
  )
  .map(([indent, parts]) => indent + parts.join(""));

/** A text, and edits of lines of it: each line becomes another, goes, or gets one in front. */
const scenes = fc.record({
  lines: fc.array(line, { minLength: 3, maxLength: 14 }),
  edits: fc.array(fc.record({ at: fc.nat(), fresh: fc.array(line, { maxLength: 2 }), takes: fc.nat(1) }), {
    minLength: 1,
    maxLength: 3,
  }),
  elsewhere: fc.array(line, { maxLength: 6 }),
});

type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;

class Person {
  readonly files = new TextIndex();
  readonly history = new EditHistory({ maxEntries: 1_000 });
  #cursor = 0;

  constructor({ lines, edits }: Scene) {
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

  get moment(): Moment {
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

test("edits lie in their text, change it, and leave alone what was just written", () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const person = new Person(scene);
      const { text, history } = person.moment;
      for (const { edit, likelihood, place } of new ExampleSource().propose(person.moment)) {
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

test("whoever accepts one after the other comes to an end", () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const person = new Person(scene);
      const source = new ExampleSource();
      let accepted = 0;
      for (; accepted <= 200; accepted++) {
        const [first] = source.propose(person.moment);
        if (first === undefined) break;
        person.edit(first.edit!);
      }
      expect(accepted).toBeLessThanOrEqual(200);
    }),
  );
});

test("what is proposed in a file does not depend on other files, nor on what was asked before", () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const [alone, among] = [new Person(scene), new Person(scene)];
      const source = new ExampleSource();
      among.files.update("src/b.ts", `${scene.elsewhere.join("\n")}\n`);
      Array.from(source.propose(among.moment));
      const own = (proposals: ReturnType<ExampleSource["propose"]>) =>
        [...proposals].filter((one) => one.path === path).map(({ edit, likelihood }) => [`${edit!}`, likelihood]);
      expect(own(source.propose(among.moment))).toEqual(own(new ExampleSource().propose(alone.moment)));
    }),
  );
});
