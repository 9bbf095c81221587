import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeSize } from "../../page/column-layout.ts";
import { listAndGraphScript as pageScript } from "../../page/list-and-graph.ts";
import { printCoverage } from "../impact-coverage.ts";
import type { AffectedView, BlockView, ImpactView } from "../impact-view.ts";
import { readDot } from "./fixtures/read-dot.ts";
import { readMarkup } from "./fixtures/read-markup.ts";
import { sarifProblems } from "./fixtures/sarif-shape.ts";
import { drawImpact } from "./impact-links.ts";
import { toImpactDot } from "./impact-to-dot.ts";
import { layOutImpact, pageStyle, toImpactHtml } from "./impact-to-html.ts";
import { toImpactJson } from "./impact-to-json.ts";
import { toImpactSarif } from "./impact-to-sarif.ts";

function blockOf(name: string, path = "src/a b/ü.ts"): BlockView {
  return {
    ...{ id: `${path}|function:${name}`, path, kind: "function", name, isGone: false },
    ...{ line: 3, column: 1, endLine: 4, endColumn: 2 },
  };
}

const relations = ["called-by", "used-by"] as const;

/** A view with blocks of these names: one change, and a chain of paths from it. */
function viewOf(names: readonly string[], statuses: readonly AffectedView["status"][] = ["to-do"]): ImpactView {
  const [first = "f", ...others] = names;
  const change = blockOf(first);
  const blocks = others.map((name) => blockOf(name));
  return {
    ...{ between: "HEAD and <the work tree>", minLikelihood: 0.35 },
    changes: [
      {
        ...{ label: "MMS", words: "signature changed", block: change },
        ...{ removedNames: ["<b>"], addedNames: ['"c"'], changedNames: [] },
      },
    ],
    affected: blocks.map((block, index) => ({
      ...{ block, status: statuses[index % statuses.length]!, likelihood: 0.9 / (index + 1), isBroken: false },
      path: [
        { block: change },
        ...blocks.slice(0, index + 1).map((step) => ({ block: step, relation: relations[index % 2]!, words: "calls" })),
      ],
      ...{ change: 0, signs: [], reasons: [`calls function ${first} (signature changed)`] },
    })),
    coverage: {
      languages: [{ language: "typescript", files: 2, precision: "names" }],
      ...{ blocks: 3, edges: 2, types: { kind: "failed", message: "It & they failed." }, unresolvedNames: 1 },
      skippedChanges: [{ path: "a.png", reason: "binary by its name: .png" }],
      skipped: [{ reason: "ignored", count: 4, examples: ["dist"] }],
    },
  };
}

/** Names with characters that one of the notations has to escape. */
const wild = [
  'say("<hi>") & go',
  "back\\slash\\",
  "</script><script>",
  "line\nend",
  "ünï𝒸\ud800",
  "%41",
  "--> ]]>",
  "",
];
const anyName = fc.oneof(fc.constantFrom(...wild), fc.string({ unit: "binary", maxLength: 12 }));
const anyView = fc
  .tuple(
    fc.uniqueArray(anyName, { minLength: 1, maxLength: 8 }),
    fc.array(fc.constantFrom("to-do" as const, "touched" as const, "possible" as const), { minLength: 1 }),
  )
  .map(([names, statuses]) => viewOf(names, statuses));

describe("whatever the names are", () => {
  test("the SARIF log is valid and has a result for each block to do", () => {
    fc.assert(
      fc.property(anyView, fc.boolean(), (view, all) => {
        const log = toImpactSarif(view, { version: "1.0.0", all });
        expect(sarifProblems(JSON.parse(JSON.stringify(log)))).toEqual([]);
        const reported = view.affected.filter(({ status }) => status === "to-do" || (all && status === "possible"));
        expect(log).toMatchObject({ runs: [{ results: reported.map(() => expect.anything()) }] });
      }),
    );
  });

  test("the DOT graph can be parsed and has each block once", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const { nodes, edges } = readDot(toImpactDot(view, { all: true }));
        const drawing = drawImpact(view, { all: true });
        const written = (id: string) => id.replaceAll("\n", "\\n");
        expect([...nodes.keys()].sort()).toEqual(drawing.nodes.map(({ block }) => written(block.id)).sort());
        expect(edges.length).toBe(drawing.links.length);
        for (const { from, to } of edges) expect([nodes.has(from), nodes.has(to)]).toEqual([true, true]);
      }),
    );
  });

  test("the HTML page is well-formed and has no external links", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const page = toImpactHtml(view);
        const elements = readMarkup(page);
        const rows = elements.filter(({ name, attributes }) => name === "li" && attributes.has("data-id"));
        expect(rows.length).toBe(view.affected.length);
        expect(elements.filter(({ name }) => name === "script").length).toBe(1);
        for (const { name, attributes } of elements) {
          expect(["a", "link", "img", "iframe", "object", "use", "base"]).not.toContain(name);
          for (const attribute of attributes.keys())
            expect(attribute).not.toMatch(/^(src|href|xlink:href|action|on.*)$/);
        }
      }),
    );
  });

  test("the drawing has no two blocks at one position, and each link connects two blocks", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const { nodes, links, width, height } = layOutImpact(drawImpact(view, { all: true }));
        expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
        for (const { x, y } of nodes) {
          expect([x >= 0, y >= 0, x + nodeSize.width <= width, y + nodeSize.height <= height]).not.toContain(false);
        }
        expect(links.length).toBe(drawImpact(view, { all: true }).links.length);
      }),
    );
  });
});

test("style and script of the page load nothing and contain no `<` or `&`", () => {
  for (const part of [pageStyle, pageScript]) {
    expect(part).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|fetch|XMLHttpRequest|WebSocket|import\(/i);
    expect(part).not.toMatch(/[<&]/);
  }
  // It is a program.
  expect(() => new Function(pageScript)).not.toThrow();
});

test("only the likeliest of many blocks are drawn, and the number of the others is shown", () => {
  const names = Array.from({ length: 400 }, (_, index) => `f${index}`);
  const view = { ...viewOf(names), affected: viewOf(names).affected.map((one) => ({ ...one, path: [] })) };
  const page = toImpactHtml(view);
  expect(page).toContain("249 less likely blocks are not drawn");
  expect(readMarkup(page).filter(({ attributes }) => attributes.get("class")?.startsWith("node")).length).toBe(150);
});

test("the changes are drawn where no block is affected", () => {
  const view = { ...viewOf(["f"]), affected: [] };
  expect([...readDot(toImpactDot(view)).nodes.keys()]).toEqual(["src/a b/ü.ts|function:f"]);
  expect(readMarkup(toImpactHtml(view)).length).toBeGreaterThan(10);
});

test("unread files are listed one by one, or grouped where there are many", () => {
  const skipped = (paths: readonly string[], reason: string) => paths.map((path) => ({ path, reason }));
  const coverage = {
    ...viewOf(["f"]).coverage,
    skippedChanges: [
      ...skipped(["a.png"], "binary by its name: .png"),
      ...skipped(["a.ts", "b.ts", "c.ts", "d.ts"], "generated by its content: do not edit"),
      ...skipped(["big.ts"], "2000000 bytes, more than 1000000"),
    ],
  };
  const gaps = printCoverage(coverage).flatMap(({ kind, text }) =>
    kind === "gap" && / read/.test(text) ? [text] : [],
  );
  expect(gaps).toEqual([
    "The change of a.png was not read: binary by its name: .png",
    "The changes of 4 files were not read, generated by its content: a.ts, b.ts, c.ts, …",
    "The change of big.ts was not read: 2000000 bytes, more than 1000000",
  ]);
});

test("the counts in the JSON match its lists", () => {
  const view = viewOf(["f", "g", "h", "i"], ["to-do", "touched", "possible"]);
  expect(toImpactJson(view).counts).toEqual({ changes: 1, toDo: 1, touched: 1, possible: 1 });
});

describe("the checks themselves find what is wrong", () => {
  const [result] = (toImpactSarif(viewOf(["f", "g"]), { version: "1" }) as { runs: { results: object[] }[] }).runs[0]!
    .results;
  const logWith = (one: object) => {
    const log = structuredClone(toImpactSarif(viewOf(["f", "g"]), { version: "1" })) as {
      runs: { results: object[] }[];
    };
    log.runs[0]!.results = [one];
    return sarifProblems(log).length > 0;
  };
  test.each<[string, object]>([
    ["a rule that is not declared", { ...result, ruleId: "other" }],
    ["a rank above 100", { ...result, rank: 101 }],
    ["a level that is none", { ...result, level: "bad" }],
    ["a property that SARIF does not have", { ...result, severity: "high" }],
    ["a result without a message", { ...result, message: undefined }],
  ])("SARIF with %s", (_, one) => expect(logWith(one)).toBe(true));
  test.each([["<p>a</b>"], ["<p>a"], ["<p>a & b</p>"], ['<p a="1" a="2"></p>'], ["<p a=1></p>"]])("%s", (markup) => {
    expect(() => readMarkup(markup)).toThrow();
  });
  test.each([["digraph a { b -> ; }"], ['digraph a { "b" [label="c]; }'], ["graph a {}"], ["digraph a {"]])(
    "%s",
    (dot) => {
      expect(() => readDot(dot)).toThrow();
    },
  );
});
