import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { invariant } from "../../text/index.ts";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { memberTable } from "../fixtures/member-table.ts";
import { openHole } from "./fill-session.ts";
import { guidedText } from "./guided-text.ts";
import { HoleGuide } from "./hole-guide.ts";
import { MemberGuide, Members } from "./members.ts";

const table = { ring: "area move radius", own: "#secret open", area: "toFixed", far: "?" };

/** The members of a text with its hole at `|`. */
function membersAt(marked: string, source = memberTable(table)) {
  const [before, behind] = marked.split("|") as [string, string];
  return { members: new Members({ before, behind, source }), source };
}

describe("Members: names after a dot", () => {
  // `unknown` names what is refused; `part` what is allowed and may not end yet.
  test.each<[at: string, text: string, expected: string]>([
    ["|", "ring.area", "whole"],
    ["|", "ring.ar", "part"],
    ["|", "ring.aera", "unknown aera at 5 of RING"],
    ["|", "ring.ar;", "unknown ar at 5 of RING"],
    ["|", "ring.area.toFixed()", "whole"],
    ["|", "ring.area.toFix()", "unknown toFix at 10 of AREA"],
    ["|", "ring?.aera", "unknown aera at 6 of RING"],
    ["|", "ring!.area", "whole"],
    ["|", "ring\n  .aera", "unknown aera at 8 of RING"],
    ["|", "ring.\n  aera", "unknown aera at 8 of RING"],
    ["|", "own.#secret", "whole"],
    ["|", "own.#sec", "part"],
    ["|", "own.#other", "unknown #other at 4 of OWN"],
    ["|", "own.secret", "unknown secret at 4 of OWN"],
    ["|", "...ring.move", "whole"],
    ["|", "[...ring, 1.5, a?.5:1]", "whole"],
    ["|", "other.anything.at.all", "whole"],
    ["|", "far.away", "whole"],
    ["|", "ring.", "whole"],
    ["|", "ring.\\u0061era", "whole"],
    // A name that begins before the hole.
    ["ring.|", "area", "whole"],
    ["ring.|", "aera", "unknown aera at 0 of RING"],
    ["ring.a|", "rea", "whole"],
    ["ring.a|", "era", "unknown aera at -1 of RING"],
    ["ring?.mo|", "(1)", "unknown mo at -2 of RING"],
    ["ring|", ".aera", "unknown aera at 1 of RING"],
    ["ring.|", "", "whole"],
    // And one that ends behind it.
    ["|ea()", "ring.ar", "whole"],
    ["|()", "ring.ar", "part"],
    ["ring.|ve()", "mo", "whole"],
    ["ring.|\n  move()", "", "whole"],
    ["ring.|\n  go()", "", "part"],
    ["a = x.|\n  ring.go()", "", "whole"],
  ])("at %s, the text %j is %s", async (marked, text, expected) => {
    const { members } = membersAt(marked);
    await members.prepare(text);
    const unknown = members.tryUnknown(text);
    const printed = unknown && `unknown ${unknown.name} at ${unknown.offset} of ${unknown.of}`;
    expect(printed ?? (members.mayEnd(text) ? "whole" : "part")).toBe(expected);
  });

  it("are any until they were requested, and are requested once", async () => {
    const { members, source } = membersAt("const a = |;");
    expect(members.tryUnknown("ring.aera")).toBeUndefined();
    await members.prepare("ring.ar");
    await members.prepare("ring.aera.toFixed()");
    expect(members.tryUnknown("ring.aera")?.names).toEqual(["area", "move", "radius"]);
    // Nothing behind a name that will not be written is requested.
    expect(source.requests).toEqual(["const a = ring."]);
  });

  it.each([
    ["|", "if (ring.", "if (ring._", "if (ring. | <_> end"],
    ["ring.a|", "b", "", "ring. | <> end"],
    ["ring.|", "b", "_", "ring. | <_> end"],
  ])("are requested for a complete text: at %s, %j", async (marked, text, ended, expected) => {
    const seen: string[] = [];
    const [before, behind] = marked.split("|") as [string, string];
    const members = new Members({
      ...{ before, behind: `${behind} end` },
      source: {
        async membersBetween(typed, rest) {
          seen.push(`${typed} |${rest}`);
          return { kind: "any" };
        },
      },
      endingOf: (soFar) => (soFar === ended ? ` <${soFar.slice(-1)}>` : "wrong"),
    });
    await members.prepare(text);
    expect(seen).toEqual([expected]);
  });

  it("that are unknown are reported", async () => {
    const { members } = membersAt("|");
    await members.prepare("far.away.far.off");
    expect([...members.unknown]).toEqual(["nobody is there"]);
  });

  it("come with what makes them whole, the shortest first", async () => {
    const { members } = membersAt("ring.|");
    await members.prepare("");
    expect(members.endingsOf("")).toEqual(["area", "move", "radius"]);
    expect(members.endingsOf("ra")).toEqual(["dius"]);
    expect(members.endingsOf("area")).toEqual([""]);
    expect(members.endingsOf("area(")).toEqual([]);
  });

  test("law: where a text names no unknown member, neither does any of its prefixes", async () => {
    const piece = fc.constantFrom(
      "ring",
      "own",
      ".",
      "?.",
      "area",
      "ar",
      "#secret",
      "(",
      " ",
      "\n",
      "1",
      "x",
      "...",
      "far",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom("|", "ring.|", "ring.a|"),
        async (pieces, at) => {
          const { members } = membersAt(at);
          const text = pieces.join("");
          await members.prepare(text);
          fc.pre(members.tryUnknown(text) === undefined);
          for (let end = 0; end < text.length; end++) {
            expect(members.tryUnknown(text.slice(0, end)), text.slice(0, end)).toBeUndefined();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("guidedText with a MemberGuide", () => {
  const typescript = compileLanguage("typescript");

  /**
   * The result of the answers of a scripted model, request by request; the last answer is
   * repeated.
   */
  async function run(marked: string, ...answers: readonly string[]) {
    const [before, behind] = marked.split("|") as [string, string];
    const opening = openHole(typescript, { before, behind });
    if (opening.kind !== "open") throw new Error(`${marked} has no hole: ${opening.kind}`);
    const members = new Members({ before, behind, source: memberTable(table) });
    let requestCount = 0;
    const parts = guidedText({
      guide: new MemberGuide(new HoleGuide(opening.hole), members),
      async *ask() {
        yield* answers[Math.min(requestCount++, answers.length - 1)]!.match(/.{1,3}/gs) ?? [];
        return "finished";
      },
    });
    for (;;) {
      const part = await parts.next();
      if (part.done !== true) continue;
      const { kind, text, refusals } = part.value;
      return [
        `${kind}: ${text}`,
        ...refusals.map(({ text: refusedText, cause, offset }) => `${cause} ${offset}: ${refusedText}`),
      ];
    }
  }

  test.each<[what: string, at: string, answers: readonly string[], end: readonly string[]]>([
    ["keeps what is known", "const n = |;", ["ring.area.toFixed()"], ["whole: ring.area.toFixed()"]],
    [
      "asks again for another name",
      "const n = |;",
      ["ring.aera()", "move(1)"],
      ["whole: ring.move(1)", "members 5: aera"],
    ],
    [
      "ends with a name that there is",
      "const n = ring.|;",
      ["nothing"],
      ["closed: area", "members 0: not", "members 0: not"],
    ],
    [
      "refuses a name that ends too soon",
      "const n = |;",
      ["ring.ar + 1", "area"],
      ["whole: ring.area", "members 5: ar +"],
    ],
  ])("%s", async (_, at, answers, end) => expect(await run(at, ...answers)).toEqual(end));

  test("law: an allowed text may end with the guide's ending and names no unknown member", async () => {
    const piece = fc.constantFrom(
      "ring",
      "own",
      ".",
      "?.",
      "ar",
      "area",
      "mo",
      "far",
      "(",
      ")",
      " + ",
      "1",
      ";\n",
      "`${",
      "}`",
      "'",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom("const n = |;", "ring.|", "own.#se|;", "f(|)", "if (ring.a|) {}"),
        async (pieces, marked) => {
          const [before, behind] = marked.split("|") as [string, string];
          const opening = openHole(typescript, { before, behind });
          invariant(opening.kind === "open", marked);
          const members = new Members({ before, behind, source: memberTable(table) });
          const guide = new MemberGuide(new HoleGuide(opening.hole), members);
          const text = pieces.join("");
          await guide.prepare(text);
          fc.pre(guide.allows(text));
          for (let end = 0; end < text.length; end++)
            expect(guide.allows(text.slice(0, end)), text.slice(0, end)).toBe(true);
          const ending = guide.ending(text);
          fc.pre(ending !== undefined);
          expect(guide.mayEnd(text + ending), text + ending).toBe(true);
          expect(members.tryUnknown(text + ending), text + ending).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });
});
