import { addToGroup, InvariantError } from "../../text/index.ts";
import { suspended } from "../lexing/layouts.ts";
import type { Endings } from "../lexing/lex-reach.ts";
import type { Parser } from "../reading/parser.ts";
import { anySpacing, broken, glued, type Spacing, withTrivia } from "../reading/spacing.ts";
import type { Front, StackNode } from "../reading/stack.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { LexemeEdge, LexemeForest, LexemeTree, OpenGroup, TokenRests } from "./lexeme-forest.ts";
import { isEmpty, type TokenSet, TokenSets } from "./token-set.ts";
import { type KnownState, UnknownBelow } from "./unknown-below.ts";

/** What the top of a stack decides about all tokens. */
export interface TokenVerdict {
  /** The known states, topmost first. */
  readonly known: readonly KnownState[];
  /**
   * Tokens that may come on any such stack on which everything that is begun can also be completed
   * in the hole; without those that less deep verdicts accept.
   */
  readonly accepted: TokenSet;
  /** What depends on the rest of the stack. */
  readonly undecided: Undecided | undefined;
  /** How often it was used. */
  uses: number;
  /** Verdicts with one more known state, by that state; few tops need them. */
  deeper: Map<number, TokenVerdict> | undefined;
}

/** Tokens that have to be checked on the whole stack. */
export interface Undecided {
  /** The number of open questions. */
  readonly size: number;
  readonly edges: readonly { readonly edge: LexemeEdge; readonly spacing: Spacing }[];
  readonly open: readonly { readonly group: OpenGroup; readonly spacing: Spacing }[];
  /** Tokens whose lexeme can't end in the hole, but may continue in the suffix. */
  readonly continuing: readonly OpenGroup[];
  /** What is undecided on a stack after a lexeme. */
  readonly after: readonly { readonly step: VerdictStep; readonly undecided: Undecided }[];
  /** Further undecided tokens of the same stack. */
  readonly also: readonly Undecided[];
}

/** A lexeme that was taken, and the top of one of the resulting stacks. */
export interface VerdictStep extends KnownState {
  readonly match: number;
  readonly spacing: Spacing;
}

/**
 * Whether an open lexeme can end in the hole; `behind`: not in the hole, but perhaps in the suffix.
 */
const canEnd = { no: 0, yes: 1, behind: 2, unknown: 3 } as const;

/**
 * Decides about all tokens of a vocabulary by the top of a stack, and caches the results for all
 * stacks with that top, within a limit.
 */
export class Verdicts {
  readonly forest: LexemeForest;
  readonly #grammar: CompiledGrammar;
  readonly #vocabularySize: number;
  readonly #most: number;
  #sets: TokenSets;
  readonly #unknown: UnknownBelow;
  readonly #hasSpacing: boolean;
  readonly #starts = new Map<number, Map<number, TokenVerdict>>();
  readonly #trees = new Map<number, Map<number, TokenVerdict>>();
  #ends = new PairMap();
  #count = 0;
  #deeperCount = 0;

  /**
   * `vocabularySize`: one more than the highest token number. `most`: the most verdicts on tops
   * alone, and as many on deeper stacks.
   */
  constructor(grammar: CompiledGrammar, forest: LexemeForest, vocabularySize: number, most: number) {
    this.forest = forest;
    this.#grammar = grammar;
    this.#vocabularySize = vocabularySize;
    this.#most = most;
    this.#sets = new TokenSets(vocabularySize);
    this.#unknown = new UnknownBelow(grammar);
    this.#hasSpacing = grammar.virtuals.length > 0;
  }

  /** The number of cached verdicts. */
  get size(): number {
    return this.#count + this.#deeperCount;
  }

  /** Drops verdicts where there are too many, deeper ones first. To be called between masks. */
  trim(): void {
    const isFull = this.#count > this.#most;
    if (!isFull && this.#deeperCount <= this.#most) return;
    for (const verdicts of [this.#starts, this.#trees]) {
      if (isFull) verdicts.clear();
      for (const of of verdicts.values()) for (const verdict of of.values()) verdict.deeper = undefined;
    }
    if (isFull) this.#count = 0;
    this.#deeperCount = 0;
    this.#sets = new TokenSets(this.#vocabularySize);
    this.#ends = new PairMap();
    this.#unknown.forget();
  }

  get #parser(): Parser {
    return this.#unknown.parser;
  }

  /** The verdict on rests of tokens that begin a lexeme, in the modes of the top state. */
  onRests(rests: TokenRests, spacing: Spacing, top: KnownState): TokenVerdict {
    const of = entryOf(this.#starts, rests.id);
    const key = this.#keyOf(spacing, top);
    let verdict = of.get(key);
    if (verdict === undefined) {
      verdict = this.#judge(this.#treesAfter(rests, top), spacing, top);
      of.set(key, verdict);
      this.#count++;
    }
    return verdict;
  }

  /** The verdict on tokens that continue an open lexeme. */
  onTree(tree: LexemeTree, spacing: Spacing, top: KnownState): TokenVerdict {
    const of = entryOf(this.#trees, tree.id);
    const key = this.#keyOf(spacing, top);
    let verdict = of.get(key);
    if (verdict === undefined) {
      verdict = this.#judge([tree], spacing, top);
      of.set(key, verdict);
      this.#count++;
    }
    return verdict;
  }

  /** The verdict with one more known state; it has only what that adds. */
  deeper(verdict: TokenVerdict, below: KnownState): TokenVerdict {
    const key = this.#keyOf(glued, below);
    verdict.deeper ??= new Map();
    let deeper = verdict.deeper.get(key);
    if (deeper === undefined) {
      const known = [...verdict.known, below];
      const findings = new Findings();
      this.#settle(this.#unknown.stack(known), verdict.undecided!, findings);
      deeper = findings.verdict(known, this.#sets);
      verdict.deeper.set(key, deeper);
      this.#deeperCount++;
    }
    return deeper;
  }

  #treesAfter(rests: TokenRests, { state }: KnownState): readonly LexemeTree[] {
    return Array.from(this.#grammar.modesOf[state]!, (mode) => this.forest.after(rests, mode));
  }

  #keyOf(spacing: Spacing, { state, isSuspended }: KnownState): number {
    return state * 8 + (this.#hasSpacing ? spacing * 2 : 0) + (isSuspended ? 1 : 0);
  }

  #judge(trees: readonly LexemeTree[], spacing: Spacing, top: KnownState): TokenVerdict {
    const known = [top];
    const node = this.#unknown.stack(known);
    const findings = new Findings();
    const judged = new Map<number, LexemeEdge[]>();
    for (const tree of trees) {
      for (const group of tree.open) this.#judgeOpen(node, group, spacing, findings);
      for (const edge of tree.edges) {
        // Modes mostly agree.
        if (judged.get(edge.match)?.some((other) => isWithin(edge, other)) === true) continue;
        addToGroup(judged, edge.match, edge);
        this.#judgeEdge(node, edge, spacing, findings);
      }
    }
    return findings.verdict(known, this.#sets);
  }

  #judgeEdge(node: StackNode, edge: LexemeEdge, spacing: Spacing, findings: Findings): void {
    const { match } = edge;
    if (edge.isTrivia) {
      if (
        this.#grammar.layout !== undefined &&
        edge.hasLineBreak &&
        edge.beganWithLineBreak &&
        node.layout !== suspended
      ) {
        findings.addEdge(edge, spacing);
        return;
      }
      findings.accept(edge.ending);
      const known = knownOf(node);
      for (const rests of edge.rests) {
        const verdict = this.onRests(rests, withTrivia(spacing, edge.hasLineBreak), known);
        findings.accept(verdict.accepted);
        if (verdict.undecided === undefined) continue;
        if (this.#unknown.isAlone(node)) findings.addAlso(verdict.undecided);
        else this.#settle(node, verdict.undecided, findings);
      }
      return;
    }
    const front = this.#parser.stacks.alone(node);
    const after = this.#parser.takeMatch(front, match, spacing);
    if (after.isEmpty) return;
    if (
      this.#unknown.isBeyond(after) ||
      !this.#unknown.isCertain(after) ||
      dependsOnRivals(this.#parser, front, edge, spacing, after)
    ) {
      findings.addEdge(edge, spacing);
      return;
    }
    findings.accept(edge.ending);
    for (const next of after.nodes) {
      const known = knownOf(next);
      let inner: Findings | undefined;
      for (const rests of edge.rests) {
        const verdict = this.onRests(rests, glued, known);
        findings.accept(verdict.accepted);
        if (verdict.undecided === undefined) continue;
        inner ??= new Findings();
        this.#settle(next, verdict.undecided, inner);
      }
      if (inner === undefined) continue;
      findings.acceptAll(inner);
      const { undecided } = inner;
      if (undecided !== undefined) findings.addAfter({ match, spacing, ...known }, undecided);
    }
  }

  #judgeOpen(node: StackNode, group: OpenGroup, spacing: Spacing, findings: Findings): void {
    switch (this.#canEnd(node, group.endings, spacing)) {
      case canEnd.yes:
        findings.accept(group.tokens);
        return;
      case canEnd.unknown:
        findings.addOpen(group, spacing);
        return;
      case canEnd.behind:
        findings.addContinuing(group);
        return;
    }
  }

  /** Whether an open lexeme can end in the hole. */
  #canEnd(node: StackNode, endings: Endings, spacing: Spacing): number {
    if (endings.hasTrivia) return canEnd.yes;
    const known = this.#ends.get(endings.id * 4 + spacing, node.id);
    if (known !== absent) return known;
    const found = this.#findEnd(node, endings, spacing);
    this.#ends.set(endings.id * 4 + spacing, node.id, found);
    return found;
  }

  #findEnd(node: StackNode, { matches }: Endings, spacing: Spacing): number {
    const front = this.#parser.stacks.alone(node);
    let found: number = canEnd.no;
    for (const match of matches) {
      const after = this.#parser.takeMatch(front, match, spacing);
      if (this.#unknown.isCertain(after)) return canEnd.yes;
      if (!after.isEmpty) found = canEnd.unknown;
      // The suffix may still change the spacing.
      else if (found === canEnd.no && !this.#parser.takeMatch(front, match, anySpacing).isEmpty) {
        found = canEnd.behind;
      }
    }
    return found;
  }

  /** Decides what the additional states of a stack decide. */
  #settle(node: StackNode, undecided: Undecided, findings: Findings): void {
    for (const { edge, spacing } of undecided.edges) this.#judgeEdge(node, edge, spacing, findings);
    for (const { group, spacing } of undecided.open) this.#judgeOpen(node, group, spacing, findings);
    for (const group of undecided.continuing) findings.addContinuing(group);
    for (const also of undecided.also) this.#settle(node, also, findings);
    for (const { step, undecided: after } of undecided.after) {
      const inner = new Findings();
      this.#settle(stepOn(this.#parser, node, step), after, inner);
      findings.acceptAll(inner);
      const left = inner.undecided;
      if (left !== undefined) findings.addAfter(step, left);
    }
  }
}

const none: readonly never[] = [];

/** Collects decisions about tokens. Lists are created on demand, since most stay empty. */
class Findings {
  #sets: TokenSet[] | undefined;
  #edges: Undecided["edges"][number][] | undefined;
  #open: Undecided["open"][number][] | undefined;
  #continuing: OpenGroup[] | undefined;
  #after: Undecided["after"][number][] | undefined;
  #also: Undecided[] | undefined;
  #size = 0;

  /** Adds tokens that may come. */
  accept(set: TokenSet): void {
    if (isEmpty(set)) return;
    if (this.#sets === undefined) this.#sets = [set];
    else this.#sets.push(set);
  }

  /** Adds the accepted tokens of `others`. */
  acceptAll(others: Findings): void {
    if (others.#sets === undefined) return;
    if (this.#sets === undefined) this.#sets = others.#sets.slice();
    else for (const set of others.#sets) this.#sets.push(set);
  }

  addEdge(edge: LexemeEdge, spacing: Spacing): void {
    this.#size++;
    this.#edges ??= [];
    this.#edges.push({ edge, spacing });
  }

  addOpen(group: OpenGroup, spacing: Spacing): void {
    this.#size++;
    this.#open ??= [];
    this.#open.push({ group, spacing });
  }

  addContinuing(group: OpenGroup): void {
    this.#continuing ??= [];
    this.#continuing.push(group);
  }

  addAfter(step: VerdictStep, undecided: Undecided): void {
    this.#size += undecided.size;
    this.#after ??= [];
    this.#after.push({ step, undecided });
  }

  addAlso(undecided: Undecided): void {
    this.#size += undecided.size;
    this.#also ??= [];
    this.#also.push(undecided);
  }

  get undecided(): Undecided | undefined {
    const isNothingUndecided =
      this.#edges === undefined &&
      this.#open === undefined &&
      this.#continuing === undefined &&
      this.#after === undefined &&
      this.#also === undefined;
    if (isNothingUndecided) return undefined;
    return {
      size: this.#size,
      edges: this.#edges ?? none,
      open: this.#open ?? none,
      continuing: this.#continuing ?? none,
      after: this.#after ?? none,
      also: this.#also ?? none,
    };
  }

  verdict(known: readonly KnownState[], sets: TokenSets): TokenVerdict {
    return { known, accepted: sets.union(this.#sets ?? []), undecided: this.undecided, uses: 0, deeper: undefined };
  }
}

/** The properties of `node` that affect what may come above it. */
export function knownOf({ state, layout }: StackNode): KnownState {
  return { state, isSuspended: layout === suspended };
}

/**
 * Whether taking a lexeme depends on what other modes find in its bytes: on a new line, nothing is
 * inserted before it where another mode can continue. `after` are the stacks after taking it with
 * insertions.
 */
export function dependsOnRivals(
  parser: Parser,
  front: Front,
  { match, rivals }: LexemeEdge,
  spacing: Spacing,
  after: Front,
): boolean {
  if (rivals === 0 || spacing !== broken || !hasSomeMode(parser, front, rivals)) return false;
  return parser.takeMatch(front, match, spacing, false) !== after;
}

/** Whether some stack has one of `modes`, given as bits. */
function hasSomeMode({ grammar }: Parser, front: Front, modes: number): boolean {
  return front.nodes.some(({ state }) => grammar.modesOf[state]!.some((mode) => ((modes >>> mode) & 1) === 1));
}

/**
 * The stack that `step` leads to from `node`. Throws an {@link InvariantError} where the lexeme of
 * `step` leads to no stack with the known state of `step`.
 */
export function stepOn(
  parser: Parser,
  node: StackNode,
  { match, spacing, state, isSuspended }: VerdictStep,
): StackNode {
  for (const next of parser.takeMatch(parser.stacks.alone(node), match, spacing).nodes) {
    if (next.state === state && (next.layout === suspended) === isSuspended) return next;
  }
  throw new InvariantError(`A lexeme does not lead to state ${state}, as it did where less of the stack was known.`);
}

/** Whether `edge` adds nothing to `other`, an edge of the same lexeme. */
function isWithin(edge: LexemeEdge, other: LexemeEdge): boolean {
  return (
    edge.hasLineBreak === other.hasLineBreak &&
    edge.beganWithLineBreak === other.beganWithLineBreak &&
    edge.rivals === other.rivals &&
    isEmpty(edge.ending) &&
    edge.rests.length === other.rests.length &&
    edge.rests.every((rests, i) => rests === other.rests[i])
  );
}

function entryOf(maps: Map<number, Map<number, TokenVerdict>>, id: number): Map<number, TokenVerdict> {
  let entry = maps.get(id);
  if (entry === undefined) {
    entry = new Map();
    maps.set(id, entry);
  }
  return entry;
}
