import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { anySource, lex } from "./builtin.laws.ts";
import { ContextWalker, farContexts, nearContexts } from "./context-walker.ts";
import { Corpus, type Region } from "./corpus.ts";
import type { TableBytes } from "./table-memory.ts";
import { isNewline } from "./token.ts";
import { Vocabulary } from "./vocabulary.ts";

const all = 1_000_000;
const anyTexts = fc.array(anySource, { minLength: 1, maxLength: 3 });

/** A corpus of some texts, and where each is. */
function corpusOf(texts: readonly string[], contexts = nearContexts, expectedTokens = 4096) {
  const vocabulary = new Vocabulary();
  const corpus = new Corpus(vocabulary, contexts, expectedTokens);
  const regions = texts.map((text, i) => {
    const { tokens } = lex(text, "typescript", vocabulary);
    return corpus.append(Int32Array.from(tokens), tokens.length, `${i}.ts`);
  });
  return { vocabulary, corpus, regions };
}

/**
 * The hash of each context at every place of some regions, found by reading each from its start.
 */
function hashesOf(vocabulary: Vocabulary, corpus: Corpus, regions: readonly Region[]): Map<number, readonly number[]> {
  const hashes = new Map<number, readonly number[]>();
  for (const { start, end } of regions) {
    const ids = [...corpus.tokens.subarray(start, end)].map((token) => token >> 2);
    const walker = new ContextWalker(vocabulary);
    ids.forEach((id, i) => {
      const lineEnd = ids.findIndex((next, j) => j >= i && isNewline(next));
      walker.setNextLine(
        ...((lineEnd < 0 ? [0, 0] : [ids[lineEnd + 1] ?? 0, ids[lineEnd + 2] ?? 0]) as [number, number]),
      );
      walker.look();
      hashes.set(start + i, [...walker.hashes]);
      walker.push(id);
    });
  }
  return hashes;
}

/** The places that a visit finds. */
function visit(corpus: Corpus, context: number, hash: number, limit = all): number[] {
  const places: number[] = [];
  corpus.visit(context, hash, limit, (place) => places.push(place));
  return places;
}

/**
 * Holds every visit of `corpus` against a look at all places of the regions that are to be seen.
 */
function expectNaiveVisits(
  vocabulary: Vocabulary,
  corpus: Corpus,
  regions: readonly Region[],
  contexts = nearContexts,
) {
  const hashes = hashesOf(vocabulary, corpus, regions);
  const latestFirst = [...hashes.keys()].reverse();
  const [found, naive, strange]: [unknown[], unknown[], number[]] = [[], [], []];
  for (const context of contexts) {
    for (const hash of new Set([...hashes.values()].map((at) => at[context]!))) {
      const isHere = (place: number): boolean => hashes.get(place)?.[context] === hash;
      const places = visit(corpus, context, hash);
      found.push(places.filter(isHere));
      naive.push(latestFirst.filter(isHere));
      // Strangers may be met whose hash agrees in seven bits, but none outside the regions.
      strange.push(...places.filter((place) => ((hashes.get(place)?.[context] ?? ~hash) ^ hash) & 127));
    }
  }
  expect(found).toEqual(naive);
  expect(strange).toEqual([]);
}

/**
 * What every visit finds, by the order of places, so that it can be compared when they have moved.
 */
function answersOf(vocabulary: Vocabulary, corpus: Corpus, regions: readonly Region[]): string {
  const hashes = hashesOf(vocabulary, corpus, regions);
  const order = new Map([...hashes.keys()].map((place, i) => [place, i]));
  const lines: string[] = [];
  for (const [place, at] of hashes) {
    const found = nearContexts.map((context) => visit(corpus, context, at[context]!).map((other) => order.get(other)));
    lines.push([corpus.tokens[place], corpus.paths[corpus.documentAt(place)], ...found].join(" "));
  }
  return lines.join("\n");
}

describe("the corpus of the builtin model", () => {
  law("finds every place with the same context, the latest first", [anyTexts], (texts) => {
    const { vocabulary, corpus, regions } = corpusOf(texts);
    expectNaiveVisits(vocabulary, corpus, regions);
  });

  law("finds them when there is more than was expected, and by the contexts asked for", [anyTexts], (texts) => {
    const { vocabulary, corpus, regions } = corpusOf(texts, farContexts, 0);
    expectNaiveVisits(vocabulary, corpus, regions, farContexts);
  });

  law("does not find what is forgotten", [anyTexts, fc.nat()], (texts, chosen) => {
    const { vocabulary, corpus, regions } = corpusOf(texts);
    const [forgotten] = regions.splice(chosen % texts.length, 1);
    corpus.forget(forgotten!);
    // With the boundary before it.
    expect(corpus.dead).toBe(forgotten!.end - forgotten!.start + 1);
    expectNaiveVisits(vocabulary, corpus, regions);
  });

  law("does not find what is hidden, until it is shown again", [anyTexts, fc.nat()], (texts, chosen) => {
    const { vocabulary, corpus, regions } = corpusOf(texts);
    const before = answersOf(vocabulary, corpus, regions);
    const hidden = chosen % texts.length;
    const show = corpus.hide(regions[hidden]!);
    expectNaiveVisits(vocabulary, corpus, regions.toSpliced(hidden, 1));
    show();
    expect(answersOf(vocabulary, corpus, regions)).toEqual(before);
  });

  law("answers as before once it is compact", [anyTexts, fc.array(fc.nat(), { maxLength: 3 })], (texts, chosen) => {
    const { vocabulary, corpus, regions } = corpusOf(texts);
    const kept = new Map(regions.map((region, i) => [`${i}.ts`, region]));
    for (const n of chosen) {
      const path = `${n % texts.length}.ts`;
      if (kept.has(path)) corpus.forget(kept.get(path)!);
      kept.delete(path);
    }
    const before = answersOf(vocabulary, corpus, [...kept.values()]);
    const moved = corpus.compact([...kept].reverse());
    expect(answersOf(vocabulary, corpus, [...moved.values()])).toEqual(before);
    expect([corpus.dead, corpus.documentStarts.length]).toEqual([0, kept.size]);
  });

  law("is the same after a round trip through its tables", [anyTexts, anySource], (texts, more) => {
    const { vocabulary, corpus, regions } = corpusOf(texts);
    const { tables, tokens, groups } = corpus.tables();
    // Of a table that is on the disk nothing but slices can be used.
    const onDisk = (table: TableBytes): TableBytes => {
      const bytes = table.slice(0, table.length);
      return { length: bytes.length, slice: (start, end) => bytes.slice(start, end) };
    };
    const copy = Corpus.of(vocabulary, nearContexts, corpus.describe(), {
      tables: tables.map((table) => table.slice()),
      tokens: onDisk(tokens),
      groups: groups.map(onDisk),
    });
    expect(answersOf(vocabulary, copy, regions)).toEqual(answersOf(vocabulary, corpus, regions));
    const added = lex(more, "typescript", vocabulary).tokens;
    for (const each of [corpus, copy]) regions[texts.length] = each.append(Int32Array.from(added), added.length);
    expect(answersOf(vocabulary, copy, regions)).toEqual(answersOf(vocabulary, corpus, regions));
  });

  law("knows the document of each place", [anyTexts], (texts) => {
    const { corpus, regions } = corpusOf(texts);
    for (const [i, { start, end }] of regions.entries()) {
      for (let place = start; place < end; place++) expect(corpus.documentAt(place)).toBe(i);
    }
  });

  it("finds as many places as requested", () => {
    const { vocabulary, corpus, regions } = corpusOf(["a.b\n".repeat(9)]);
    const [context] = nearContexts as [number];
    const hash = hashesOf(vocabulary, corpus, regions).get(regions[0]!.end - 1)![context]!;
    expect([0, 1, 3, 99].map((limit) => visit(corpus, context, hash, limit).length)).toEqual([0, 1, 3, 9]);
  });

  it("does not link unlinked text and can remove it", () => {
    const { vocabulary, corpus, regions } = corpusOf(["a.b(c)"]);
    const { length } = corpus;
    for (const token of lex("a.b(c)", "typescript", vocabulary).tokens) corpus.appendLoose(token);
    expect(corpus.length).toBe(length + 6);
    expectNaiveVisits(vocabulary, corpus, regions);
    corpus.truncateLoose(length);
    expectNaiveVisits(vocabulary, corpus, regions);
  });

  it("links the requested part of a document", () => {
    const { vocabulary, corpus } = corpusOf([]);
    const { tokens } = lex("a.b\n".repeat(9), "typescript", vocabulary);
    const { start, end } = corpus.append(Int32Array.from(tokens), tokens.length, "a.ts", 8, 24);
    const [context] = nearContexts as [number];
    const hash = hashesOf(vocabulary, corpus, [{ start, end }]).get(start + 14)![context]!;
    expect(visit(corpus, context, hash).map((place) => place - start)).toEqual([22, 18, 14, 10]);
  });

  it("is empty when it is cleared", () => {
    const { vocabulary, corpus, regions } = corpusOf(["a.b(c)", "a.b(d)"]);
    const hashes = [...hashesOf(vocabulary, corpus, regions).values()];
    corpus.clear();
    expect(hashes.flatMap((at) => nearContexts.flatMap((context) => visit(corpus, context, at[context]!)))).toEqual([]);
    expect(corpus.describe()).toMatchObject({ length: 0, dead: 0, starts: [], paths: [] });
  });
});
