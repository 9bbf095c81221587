import type { OpenDocument } from "./open-document.ts";
import { boundaryId, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Numbers about one candidate. */
export const attentionFeatures = 8;

/** Numbers about the place. */
export const attentionPlaceFeatures = 3;

/** The most visited places that are compared. */
export const maxVisits = 2048;

/** Tokens before a place that are compared one by one, the nearest counting most. */
const alignWidth = 24;
const alignWeights = Float32Array.from({ length: alignWidth + 1 }, (_, i) => 1 / (1 + i * 0.06));

/** How many tokens before and after a place have their names compared, in whatever order. */
const namesBefore = 32;
const namesAfter = 16;

/** Tokens before the open place whose names count as its surroundings. */
const surroundings = 64;

/** Cells of the first look at a name; a power of two. */
const sieve = 4096;

/** How many places are cached within one request: several contexts often lead to the same place. */
const memory = 1024;

/**
 * Compares the surroundings of visited places with those of the open place, and weights the votes
 * of similar places more.
 *
 * Two similarities: _alignment_, the tokens that agree one by one before both places, and
 * _kinship_, the names that both have nearby, where rare names count more. A candidate's share of
 * the exponentially weighted votes is softmax attention over the places visited. Source: Khandelwal
 * et al. 2020, nearest neighbour language models.
 */
export class Attention {
  readonly #vocabulary: Vocabulary;
  /** Visits: which candidate is proposed, and by which of the different places. */
  #visits = 0;
  #farVisits = 0;
  readonly #slots = new Int16Array(maxVisits);
  readonly #visited = new Int16Array(maxVisits);
  /** The different places, with their likenesses and then the weights of their votes. */
  #places = 0;
  #farPlaces = 0;
  readonly #place = new Int32Array(maxVisits);
  readonly #alignment = new Float32Array(maxVisits);
  readonly #kinship = new Float32Array(maxVisits);
  readonly #aligned = new Float32Array(maxVisits);
  readonly #akin = new Float32Array(maxVisits);
  readonly #both = new Float32Array(maxVisits);
  readonly #shares: Float32Array;
  readonly #totals = new Float32Array(4);
  /** How much a name counts that is near the open place; 0 for all others. */
  #worth = new Float32Array(0);
  readonly #marked: number[] = [];
  /**
   * Whether any name with these last bits of its id counts: small enough to stay in the processor's
   * cache.
   */
  readonly #mayCount = new Uint8Array(sieve);
  /** The tokens before the open place, the last first. */
  readonly #before = new Int32Array(alignWidth + 1);
  #question = 0;
  readonly #known = new Int32Array(memory);
  readonly #knownIn = new Int32Array(memory);
  readonly #knownAs = new Int16Array(memory);
  #mostKin = 0;
  #bestFar = 0;
  #bestNear = 0;

  /** `maxSlots` is the maximum number of candidates of one request. */
  constructor(vocabulary: Vocabulary, maxSlots: number) {
    this.#vocabulary = vocabulary;
    this.#shares = new Float32Array(maxSlots * attentionFeatures);
  }

  /** Forgets what was visited. */
  begin(): void {
    this.#visits = this.#farVisits = this.#places = this.#farPlaces = 0;
    this.#question++;
  }

  /**
   * Remembers that `place` of the learnt files proposes the candidate at `slot`. All of these come
   * before those of the open document. Returns the place's number among the different ones; -1 when
   * there is no more room.
   */
  visitFar(slot: number, place: number): number {
    if (this.#visits === maxVisits) return -1;
    const cell = place & (memory - 1);
    if (this.#known[cell] !== place || this.#knownIn[cell] !== this.#question) {
      this.#known[cell] = place;
      this.#knownIn[cell] = this.#question;
      this.#knownAs[cell] = this.#places;
      this.#place[this.#places++] = place;
      this.#farPlaces = this.#places;
    }
    const number = this.#knownAs[cell]!;
    this.#slots[this.#visits] = slot;
    this.#visited[this.#visits++] = number;
    this.#farVisits = this.#visits;
    return number;
  }

  /** Remembers that `place` of the open document proposes the candidate at `slot`. */
  visitNear(slot: number, place: number): void {
    if (this.#visits === maxVisits) return;
    this.#place[this.#places] = place;
    this.#slots[this.#visits] = slot;
    this.#visited[this.#visits++] = this.#places++;
  }

  /**
   * Compares all visited places, of `far` or of the document's own text, with the document's place.
   */
  compare(document: OpenDocument, far: Int32Array, farLength: number, slotCount: number): void {
    this.#mark(document);
    const near = document.corpus.tokens;
    const end = document.corpus.length;
    for (let i = 1; i <= alignWidth; i++) this.#before[i] = near[end - i]! >> 2;
    let mostKin = 1e-6;
    let bestFar = 1e-6;
    let bestNear = 1e-6;
    for (let i = 0; i < this.#farPlaces; i++) {
      const alignment = this.#alignmentOf(far, this.#place[i]!);
      const kinship = this.#kinshipOf(far, this.#place[i]!, farLength);
      this.#alignment[i] = alignment;
      this.#kinship[i] = kinship;
      if (alignment > bestFar) bestFar = alignment;
      if (kinship > mostKin) mostKin = kinship;
    }
    for (let i = this.#farPlaces; i < this.#places; i++) {
      const alignment = this.#alignmentOf(near, this.#place[i]!);
      this.#alignment[i] = alignment;
      if (alignment > bestNear) bestNear = alignment;
    }
    for (const id of this.#marked) this.#worth[id] = this.#mayCount[id & (sieve - 1)] = 0;
    for (let i = 0; i < this.#farPlaces; i++) {
      const alignment = this.#alignment[i]! - bestFar;
      const kinship = this.#kinship[i]!;
      const share = (kinship / mostKin) * (kinship / mostKin);
      this.#akin[i] = share * share;
      this.#aligned[i] = Math.exp(alignment * 0.7);
      this.#both[i] = Math.exp(alignment * 0.5 + (kinship - mostKin) * 1.2);
    }
    for (let i = this.#farPlaces; i < this.#places; i++) {
      this.#aligned[i] = Math.exp((this.#alignment[i]! - bestNear) * 0.7);
    }
    this.#mostKin = mostKin;
    this.#bestFar = bestFar;
    this.#bestNear = bestNear;
    this.#share(slotCount);
  }

  /** Writes the numbers about the candidate at `slot` into `out` from `at` on. */
  describe(slot: number, out: Float32Array, at: number): void {
    const shares = this.#shares;
    const from = slot * attentionFeatures;
    const far = shares[from + 4]!;
    const near = shares[from + 6]!;
    for (let k = 0; k < 4; k++) out[at + k] = shares[from + k]! / (this.#totals[k]! + 1e-3);
    out[at + 4] = far === 0 ? -0.3 : (far - this.#bestFar) * 0.1;
    out[at + 5] = shares[from + 5]! / this.#mostKin;
    out[at + 6] = near === 0 ? -0.3 : (near - this.#bestNear) * 0.1;
    out[at + 7] = Math.max(far, near) * 0.1;
  }

  /** Writes the numbers about the place into `out` from `at` on. */
  describePlace(out: Float32Array, at: number): void {
    out[at] = Math.log1p(this.#mostKin) * 0.5;
    out[at + 1] = this.#bestFar * 0.1;
    out[at + 2] = this.#bestNear * 0.1;
  }

  /** Adds up the votes of like places, candidate by candidate. */
  #share(slotCount: number): void {
    const shares = this.#shares;
    const totals = this.#totals;
    shares.fill(0, 0, slotCount * attentionFeatures);
    totals.fill(0);
    for (let v = 0; v < this.#farVisits; v++) {
      const at = this.#slots[v]! * attentionFeatures;
      const i = this.#visited[v]!;
      shares[at]! += this.#akin[i]!;
      shares[at + 1]! += this.#aligned[i]!;
      shares[at + 2]! += this.#both[i]!;
      totals[0]! += this.#akin[i]!;
      totals[1]! += this.#aligned[i]!;
      totals[2]! += this.#both[i]!;
      if (this.#alignment[i]! > shares[at + 4]!) shares[at + 4] = this.#alignment[i]!;
      if (this.#kinship[i]! > shares[at + 5]!) shares[at + 5] = this.#kinship[i]!;
    }
    for (let v = this.#farVisits; v < this.#visits; v++) {
      const at = this.#slots[v]! * attentionFeatures;
      const i = this.#visited[v]!;
      shares[at + 3]! += this.#aligned[i]!;
      totals[3]! += this.#aligned[i]!;
      if (this.#alignment[i]! > shares[at + 6]!) shares[at + 6] = this.#alignment[i]!;
    }
  }

  /** Sets the weight of each name near the open place. */
  #mark(document: OpenDocument): void {
    const { limit } = this.#vocabulary;
    if (this.#worth.length < limit + 64) this.#worth = new Float32Array(limit * 2 + 8192);
    this.#marked.length = 0;
    const { tokens, length } = document.corpus;
    for (let i = Math.max(document.prefixStart, length - surroundings); i < length; i++)
      this.#markName(tokens[i]! >> 2);
    for (const id of document.namesAhead) this.#markName(id);
  }

  #markName(id: number): void {
    const { kinds, counts } = this.#vocabulary;
    if (kinds[id] !== TokenKind.name || this.#worth[id] !== 0) return;
    this.#worth[id] = 1 / Math.log(4 + counts[id]!);
    this.#mayCount[id & (sieve - 1)] = 1;
    this.#marked.push(id);
  }

  #kinshipOf(tokens: Int32Array, place: number, length: number): number {
    const worth = this.#worth;
    const mayCount = this.#mayCount;
    let kinship = 0;
    for (let i = place - 1; i >= place - namesBefore; i--) {
      const id = tokens[i]! >> 2;
      if (id === boundaryId) break;
      if (mayCount[id & (sieve - 1)] !== 0) kinship += worth[id]!;
    }
    const stop = Math.min(place + namesAfter, length - 1);
    for (let i = place + 1; i <= stop; i++) {
      const id = tokens[i]! >> 2;
      if (id === boundaryId) break;
      if (mayCount[id & (sieve - 1)] !== 0) kinship += worth[id]!;
    }
    return kinship;
  }

  /** How many tokens before both places agree, each in its position, nearer ones counting more. */
  #alignmentOf(tokens: Int32Array, place: number): number {
    const before = this.#before;
    let alignment = 0;
    for (let i = 1; i <= alignWidth; i++) {
      const id = tokens[place - i]! >> 2;
      if (id === boundaryId) break;
      if (id === before[i]) alignment += alignWeights[i]!;
    }
    return alignment;
  }
}
