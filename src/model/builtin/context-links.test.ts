import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { ContextLinks, FreezeRoom } from "./context-links.ts";

const slotBits = 6;
const all = 1_000_000;
/** One for all, so that each begins with what another left. */
const room = new FreezeRoom();

/** A hash whose slot and check are the two parts, and whose other bits are set. */
const hashOf = (slot: number, check: number): number => (slot << 26) | (0x7ffff << 7) | check;

type Step =
  | { readonly kind: "link"; readonly hashes: readonly number[] }
  | { readonly kind: "freeze"; readonly places: number }
  | { readonly kind: "forget"; readonly start: number; readonly count: number };

const anyHash = fc
  .tuple(fc.constantFrom(0, 1, 15, 16, 62, 63), fc.constantFrom(0, 1, 64, 127))
  .map(([slot, check]) => hashOf(slot, check));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("link" as const), hashes: fc.array(anyHash, { minLength: 1, maxLength: 20 }) }),
  fc.record({ kind: fc.constant("freeze" as const), places: fc.constantFrom(1, 7, Number.POSITIVE_INFINITY) }),
  fc.record({ kind: fc.constant("forget" as const), start: fc.nat(60), count: fc.nat(10) }),
);

const visit = (links: ContextLinks, hash: number, tokens: Int32Array, limit = all): number[] => {
  const places: number[] = [];
  links.visit(hash, limit, { tokens }, (place) => places.push(place));
  return places;
};

const freeze = (links: ContextLinks, tokens: Int32Array, end: number, places: number, hasBoundaries = false) =>
  [...links.freezeInParts({ tokens, end, hasBoundaries, places, room })].length;

describe("links by one context", () => {
  law("find the places that a list finds, frozen or not", [fc.array(anyStep, { maxLength: 8 })], (steps) => {
    const links = new ContextLinks(slotBits);
    const tokens = new Int32Array(1000);
    const hashes: (number | undefined)[] = [];
    for (const step of steps) {
      if (step.kind === "link") {
        links.reserve(hashes.length + step.hashes.length + 1);
        // A place without a link is between two texts.
        hashes.push(undefined);
        for (const hash of step.hashes) {
          tokens[hashes.length] = 8;
          links.link(hashes.push(hash) - 1, hash);
        }
      } else if (step.kind === "freeze") freeze(links, tokens, hashes.length, step.places, true);
      else tokens.fill(0, step.start, Math.min(step.start + step.count, hashes.length));
    }
    const found = [...new Set(hashes)].map((hash) => (hash === undefined ? [] : visit(links, hash, tokens)));
    const listed = [...new Set(hashes)].map((hash) =>
      hash === undefined
        ? []
        : [...hashes.keys()].filter((place) => hashes[place] === hash && tokens[place]! >= 4).reverse(),
    );
    expect(found).toEqual(listed);
  });

  it("visit at most the requested number of places, linked ones first", () => {
    const links = new ContextLinks(slotBits);
    const tokens = new Int32Array(10).fill(8);
    links.reserve(10);
    for (const place of [0, 1, 2, 3]) links.link(place, 5);
    freeze(links, tokens, 4, all);
    links.reserve(10);
    for (const place of [4, 5]) links.link(place, 5);
    expect([1, 2, 3, 5, 9].map((limit) => visit(links, 5, tokens, limit))).toEqual([
      [5],
      [5, 4],
      [5, 4, 3],
      [5, 4, 3, 2, 1],
      [5, 4, 3, 2, 1, 0],
    ]);
  });

  it("keep the latest 480 places of a context when they are frozen", () => {
    const links = new ContextLinks(slotBits);
    const tokens = new Int32Array(1000).fill(8);
    links.reserve(1000);
    for (let place = 0; place < 1000; place++) links.link(place, place < 10 ? 9 : 5);
    freeze(links, tokens, 1000, all);
    expect([visit(links, 5, tokens).length, visit(links, 5, tokens).at(-1)]).toEqual([480, 520]);
    expect(visit(links, 9, tokens)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it("reach places beyond 24 bits", () => {
    const end = (1 << 24) + 20;
    const tokens = new Int32Array(end);
    const links = ContextLinks.of(slotBits, end - 10, { offsets: new Uint32Array(5), groups: new Uint8Array() });
    links.reserve(end);
    for (const place of [end - 9, end - 5, end - 1]) {
      tokens[place] = 8;
      links.link(place, 5);
    }
    freeze(links, tokens, end, all);
    expect(visit(links, 5, tokens)).toEqual([end - 1, end - 5, end - 9]);
  });

  it("can be visited between the parts of freezing", () => {
    const links = new ContextLinks(slotBits);
    const tokens = new Int32Array(50).fill(8);
    links.reserve(50);
    for (let place = 0; place < 50; place++) links.link(place, hashOf(place % 2, 3));
    const odd = visit(links, hashOf(1, 3), tokens);
    const parts: number[][] = [];
    for (const _ of links.freezeInParts({ tokens, end: 50, hasBoundaries: false, places: 10, room })) {
      parts.push(visit(links, hashOf(1, 3), tokens));
    }
    expect(parts.length).toBeGreaterThan(10);
    expect(parts).toEqual(parts.map(() => odd));
    expect(visit(links, hashOf(1, 3), tokens)).toEqual(odd);
  });
});
