import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit } from "../text/index.ts";
import { CodeIndex } from "./code-index.ts";
import { EditHistory } from "./edit-history.ts";
import type { Prompt } from "./prompt.ts";
import { PromptBuilder, type PromptRequest, pathMarker } from "./prompt-builder.ts";
import type { PromptSettings } from "./prompt-settings.ts";
import { estimatingCounter } from "./token-counters.ts";

const counter = estimatingCounter("typescript");

/** A request for the place of `|` in a text. */
function at(marked: string, more: Partial<PromptRequest> & { readonly maxTokens?: number } = {}): PromptRequest {
  const offset = marked.indexOf("|");
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return {
    document: { uri: "file:///w/src/a.ts", language: "typescript", version: 1, text },
    path: "src/a.ts",
    offset,
    counter,
    ...more,
    budget: { maxTokens: more.maxTokens ?? 2_000, suffixShare: 0.15 },
  };
}

function indexOf(files: Readonly<Record<string, string>>): CodeIndex {
  const index = new CodeIndex();
  for (const [path, text] of Object.entries(files)) index.set(path, "typescript", text);
  return index;
}

/** One line a piece: kind, place and status, as `--explain` would order them. */
function outline({ pieces }: Prompt): string[] {
  return pieces.map(({ kind, path, lines, status }) => {
    const range = lines === undefined ? "" : ` [${lines.start}, ${lines.end})`;
    return `${kind} ${path}${range} ${status.kind === "left-out" ? status.reason : status.kind}`;
  });
}

const shop = {
  "src/cart.ts": "export function addToCart(cart: Cart, item: Item) {\n  cart.items.push(item);\n}\n",
  "src/item.ts": "export interface Item {\n  readonly priceInCents: number;\n}\n",
  "src/weather.ts": "export function rainTomorrow() {\n  return true;\n}\n",
};

test("a prompt has both sides of the cursor and related snippets", () => {
  const builder = new PromptBuilder({ index: indexOf(shop) });
  const prompt = builder.assemble(at("const cart = open();\naddToCart(cart, |);\n"));
  expect(prompt.prefix).toBe("const cart = open();\naddToCart(cart, ");
  expect(prompt.suffix).toBe(");\n");
  expect(outline(prompt)).toEqual([
    "marker src/a.ts written",
    "similar src/cart.ts [0, 4) written",
    "before-cursor src/a.ts [0, 2) written",
    "after-cursor src/a.ts [1, 3) written",
  ]);
  expect(prompt.context).toEqual([
    { path: "src/a.ts", text: "// Path: src/a.ts\n" },
    { path: "src/cart.ts", text: shop["src/cart.ts"] },
  ]);
});

test("one more typed character of a name changes only the prefix of a prompt", () => {
  const builder = new PromptBuilder({ index: indexOf(shop) });
  const before = builder.assemble(at("const cart = open();\naddToCart(cart, |);\n"));
  const after = builder.assemble(at("const cart = open();\naddToCart(cart, rainTom|);\n"));
  expect(after.context).toEqual(before.context);
  expect(after.suffix).toBe(before.suffix);
});

test("a prompt has no lines that an open file no longer has", () => {
  const builder = new PromptBuilder({ index: indexOf(shop), settings: { similarity: "off" } });
  const openDocuments = [{ path: "src/cart.ts", language: "typescript", text: "// empty\n" }];
  const prompt = builder.assemble(at("addToCart(cart, |);\n", { openDocuments }));
  expect(outline(prompt).filter((line) => line.includes("cart.ts"))).toEqual([]);
});

test("distant parts of a long file are retrieved like other files, with their current text", () => {
  const far = "export function addToCart(cart: Cart, item: Item) {}\n";
  const filler = (count: number) => Array.from({ length: count }, (_, i) => `// ${i}\n`).join("");
  const learnt = `${far}${filler(400)}`;
  const builder = new PromptBuilder({ index: indexOf({ "src/a.ts": learnt }) });
  const here = `// new\n${learnt}addToCart(|\n`;
  const shown = (text: string, maxTokens: number) =>
    outline(builder.assemble(at(text, { maxTokens }))).filter((line) => line.startsWith("retrieved"));
  expect(shown(here, 600)).toEqual(["retrieved src/a.ts [1, 21) written"]);
  // It fits whole, or does not stand there any more.
  expect(shown(here, 6_000)).toEqual([]);
  expect(shown(here.replace(far, "// gone\n"), 600)).toEqual([]);
});

test("a prompt does not repeat a retrieved part that is in the text around the cursor", () => {
  const far = "export function addToCart(cart: Cart, item: Item) {}\n";
  const filler = (count: number) => Array.from({ length: count }, (_, i) => `// ${i}\n`).join("");
  const text = `${filler(100)}${far}${filler(300)}addToCart(`;
  const builder = new PromptBuilder({ index: indexOf({ "src/a.ts": text }) });
  const prompt = builder.assemble(at(`${text}|\n`, { maxTokens: 1_000 }));
  expect(prompt.prefix).toContain(far);
  expect(prompt.context.map((piece) => piece.text)).toEqual(["// Path: src/a.ts\n"]);
  expect(outline(prompt).at(-1)).toBe("retrieved src/a.ts [90, 110) repeats-another");
});

test("a prompt of a long file fills its budget where a retrieved part is around the cursor already", () => {
  const far = "export function addToCart(cart: Cart, item: Item) {}\n".repeat(15);
  const filler = (count: number) => Array.from({ length: count }, (_, i) => `// ${i}\n`).join("");
  const text = `${filler(600)}${far}${filler(230)}addToCart(`;
  const builder = new PromptBuilder({ index: indexOf({ "src/a.ts": text }) });
  const prompt = builder.assemble(at(`${text}|\n`, { maxTokens: 1_000 }));
  expect(outline(prompt)).toContainEqual(expect.stringMatching(/^retrieved src\/a.ts .* repeats-another$/));
  expect(prompt.tokens).toBeGreaterThan(850);
});

test("law: a prompt of a file that is longer than the budget uses 85 % of it, wherever the cursor was before", () => {
  const line = fc.integer({ min: 0, max: 100 }).map((length) => `${"x".repeat(length)}\n`);
  const texts = fc.array(line, { minLength: 100, maxLength: 400 }).map((lines) => lines.join(""));
  const places = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
  const bytes = { name: "bytes", isExact: true, count: (text: string) => text.length };
  fc.assert(
    fc.property(texts, places, fc.integer({ min: 1_000, max: 2_000 }), (text, offsets, maxTokens) => {
      fc.pre(text.length > maxTokens);
      const builder = new PromptBuilder();
      for (const offset of offsets) {
        const request = { ...at("|"), counter: bytes, offset: offset % text.length };
        const document = { ...request.document, text };
        const prompt = builder.assemble({ ...request, document, budget: { maxTokens, suffixShare: 0.15 } });
        expect(prompt.tokens / maxTokens).toBeGreaterThan(0.85);
        expect(prompt.tokens).toBeLessThanOrEqual(maxTokens);
      }
    }),
  );
});

test("pieces of a prompt keep their order when new pieces are added", () => {
  const builder = new PromptBuilder({ index: indexOf(shop), settings: { similarity: "off" } });
  const order = (text: string) =>
    outline(builder.assemble(at(text)))
      .filter((line) => line.startsWith("retrieved"))
      .map((line) => line.split(" ")[1]);
  const first = order("priceInCents = 1;\nrainTomorrow(|);\n");
  const second = order("rainTomorrow();\npriceInCents = 1;\naddToCart(cart, |);\n");
  expect(first).toEqual(["src/weather.ts", "src/item.ts"]);
  expect(second).toEqual([...first, "src/cart.ts"]);
});

test("a prompt has all editor pieces, the most volatile ones last", () => {
  const history = new EditHistory();
  history.record("src/b.ts", "old\n", Edit.replace({ start: 0, end: 3 }, "new"), 0);
  const prompt = new PromptBuilder({ index: indexOf(shop) }).assemble(
    at('import { addToCart } from "./cart";\naddToCart(|);\n', {
      history,
      nowMs: 1,
      diagnostics: [{ start: 35, end: 44, code: "2554", message: "Expected 2 arguments." }],
      symbols: [{ name: "open", path: "src/open.ts", text: "function open(): Cart;" }],
      gitDiff: "diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n",
      openDocuments: [{ path: "src/open.ts", language: "typescript", text: "addToCart(basket);\n" }],
    }),
  );
  expect(prompt.pieces.filter(({ status }) => status.kind !== "left-out").map(({ kind }) => kind)).toEqual([
    ...["marker", "imports", "symbols", "similar", "similar", "git-diff", "diagnostics", "recent-edits"],
    ...["before-cursor", "after-cursor"],
  ]);
});

test.each([
  ["a usual line", "", true],
  ["a line of 200,000 characters", "x".repeat(200_000), false],
])("row 14: a prompt considers an edit of %s: %s", (_, rest, isConsidered) => {
  const history = new EditHistory();
  history.record("src/b.ts", `old ${rest}\n`, Edit.replace({ start: 0, end: 3 }, "new"), 0);
  const { pieces } = new PromptBuilder().assemble(at("addToCart(|);\n", { history, nowMs: 1 }));
  expect(pieces.some(({ kind }) => kind === "recent-edits")).toBe(isConsidered);
});

test("a prompt has no text of a secret file, open or not", () => {
  const files = { "config/.env": "addToCart = 1\n", ".ssh/cart.ts": shop["src/cart.ts"] };
  const openDocuments = Object.entries(files).map(([path, text]) => ({ path, language: "typescript", text }));
  for (const settings of [{}, { retrieval: false }] satisfies Partial<PromptSettings>[]) {
    const builder = new PromptBuilder({ index: indexOf(files), settings });
    const prompt = builder.assemble(at("addToCart(cart, |);\n", { openDocuments }));
    expect(prompt.pieces.filter(({ path }) => path !== "src/a.ts")).toEqual([]);
  }
});

test("a prompt has redacted keys from other places, but not those around the cursor", () => {
  const token = ["ghp", "_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1A2"].join("");
  const keyed = `export function addToCart(cart) {\n  return call("${token}");\n}\n`;
  const history = new EditHistory();
  history.record("src/b.ts", "old\n", Edit.replace({ start: 0, end: 3 }, `new("${token}")`), 0);
  const prompt = new PromptBuilder({ index: indexOf({ "src/cart.ts": keyed }) }).assemble(
    at(`import { addToCart } from "./cart";\nconst mine = "${token}";\naddToCart(cart, |);\n`, {
      history,
      nowMs: 1,
      symbols: [{ name: "open", path: "src/open.ts", text: `const open = "${token}";` }],
      gitDiff: `diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+"${token}"\n`,
      openDocuments: [{ path: "src/open.ts", language: "typescript", text: `addToCart("${token}");\n` }],
    }),
  );
  expect(prompt.prefix).toContain(token);
  expect(JSON.stringify(prompt.context)).not.toContain(token);
  const hidden = prompt.pieces.filter((piece) => piece.hidden === 1).map(({ kind }) => kind);
  expect(new Set(hidden)).toEqual(new Set(["symbols", "similar", "git-diff", "recent-edits"]));
});

test("law: prefix and suffix of a prompt are whole characters around the cursor, within the budget, and deterministic", () => {
  const line = fc.oneof(
    fc.constantFrom("", "  ", "cart.items", "\u{1f6d2}\u{1f6d2}", "// é", "\ud83d", "x".repeat(300), "/ y"),
    fc.string(),
  );
  const texts = fc
    .tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([lines, ending]) => lines.join(ending));
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 300 }), (text, where, maxTokens) => {
      const builder = new PromptBuilder({ index: indexOf(shop) });
      const offset = where % (text.length + 1);
      const request = { ...at("|"), offset, budget: { maxTokens, suffixShare: 0.15 } };
      const document = { ...request.document, text };
      const prompt = builder.assemble({ ...request, document });
      const cursor = text.indexOf(prompt.prefix + prompt.suffix) < 0 ? -1 : offset;
      expect(cursor).toBe(offset);
      const isTorn = text[offset - 1] === "\r" && text[offset] === "\n";
      const isSplit = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset - 1, offset + 1)) && offset > 0;
      const cut = isTorn || isSplit ? offset - 1 : offset;
      expect(text.slice(0, cut).endsWith(prompt.prefix)).toBe(true);
      expect(text.slice(cut).startsWith(prompt.suffix)).toBe(true);
      expect(prompt.tokens).toBeLessThanOrEqual(maxTokens);
      expect(builder.assemble({ ...request, document })).toEqual(prompt);
    }),
  );
});

test.each([
  ["src/a.ts", "typescript", "// Path: src/a.ts\n"],
  ["run", "python", "# Path: run\n# Language: Python\n"],
  ["a.css", "css", "/* Path: a.css */\n"],
  ["a.json", "json", ""],
  ["a.txt", "plaintext", ""],
  ["a.xyz", "no-such-language", ""],
])("the path marker of %s in %s is %j", (path, language, marker) => expect(pathMarker(path, language)).toBe(marker));
