import { nameWords } from "../../text/index.ts";
import { Attention, attentionFeatures, attentionPlaceFeatures, maxVisits } from "./attention.ts";
import { closerOf } from "./brackets.ts";
import { contextNames, farContexts, nearContexts, shapeWidth } from "./context-walker.ts";
import type { Corpus } from "./corpus.ts";
import type { ImportTable } from "./import-table.ts";
import { noNextLine, type OpenDocument } from "./open-document.ts";
import { boundaryId, firstTextId, Gap, isNewline, newlineId, TokenKind, tokenKindCount } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The candidate for the end of the line, whatever its indentation. */
export const lineEndId = newlineId(0, false);

/** The most candidates that are weighed at one place. */
export const maxCandidates = 28;

const farSources = farContexts.length;
const sources = farSources + nearContexts.length;
const maxSlots = 512;
const visitsFar = 80;
const visitsNear = 24;
const maxMatch = 40;

const perSource = 3;
const extra = 41;

/** Numbers that describe one candidate. */
export const candidateFeatures = sources * perSource + extra + tokenKindCount + attentionFeatures;

/** Numbers that describe the place, the same for all its candidates. */
export const placeFeatures = sources * 2 + tokenKindCount * 2 + 20 + attentionPlaceFeatures;

/** Where a candidate may come from, for people. */
export const sourceNames: readonly string[] = [
  ...farContexts.map((context) => `${contextNames[context]!}, workspace`),
  ...nearContexts.map((context) => `${contextNames[context]!}, this file`),
];

/** Which sources of shape may hand over a name by its place instead of by its text. */
const shapeContexts = [3, 4, 11, 13];

/** Contexts of exact text, along which the longest match is measured. */
const exactContexts = [0, 1, 2, 12];

/**
 * Collects what the contexts propose as the next token, and describes each proposal in numbers.
 *
 * Reused from place to place; what it holds is valid until the next {@link gather}.
 */
export class Evidence {
  count = 0;
  readonly ids = new Int32Array(maxCandidates);
  readonly features = new Float32Array(maxCandidates * candidateFeatures);
  readonly place = new Float32Array(placeFeatures);
  /** White space before each candidate. */
  readonly gaps = new Uint8Array(maxCandidates);
  /**
   * The longest match that ends in each candidate, in tokens, and where it was: a place of the far
   * corpus or -1.
   */
  readonly matchLength = new Int32Array(maxCandidates);
  readonly matchPlace = new Int32Array(maxCandidates);
  /** The line break most places agree on. */
  lineBreak = lineEndId;
  readonly #vocabulary: Vocabulary;
  readonly #far: Corpus;
  #stamp = 0;
  #stamps = new Int32Array(0);
  #slots = new Int32Array(0);
  #slotCount = 0;
  readonly #slotIds = new Int32Array(maxSlots);
  readonly #votes = new Float32Array(maxSlots * sources);
  readonly #likeVotes = new Float32Array(maxSlots * farSources);
  readonly #likeTotals = new Float32Array(farSources);
  readonly #latest = new Int32Array(maxSlots);
  readonly #gapVotes = new Float32Array(maxSlots * 3);
  readonly #farMatch = new Int32Array(maxSlots);
  readonly #farPlace = new Int32Array(maxSlots).fill(-1);
  readonly #nearMatch = new Int32Array(maxSlots);
  readonly #origin = new Int32Array(maxSlots);
  readonly #specified = new Float32Array(maxSlots);
  readonly #totals = new Float32Array(sources);
  readonly #score = new Float32Array(maxSlots);
  readonly #order: number[] = [];
  readonly #breakVotes = new Float32Array(firstTextId);

  readonly #imports: ImportTable;
  readonly #attention: Attention;
  /** How like the file of each different visited place is to the open one; so many are known. */
  readonly #likeness = new Float32Array(maxVisits);
  #likenesses = 0;

  constructor(vocabulary: Vocabulary, far: Corpus, imports: ImportTable) {
    this.#imports = imports;
    this.#vocabulary = vocabulary;
    this.#attention = new Attention(vocabulary, maxSlots);
    this.#far = far;
  }

  /**
   * Gathers candidates for the next token of `document`.
   *
   * `typed` restricts them to names that begin with it.
   */
  gather(document: OpenDocument, typed: string): void {
    this.#begin();
    const near = document.corpus;
    const walker = document.walker;
    walker.look();
    const hashes = walker.hashes;
    const end = near.length;
    const widen = typed === "" ? 1 : 4;
    for (const [source, c] of farContexts.entries()) {
      this.#collect(this.#far, c, source, hashes[c]!, visitsFar * widen, document, end, typed);
    }
    for (const [i, c] of nearContexts.entries()) {
      this.#collect(near, c, farSources + i, hashes[c]!, visitsNear * widen, document, end, typed);
    }
    this.#addNearby(document, typed);
    this.#addSpecifiers(document, typed);
    if (typed !== "") this.#addKnown(typed);
    else {
      this.#slot(document.endId === 0 ? lineEndId : document.endId);
      const innermost = document.brackets.innermost;
      if (innermost !== "") {
        const closer = closerOf(innermost);
        const id = this.#vocabulary.get(closer, 0, 1, TokenKind.close);
        if (id >= 0) this.#slot(id);
      }
    }
    this.#attention.compare(document, this.#far.visitedTokens, this.#far.length, this.#slotCount);
    this.#choose(document);
    this.#describePlace(document, typed);
    this.#relate(document);
    for (let i = 0; i < this.count; i++) this.#describe(i, document, typed);
  }

  /** The sources that propose a candidate, the strongest first, in words. */
  contextsOf(index: number): string[] {
    const from = index * candidateFeatures;
    const strength = (s: number): number => this.features[from + s * perSource]! * prior[s]!;
    return sourceNames
      .map((_, s) => s)
      .filter((s) => strength(s) > 0)
      .sort((a, b) => strength(b) - strength(a))
      .slice(0, 3)
      .map((s) => sourceNames[s]!);
  }

  #begin(): void {
    const limit = this.#vocabulary.limit;
    if (this.#stamps.length < limit + 4096) {
      this.#stamps = new Int32Array(limit * 2 + 8192);
      this.#slots = new Int32Array(this.#stamps.length);
      this.#stamp = 0;
    }
    this.#stamp++;
    const used = this.#slotCount;
    this.#votes.fill(0, 0, used * sources);
    this.#likeVotes.fill(0, 0, used * farSources);
    this.#gapVotes.fill(0, 0, used * 3);
    this.#latest.fill(0, 0, used);
    this.#farMatch.fill(0, 0, used);
    this.#nearMatch.fill(0, 0, used);
    this.#farPlace.fill(-1, 0, used);
    this.#origin.fill(0, 0, used);
    this.#specified.fill(0, 0, used);
    this.#slotCount = 0;
    this.#totals.fill(0);
    this.#likeTotals.fill(0);
    this.#breakVotes.fill(0);
    this.#coined = 0;
    this.#attention.begin();
    this.#likenesses = 0;
  }

  #slot(id: number): number {
    if (id >= this.#stamps.length) return -1;
    if (this.#stamps[id] === this.#stamp) return this.#slots[id]!;
    if (this.#slotCount === maxSlots) return -1;
    const slot = this.#slotCount++;
    this.#stamps[id] = this.#stamp;
    this.#slots[id] = slot;
    this.#slotIds[slot] = id;
    return slot;
  }

  #coined = 0;

  #collect(
    corpus: Corpus,
    context: number,
    source: number,
    hash: number,
    limit: number,
    document: OpenDocument,
    end: number,
    typed: string,
  ): void {
    const vocabulary = this.#vocabulary;
    const near = document.corpus.tokens;
    const tokens = corpus.visitedTokens;
    const isFar = source < farSources;
    const mapped = shapeContexts.includes(context);
    const window = context === 3 ? shapeWidth : document.walker.lineLength;
    let total = 0;
    corpus.visit(context, hash, limit, (place) => {
      const token = tokens[place]!;
      let id = token >> 2;
      const kind = vocabulary.kinds[id]!;
      if (mapped && kind === TokenKind.name) id = this.#translate(tokens, place, near, end, window, id, document);
      if (typed !== "") {
        if (!vocabulary.names[id]!.startsWith(typed)) return;
      }
      total++;
      if (isNewline(id)) {
        this.#breakVotes[id]! += isFar ? 1 : 1.5;
        id = document.endId === 0 ? lineEndId : document.endId;
      }
      const slot = this.#slot(id);
      if (slot < 0) return;
      this.#votes[slot * sources + source]!++;
      if (!isFar) this.#attention.visitNear(slot, place);
      else {
        const number = this.#attention.visitFar(slot, place);
        if (number >= this.#likenesses) {
          this.#likenesses = number + 1;
          this.#likeness[number] = this.#likenessOf(document, corpus.documentAt(place));
        }
        // A place that attention has no more room for is compared by itself.
        const like = number < 0 ? this.#likenessOf(document, corpus.documentAt(place)) : this.#likeness[number]!;
        this.#likeTotals[source]! += like;
        this.#likeVotes[slot * farSources + source]! += like;
      }
      this.#gapVotes[slot * 3 + (token & 3)]! += isFar ? 1 : 1.5;
      if (total === 1) this.#latest[slot]! |= 1 << source;
      if (exactContexts.includes(context)) {
        let length = 0;
        while (
          length < maxMatch &&
          tokens[place - 1 - length]! >> 2 === near[end - 1 - length]! >> 2 &&
          near[end - 1 - length]! >= 4
        )
          length++;
        if (isFar) {
          if (length > this.#farMatch[slot]!) {
            this.#farMatch[slot] = length;
            this.#farPlace[slot] = place;
          }
        } else if (length > this.#nearMatch[slot]!) this.#nearMatch[slot] = length;
      }
    });
    this.#totals[source] = total;
  }

  /** How like the document at `index` is to the open one: the cosine of their sets of names. */
  #likenessOf(document: OpenDocument, index: number): number {
    const known = document.likeness[index];
    if (known !== undefined) return known;
    const there = this.#far.signatureAt(index);
    const here = document.signature;
    let both = 0;
    let a = 0;
    let b = 0;
    for (let i = 0; i < there.length; i++) {
      both += bitCount(there[i]! & here[i]!);
      a += bitCount(there[i]!);
      b += bitCount(here[i]!);
    }
    const cosine = both / Math.sqrt(Math.max(1, a * b));
    const like = cosine * cosine * cosine * kinship(document.path, this.#far.paths[index]!) + 0.001;
    document.likeness[index] = like;
    return like;
  }

  /**
   * The name here that corresponds to `id` at the matched place: the name at the same distance
   * before the place, or a name composed in the same way from the names nearby. `id` itself where
   * there is none.
   */
  #translate(
    tokens: Int32Array,
    place: number,
    near: Int32Array,
    end: number,
    window: number,
    id: number,
    document: OpenDocument,
  ): number {
    const vocabulary = this.#vocabulary;
    for (let d = 1; d <= window; d++) {
      const there = tokens[place - d]! >> 2;
      const here = near[end - d]! >> 2;
      if (there === boundaryId || here === boundaryId) break;
      if (there === id) return here;
    }
    if (this.#coined >= 6) return id;
    const name = vocabulary.names[id]!;
    if (name.length < 4) return id;
    for (let d = 1; d <= window; d++) {
      const there = tokens[place - d]! >> 2;
      const here = near[end - d]! >> 2;
      if (there === boundaryId || here === boundaryId) break;
      if (there === here || vocabulary.kinds[there] !== TokenKind.name || vocabulary.kinds[here] !== TokenKind.name)
        continue;
      const coined = recompose(name, vocabulary.names[there]!, vocabulary.names[here]!);
      if (coined === undefined) continue;
      const known = vocabulary.get(coined, 0, coined.length, TokenKind.name);
      if (known >= 0) return known;
      this.#coined++;
      return document.coin(coined, TokenKind.name);
    }
    return id;
  }

  /** Names just before and just after the place. */
  #addNearby(document: OpenDocument, typed: string): void {
    const { corpus, prefixStart } = document;
    const vocabulary = this.#vocabulary;
    const wide = typed !== "";
    let left = wide ? 400 : 40;
    const stop = Math.max(prefixStart, corpus.length - (wide ? 4000 : 400));
    for (let place = corpus.length - 1; place >= stop && left > 0; place--) {
      const id = corpus.tokens[place]! >> 2;
      if (vocabulary.kinds[id] !== TokenKind.name && !(wide && vocabulary.kinds[id] === TokenKind.keyword)) continue;
      if (this.#stamps[id] === this.#stamp) continue;
      if (wide && !vocabulary.names[id]!.startsWith(typed)) continue;
      this.#origin[this.#slot(id)] = 1;
      left--;
    }
    let declared = wide ? 100 : document.walker.inImport ? 60 : document.walker.lineLength < 4 ? 20 : 8;
    for (const id of document.missing) {
      if (wide && !vocabulary.names[id]!.startsWith(typed)) continue;
      if (declared-- === 0) break;
      this.#slot(id);
    }
    let used = wide ? 100 : 20;
    for (const id of document.unused) {
      if (wide && !vocabulary.names[id]!.startsWith(typed)) continue;
      if (used-- === 0) break;
      this.#slot(id);
    }
    for (const id of document.namesAhead) {
      if (wide && !vocabulary.names[id]!.startsWith(typed)) continue;
      const slot = this.#slot(id);
      if (slot >= 0 && this.#origin[slot] === 0) this.#origin[slot] = 2;
    }
  }

  /**
   * The next part of the path of an import, given the names it brings in and what is written of the
   * path.
   */
  #addSpecifiers(document: OpenDocument, typed: string): void {
    if (!document.walker.inString) return;
    const { tokens, length } = document.corpus;
    const vocabulary = this.#vocabulary;
    let written = "";
    let quote = "'";
    let place = length - 1;
    for (; place >= document.prefixStart && length - place < 60; place--) {
      const id = tokens[place]! >> 2;
      if (vocabulary.kinds[id] === TokenKind.quoteOpen) {
        quote = vocabulary.names[id]!;
        break;
      }
      written = vocabulary.names[id]! + written;
    }
    const introducer = vocabulary.names[tokens[place - 1]! >> 2];
    if (introducer !== "from") return;
    const names: string[] = [];
    for (place -= 2; place >= document.prefixStart && length - place < 400; place--) {
      const id = tokens[place]! >> 2;
      const name = vocabulary.names[id]!;
      if (name === "import" || name === "export") break;
      if (vocabulary.kinds[id] === TokenKind.name) names.push(name);
    }
    for (const { text, share } of this.#imports.specifiers(names, document.path)) {
      if (!text.startsWith(written)) continue;
      const rest = text.slice(written.length);
      let id: number;
      if (rest === "") {
        id = vocabulary.get(quote, 0, quote.length, TokenKind.quoteClose);
      } else {
        const token = /^(?:\.\.\/|\.\/|[\p{L}_$][\p{L}\p{N}_$]*|\d[\p{L}\p{N}_$]*|.)/u.exec(rest)![0];
        if (!token.startsWith(typed)) continue;
        const kind = /^[\p{L}_$]/u.test(token)
          ? TokenKind.name
          : /^\d/.test(token)
            ? TokenKind.number
            : TokenKind.punctuation;
        id = vocabulary.get(token, 0, token.length, kind);
        if (id < 0) id = document.coin(token, kind);
      }
      const slot = id < 0 ? -1 : this.#slot(id);
      if (slot >= 0) this.#specified[slot]! += share;
    }
  }

  /** Every known name that begins with what is typed. */
  #addKnown(typed: string): void {
    const vocabulary = this.#vocabulary;
    const found: number[] = [];
    vocabulary.visitInitial(typed, (id) => {
      if (vocabulary.names[id]!.startsWith(typed)) found.push(id);
    });
    found.sort(
      (a, b) => vocabulary.counts[b]! - vocabulary.counts[a]! || vocabulary.hashes[a]! - vocabulary.hashes[b]!,
    );
    for (const id of found.slice(0, 24)) this.#slot(id);
  }

  #choose(document: OpenDocument): void {
    const votes = this.#votes;
    const totals = this.#totals;
    const order = this.#order;
    order.length = 0;
    for (let slot = 0; slot < this.#slotCount; slot++) {
      let score = 0;
      for (let s = 0; s < sources; s++) {
        const count = votes[slot * sources + s]!;
        if (count > 0) score += (prior[s]! * count) / (totals[s]! + 1);
      }
      score += Math.max(this.#farMatch[slot]!, this.#nearMatch[slot]!) * 0.3;
      const id = this.#slotIds[slot]!;
      const standing = document.standings.get(id);
      if (standing !== undefined) {
        if (standing.last >= 0) score += 0.6 / (1 + (document.position - standing.last) / 40);
        if (standing.next >= 0) score += 0.4 / (1 + standing.next / 40);
        if (standing.before === 1 && standing.after === 0) score += standing.imported ? 1.5 : 0.8;
        if (standing.before === 0 && standing.free > 0) score += document.walker.inImport ? 2 : 0.5;
      }
      score += logOf(this.#vocabulary.counts[id]!) * 0.01;
      if (id === lineEndId || id === document.endId) score += 100;
      else if (this.#vocabulary.kinds[id] === TokenKind.close) score += 2;
      score += this.#specified[slot]! * 20;
      this.#score[slot] = score;
      this.#enlist(slot);
    }
    this.count = order.length;
    let best = 0;
    this.lineBreak = lineEndId;
    for (let id = 0; id < firstTextId; id++) {
      if (this.#breakVotes[id]! > best) {
        best = this.#breakVotes[id]!;
        this.lineBreak = id;
      }
    }
  }

  /** Puts `slot` among the best so far, the best first, where it belongs there. */
  #enlist(slot: number): void {
    const order = this.#order;
    if (order.length === maxCandidates) {
      if (!this.#isBefore(slot, order[maxCandidates - 1]!)) return;
      order.pop();
    }
    let at = order.length;
    order.push(slot);
    while (at > 0 && this.#isBefore(slot, order[at - 1]!)) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = slot;
  }

  /**
   * Whether the candidate at `a` is better than that at `b`. Hashes decide between equals, so that
   * ids do not matter.
   */
  #isBefore(a: number, b: number): boolean {
    const difference = this.#score[a]! - this.#score[b]!;
    if (difference !== 0) return difference > 0;
    const { hashes } = this.#vocabulary;
    return hashes[this.#slotIds[a]!]! < hashes[this.#slotIds[b]!]!;
  }

  /** The words of the names on the present line, on the one before, and of the innermost call. */
  #relate(document: OpenDocument): void {
    const { line, before, argument, onLine, above } = this.#related;
    onLine.clear();
    above.clear();
    line.clear();
    before.clear();
    argument.clear();
    const { tokens, length } = document.corpus;
    const vocabulary = this.#vocabulary;
    let breaks = 0;
    let depth = 0;
    for (let place = length - 1; place >= document.prefixStart && length - place < 80; place--) {
      const id = tokens[place]! >> 2;
      const kind = vocabulary.kinds[id]!;
      if (kind === TokenKind.newline) {
        if (++breaks === 2) break;
      } else if (kind === TokenKind.close) depth++;
      else if (kind === TokenKind.open) {
        if (depth > 0) depth--;
        else if (argument.size === 0 && place > document.prefixStart) {
          const head = tokens[place - 1]! >> 2;
          if (vocabulary.kinds[head] === TokenKind.name)
            for (const part of this.#partsOf(head, vocabulary.names[head]!)) argument.add(part);
        }
      } else if (kind === TokenKind.name) {
        (breaks === 0 ? onLine : above).add(id);
        for (const part of this.#partsOf(id, vocabulary.names[id]!)) (breaks === 0 ? line : before).add(part);
      }
    }
  }

  readonly #related = {
    line: new Set<string>(),
    before: new Set<string>(),
    argument: new Set<string>(),
    onLine: new Set<number>(),
    above: new Set<number>(),
  };
  readonly #parts = new Map<number, { name: string; parts: string[] }>();

  #partsOf(id: number, name: string): string[] {
    const known = this.#parts.get(id);
    if (known !== undefined && known.name === name) return known.parts;
    const parts = nameWords(name);
    this.#parts.set(id, { name, parts });
    return parts;
  }

  #describePlace(document: OpenDocument, typed: string): void {
    const place = this.place;
    const vocabulary = this.#vocabulary;
    let f = 0;
    for (let s = 0; s < sources; s++) place[f++] = logOf(this.#totals[s]!) * 0.3;
    const votes = this.#votes;
    const totals = this.#totals;
    const end = this.#slotCount * sources;
    for (let s = 0; s < sources; s++) {
      let most = 0;
      if (totals[s]! > 0) for (let at = s; at < end; at += sources) if (votes[at]! > most) most = votes[at]!;
      place[f++] = most / (totals[s]! + 0.5);
    }
    place.fill(0, f, placeFeatures);
    place[f + vocabulary.kinds[document.walker.last]!] = 1;
    f += tokenKindCount;
    const { brackets } = document;
    place[f++] = document.walker.lineLength === 0 ? 1 : 0;
    place[f++] = Math.log1p(document.walker.lineLength) * 0.3;
    place[f++] = typed === "" ? 0 : 1;
    place[f++] = Math.min(typed.length, 8) / 8;
    place[f++] = document.hasSuffix ? 1 : 0;
    place[f++] = Math.min(brackets.toClose, 3) / 3;
    place[f++] = Math.min(brackets.toCloseEarlier, 3) / 3;
    place[f++] = Math.min(brackets.toOpen, 3) / 3;
    place[f++] = brackets.toClose === 0 && brackets.toOpen === 0 ? 1 : 0;
    place[f++] = document.nextSteps > 0 ? 1 : 0;
    place[f++] = document.nextSteps === 0 ? 1 : 0;
    place[f++] = document.nextSteps < 0 && document.nextSteps > noNextLine ? 1 : 0;
    place[f++] = document.endId === 0 ? 0 : 1;
    place[f++] = document.walker.inString ? 1 : 0;
    place[f++] = document.walker.inComment ? 1 : 0;
    place[f++] = document.walker.inImport ? 1 : 0;
    place[f++] = Math.log1p(document.missing.length) * 0.2;
    place[f + (document.nextLine.length > 0 ? vocabulary.kinds[document.nextLine[0]!]! : 0)] = 1;
    f += tokenKindCount;
    let longest = 0;
    for (let i = 0; i < this.#slotCount; i++) longest = Math.max(longest, this.#farMatch[i]!, this.#nearMatch[i]!);
    place[f++] = Math.log1p(longest) * 0.3;
    place[f++] = Math.log1p(this.#slotCount) * 0.2;
    this.#attention.describePlace(place, f);
    this.#longest = longest;
  }

  #longest = 0;

  #describe(index: number, document: OpenDocument, typed: string): void {
    const slot = this.#order[index]!;
    const id = this.#slotIds[slot]!;
    const vocabulary = this.#vocabulary;
    const out = this.features;
    const votes = this.#votes;
    const { brackets } = document;
    let f = index * candidateFeatures;
    this.ids[index] = id;
    for (let s = 0; s < sources; s++) {
      const count = votes[slot * sources + s]!;
      if (count === 0) {
        out[f++] = out[f++] = out[f++] = 0;
        continue;
      }
      out[f++] = count / (this.#totals[s]! + 0.5);
      out[f++] = logOf(count) * 0.3;
      out[f++] =
        s < farSources
          ? this.#likeVotes[slot * farSources + s]! / (this.#likeTotals[s]! + 0.02)
          : (this.#latest[slot]! >> s) & 1;
    }
    const kind = vocabulary.kinds[id]!;
    const far = this.#farMatch[slot]!;
    const near = this.#nearMatch[slot]!;
    const match = Math.max(far, near);
    out[f++] = logOf(far) * 0.3;
    out[f++] = logOf(near) * 0.3;
    out[f++] = match > 0 && match === this.#longest ? 1 : 0;
    out[f++] = match > 0 ? (match - this.#longest) * 0.1 : -1;
    const standing = document.standings.get(id);
    const before = standing?.before ?? 0;
    const after = standing?.after ?? 0;
    out[f++] = standing !== undefined && standing.last >= 0 ? 1 / (1 + (document.position - standing.last) / 12) : 0;
    out[f++] = standing !== undefined && standing.last >= 0 ? 1 / (1 + (document.position - standing.last) / 120) : 0;
    out[f++] = logOf(before) * 0.3;
    out[f++] = logOf(after) * 0.3;
    out[f++] = standing !== undefined && standing.next >= 0 ? 1 / (1 + standing.next / 12) : 0;
    out[f++] = standing !== undefined && standing.next >= 0 ? 1 / (1 + standing.next / 120) : 0;
    const named = kind === TokenKind.name;
    const name = vocabulary.names[id]!;
    const free = standing?.free ?? 0;
    out[f++] = named && before === 1 && after === 0 && standing!.imported ? 1 : 0;
    out[f++] = named && before === 0 && free > 0 ? Math.log1p(free) * 0.3 + 0.3 : 0;
    out[f++] = standing?.imported ? 1 : 0;
    out[f++] = named && document.walker.inImport && !document.walker.inString && this.#imports.has(name) ? 1 : 0;
    out[f++] = this.#specified[slot]!;
    out[f++] = this.#related.onLine.has(id) ? 1 : 0;
    out[f++] = this.#related.above.has(id) ? 1 : 0;
    out[f++] = document.nextLine.includes(id) ? 1 : 0;
    out[f++] = named && before === 1 && after === 0 ? 1 : 0;
    out[f++] = named && before === 0 && after > 0 ? 1 : 0;
    out[f++] = named && before === 0 && after === 0 ? 1 : 0;
    out[f++] = logOf(Math.max(0, vocabulary.counts[id]! - document.counted * (before + after))) * 0.15;
    const first = name.charCodeAt(0);
    out[f++] = named && first >= 65 && first <= 90 ? 1 : 0;
    out[f++] = named ? Math.min(name.length, 24) / 24 : 0;
    out[f++] = this.#origin[slot] === 1 ? 1 : 0;
    out[f++] = this.#origin[slot] === 2 ? 1 : 0;
    out[f++] = typed === "" ? 0 : typed.length / name.length;
    if (named) {
      const parts = this.#partsOf(id, name);
      const { line, before: above, argument } = this.#related;
      out[f++] = shareOf(parts, line);
      out[f++] = shareOf(parts, above);
      out[f++] = shareOf(parts, argument);
      out[f++] = shareOf(parts, document.pathParts);
      out[f++] =
        argument.size > 0 && parts.length > 0
          ? Math.min(1, argument.size / parts.length) * shareOf(parts, argument)
          : 0;
      out[f++] = line.has(parts.at(-1) ?? "") ? 1 : 0;
    } else {
      for (let i = 0; i < 6; i++) out[f++] = 0;
    }
    // How the candidate fits the brackets that the place still has to close or open.
    const ends = id === lineEndId || id === document.endId;
    out[f++] = ends && brackets.toClose === 0 && brackets.toOpen === 0 ? 1 : 0;
    out[f++] = ends && brackets.toClose > 0 ? 1 : 0;
    out[f++] = ends && brackets.toOpen > 0 ? 1 : 0;
    out[f++] = kind === TokenKind.close ? (brackets.toClose > 0 ? 1 : -1) : 0;
    out[f++] =
      kind === TokenKind.open && brackets.nextToOpen !== "" ? (brackets.nextToOpen === name.at(-1) ? 1 : -1) : 0;
    out[f++] = ends && document.nextSteps > 0 ? 1 : ends && document.nextSteps <= 0 ? -1 : 0;
    const at = document.walker.lineLength;
    out[f++] = id === document.nextLine[at] && at > 0 && sameStart(document, at) ? 1 : 0;
    out[f++] = kind === TokenKind.close && brackets.innermost !== "" && closerOf(brackets.innermost) !== name ? 1 : 0;
    for (let k = 0; k < tokenKindCount; k++) out[f++] = k === kind ? 1 : 0;
    this.#attention.describe(slot, out, f);
    const g = slot * 3;
    const gaps = this.#gapVotes;
    let gap: number = Gap.none;
    if (gaps[g + 1]! > gaps[g]!) gap = Gap.space;
    if (gaps[g]! + gaps[g + 1]! + gaps[g + 2]! === 0) gap = guessGap(document, vocabulary, kind);
    else if (gaps[g + 2]! > gaps[g]! && gaps[g + 2]! > gaps[g + 1]!) gap = Gap.space;
    this.gaps[index] = gap;
    this.matchLength[index] = far;
    this.matchPlace[index] = this.#farPlace[slot]!;
  }
}

/**
 * The logarithm of one more than `count`, a whole number; counts are small, and most are used again
 * and again.
 */
function logOf(count: number): number {
  return count < smallLogs.length ? smallLogs[count]! : Math.log1p(count);
}

const smallLogs = Float64Array.from({ length: 4096 }, (_, i) => Math.log1p(i));

/**
 * A factor for the similarity of two files by their paths: 1.5 for the same folder, times 1.5 for
 * the same file endings; 1 when neither agrees.
 */
function kinship(a: string, b: string): number {
  const folder = a.slice(0, a.lastIndexOf("/") + 1) === b.slice(0, b.lastIndexOf("/") + 1) ? 1.5 : 1;
  return endingOf(a) === endingOf(b) ? folder * 1.5 : folder;
}

/** All of a file's endings: `.test.ts`. */
function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.indexOf(".", 1);
  return dot < 0 ? "" : name.slice(dot);
}

function bitCount(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How much each source is worth when candidates are first sorted out. */
const worth = [1, 2, 3, 1, 2, 2, 2, 1.5, 1, 0.3, 2, 2, 4, 2];
const prior = [...farContexts.map((c) => worth[c]!), ...nearContexts.map((c) => worth[c]! + 1)];

function shareOf(parts: readonly string[], set: ReadonlySet<string>): number {
  if (parts.length === 0 || set.size === 0) return 0;
  let shared = 0;
  for (const part of parts) if (set.has(part)) shared++;
  return shared / parts.length;
}

function sameStart(document: OpenDocument, length: number): boolean {
  const { corpus, nextLine } = document;
  for (let i = 0; i < length; i++) if (corpus.tokens[corpus.length - length + i]! >> 2 !== nextLine[i]) return false;
  return true;
}

/** White space before a token that was never seen in such a place. */
function guessGap(document: OpenDocument, vocabulary: Vocabulary, kind: number): number {
  const last = document.walker.last;
  const lastKind = vocabulary.kinds[last]!;
  if (lastKind === TokenKind.newline || lastKind === TokenKind.boundary) return Gap.none;
  if (lastKind === TokenKind.open || lastKind === TokenKind.quoteOpen) return Gap.none;
  if (kind === TokenKind.close || kind === TokenKind.quoteClose) return Gap.none;
  const text = vocabulary.names[last]!;
  if (text === "." || text === "?." || text === "!" || text === "..." || text === "::" || text === "->" || text === "@")
    return Gap.none;
  if (
    kind === TokenKind.name ||
    kind === TokenKind.keyword ||
    kind === TokenKind.number ||
    kind === TokenKind.quoteOpen
  )
    return Gap.space;
  return Gap.none;
}

/**
 * `name` with the first occurrence of the part `there`, in any case, replaced by `here`: `setName`
 * with `name` and `age` gives `setAge`. The replacement takes the case of the part. `undefined`
 * when `there` is no part of `name`, or is all of it or shorter than three characters.
 */
export function recompose(name: string, there: string, here: string): string | undefined {
  if (there.length < 3 || there.length >= name.length) return undefined;
  const at = name.toLowerCase().indexOf(there.toLowerCase());
  if (at < 0) return undefined;
  const part = name.slice(at, at + there.length);
  let put = here;
  if (part !== there) {
    if (part === part.toUpperCase()) put = here.toUpperCase();
    else if (isUpper(part.charCodeAt(0)) && !isUpper(here.charCodeAt(0))) put = here[0]!.toUpperCase() + here.slice(1);
    else if (!isUpper(part.charCodeAt(0)) && isUpper(here.charCodeAt(0))) put = here[0]!.toLowerCase() + here.slice(1);
  }
  return name.slice(0, at) + put + name.slice(at + there.length);
}

function isUpper(c: number): boolean {
  return c >= 65 && c <= 90;
}
