import { LRUCache } from "lru-cache";
import type { AbortOptions } from "../../../async/index.ts";
import { type PastEdit, stepsOf } from "../../../context/index.ts";
import { addToGroup, getOrInsert } from "../../../text/index.ts";
import type { NextEditContext, NextEditProvider, Proposal, ProviderPolicy } from "../next-edit-provider.ts";
import { filesContaining, findSites, type SearchedFiles, type Site } from "./find-sites.ts";
import { examplesOf, type KeyedExample, linesAround } from "./learn-rewrites.ts";
import { ownCloseness } from "./match-rewrite.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import {
  type FileFacts,
  freshWordsOf,
  placeFeatures,
  type RewriteFacts,
  type RewriteFeatures,
  rewriteFeatures,
  Series,
  type SiteFeatures,
  type SitePosition,
  siteLikelihood,
} from "./site-features.ts";
import {
  isNextToOther,
  type JudgedSites,
  type LikelySite,
  linesBetween,
  nearestEdit,
  type Past,
  pastOf,
  SiteNeighbours,
  siteProposals,
} from "./site-proposals.ts";
import { TextLines } from "./text-lines.ts";

/** The most texts whose sites are cached. */
const maxTexts = 100;
/**
 * A rewrite with one example that is this many edits old is left out, unless the edit before it was
 * just repeated.
 */
const maxAgeAlone = 12;
/**
 * The least and most likelihood of a site on a line of an example. Commits give no data about them,
 * since their lines are final.
 */
const left = { least: 0.1, most: 0.25 };
/**
 * The least distance, in lines, between a site and an edit in the commits that the trees were
 * fitted to.
 */
const leastLines = 2;
/** A rewrite without an example among this many recent edits is not searched in other files. */
const maxAgeElsewhere = 8;

/** The rewrites learnt from the history of a request. */
interface LearntRewrites {
  readonly past: Past;
  readonly rewrites: readonly Rewrite[];
}

/** The sites of a rewrite in a file. */
interface FoundSites {
  readonly rewrite: Rewrite;
  readonly sites: readonly Site[];
}

/**
 * Nothing but the similar place confirms an edit by example. The errors of the edits that it
 * repeats are of a change on its way.
 */
export const examplePolicy: ProviderPolicy = {
  ...{ trustGroup: "example", chain: "similar-edits" },
  ...{ needsKnownNames: true, mayAddSimilarErrors: true },
};

/** The options of an {@link ExampleProvider}. */
interface ExampleProviderOptions {
  /** Returns the likelihood of a site, in [0, 1]. Default: trees fitted to real commits. */
  readonly likelihoodOf?: (features: SiteFeatures) => number;
  /** Default: 30 files in all, and 12 for one rewrite, which answers while a person types. */
  readonly searched?: SearchedFiles | undefined;
}

/**
 * Proposes to repeat recent edits at similar places, in any language, on tokens: what an edit
 * changed, with the unchanged code around it, is a pattern with holes, and each place where it
 * matches is proposed with the likelihood that the person makes the same edit there.
 *
 * Lines that were just edited get a low likelihood, and sites that already have the new text are
 * left out. Results are cached by text, for the last 100 texts.
 *
 * Source: anti-unification, Plotkin 1970; edits from examples, Miltner et al., "On the Fly
 * Synthesis of Edit Suggestions", 2019.
 */
export class ExampleProvider implements NextEditProvider {
  readonly origin = "example";
  readonly policy = examplePolicy;
  readonly #texts = new LRUCache<string, TextLines>({ max: maxTexts });
  readonly #examples = new WeakMap<PastEdit, { readonly around: string; readonly examples: readonly KeyedExample[] }>();
  readonly #closeness = new WeakMap<Rewrite, number | undefined>();
  readonly #likelihoodOf: (features: SiteFeatures) => number;
  readonly #searched: SearchedFiles;
  readonly #sitesIn = new WeakMap<TextLines, WeakMap<Rewrite, readonly Site[]>>();
  #rewrites: ReadonlyMap<string, Rewrite> = new Map();

  constructor({ likelihoodOf = siteLikelihood, searched = { inAll: 30, each: 12 } }: ExampleProviderOptions = {}) {
    this.#likelihoodOf = likelihoodOf;
    this.#searched = searched;
  }

  /**
   * Yields places to repeat the recent edits, those in the request's file first, and last those on
   * lines that were just edited. Throws the signal's reason.
   */
  *propose(request: NextEditContext, options?: AbortOptions): Generator<Proposal> {
    const context = lineByLine(request);
    const learnt = this.#learntFrom(context);
    for (const { proposal } of this.#judged(context, learnt, options)) yield proposal;
    yield* this.#leftOnLines(context, learnt);
  }

  /**
   * Yields the proposals of {@link propose} with the features of their likelihood, without those on
   * edited lines. Throws the signal's reason.
   */
  proposeJudged(request: NextEditContext, options?: AbortOptions): Generator<JudgedSites> {
    const context = lineByLine(request);
    return this.#judged(context, this.#learntFrom(context), options);
  }

  /** Removes a file from the cache. */
  forget(path: string): void {
    this.#texts.delete(path);
  }

  #learntFrom(context: NextEditContext): LearntRewrites {
    const past = pastOf(context.history);
    return { past, rewrites: this.#learn(context, past) };
  }

  *#judged(
    context: NextEditContext,
    { past, rewrites }: LearntRewrites,
    options?: AbortOptions,
  ): Generator<JudgedSites> {
    if (rewrites.length === 0) return;
    const seen = new Set<string>();
    try {
      for (const [path, wanted] of this.#filesFor(context, rewrites, past)) {
        options?.signal?.throwIfAborted();
        if (seen.has(path)) continue;
        seen.add(path);
        const text = this.#textAt(path, context.files);
        if (text === undefined) continue;
        const found = wanted.map((rewrite) => ({ rewrite, sites: this.#freeSites(rewrite, path, context, past) }));
        yield* siteProposals(path, text, this.#judgedSites(context, path, text, found, past), this.#likelihoodOf);
      }
    } finally {
      for (const text of this.#texts.values()) text.forgetTokens();
    }
  }

  /**
   * Yields the sites that remain on lines of examples in the current file, as where one of two
   * names in a line was changed. They may be left on purpose, so their likelihood is always low.
   */
  *#leftOnLines(context: NextEditContext, { past, rewrites }: LearntRewrites): Generator<Proposal> {
    const { path } = context;
    const text = this.#textAt(path, context.files);
    if (text === undefined) return;
    const found = rewrites.map((rewrite) => ({ rewrite, sites: this.#sitesOnExamples(rewrite, path, text) }));
    const sites = this.#judgedSites(context, path, text, found, past);
    for (const { proposal } of siteProposals(path, text, sites, this.#likelihoodOf)) {
      // The trees were fitted to other places, so their features are not reported for these.
      const { judged: _, ...rest } = proposal;
      yield { ...rest, likelihood: Math.max(left.least, Math.min(rest.likelihood, left.most)) };
    }
    text.forgetTokens();
  }

  /**
   * Learns rewrites from the history. The same edits give the same objects, so that results cached
   * for them stay valid.
   */
  #learn({ history, files }: NextEditContext, past: Past): readonly Rewrite[] {
    const byKey = new Map<string, [Example, ...Example[]]>();
    const keys: Set<string>[] = [];
    for (const edit of history.toReversed()) {
      const own = new Set<string>();
      keys.push(own);
      for (const { key, example } of this.#examplesOf(edit, files)) {
        own.add(key);
        addToGroup(byKey, key, example);
      }
    }
    past.series = new Series(keys);
    const made = new Map<string, Rewrite>();
    for (const [key, examples] of byKey) {
      const age = past.ageOf(examples[0]);
      const isOld = examples.length === 1 && age >= maxAgeAlone;
      if (isOld && past.series.sequelOf([age]).gap === 0) continue;
      const known = this.#rewrites.get(key);
      const isSame =
        known?.examples.length === examples.length && known.examples.every((one, i) => one === examples[i]);
      made.set(key, isSame ? known : { key, examples });
    }
    this.#rewrites = made;
    return [...made.values()];
  }

  #examplesOf(edit: PastEdit, files: NextEditContext["files"]): readonly KeyedExample[] {
    const text = this.#textAt(edit.path, files);
    if (text === undefined) return [];
    const { lines } = text;
    const linesIn = (from: number, to: number) => {
      const all: string[] = [];
      for (let line = Math.max(0, from); line < Math.min(to, lines.count); line++) all.push(lines.text(line));
      return all;
    };
    const above = linesIn(edit.lines.start - linesAround, edit.lines.start);
    const below = linesIn(edit.lines.end, edit.lines.end + linesAround);
    const around = [...above, ...below].join("\n");
    const known = this.#examples.get(edit);
    if (known?.around === around) return known.examples;
    const examples = examplesOf(edit, above, below);
    this.#examples.set(edit, { around, examples });
    return examples;
  }

  /** Returns the sites of rewrites in a file, each with its likelihood. */
  #judgedSites(
    context: NextEditContext,
    path: string,
    text: TextLines,
    found: readonly FoundSites[],
    past: Past,
  ): readonly LikelySite[] {
    const { cursor, files } = context;
    const edits = past.editsOf.get(path) ?? [];
    const cursorLine = path === context.path ? text.lines.lineAt(Math.min(cursor, text.text.length)) : undefined;
    const neighbours = new SiteNeighbours(found.flatMap(({ sites }) => sites));
    const others = found.filter(({ sites }) => sites.length > 0).length;
    return found.flatMap(({ rewrite, sites }) => {
      if (sites.length === 0) return [];
      const facts = this.#factsOf(rewrite, context, past);
      const file: FileFacts = {
        ...{ path, isOther: cursorLine === undefined, isOpen: files.open.includes(path), sites: sites.length },
        ...{ isLeft: cursorLine === undefined && edits.length > 0, edits: edits.length },
        examples: rewrite.examples.filter(({ edit }) => edit.path === path).length,
        ...{
          age: edits[0]?.age ?? -1,
          rewrites: others,
          newWordShare: shareContained(freshWordsOf(rewrite.examples[0]), text),
        },
      };
      const ofExample = new Map<Example, RewriteFeatures>();
      const below = sites.findIndex(({ first }) => first >= (cursorLine ?? 0));
      const firstBelow = below < 0 ? sites.length : below;
      return sites.map((site, index) => {
        const { example } = site.match;
        const own = ofExample.get(example) ?? rewriteFeatures(rewrite, example, facts);
        ofExample.set(example, own);
        const nearest = nearestEdit(site, edits);
        // Hunks of commits never touch each other, but a person who edits line by line continues in
        // the next line.
        const least = nearest !== undefined && isNextToOther(nearest, edits) ? leastLines : 0;
        const position: SitePosition = {
          lines: cursorLine === undefined ? -1 : Math.max(least, Math.abs(site.first - cursorLine)),
          linesToEdit: nearest === undefined ? -1 : Math.max(least, linesBetween(site, nearest)),
          isAbove: index < firstBelow,
          isNextToExample: nearest !== undefined && rewrite.examples.some(({ edit }) => edit === nearest),
          before: index < firstBelow ? firstBelow - 1 - index : index - firstBelow,
          neighbours: neighbours.of(site),
        };
        const features = { rewrite: own, place: placeFeatures(site, facts, file, position) };
        return { site, features, likelihood: this.#likelihoodOf(features) };
      });
    });
  }

  /** Returns the features of a rewrite that do not depend on a site; cached for one request. */
  #factsOf(rewrite: Rewrite, context: NextEditContext, past: Past): RewriteFacts {
    return getOrInsert(past.facts, rewrite, () => {
      const { examples } = rewrite;
      const ages = new Set(examples.map(past.ageOf));
      return {
        ...{ age: Math.min(...ages), oldestAge: Math.max(...ages), edits: ages.size, history: context.history.length },
        streak: [...ages].filter((age) => age < 5).length,
        recent: [...ages].filter((age) => age < 12).length,
        inNewest: examples.filter(({ edit }) => edit === examples[0].edit).length,
        files: new Set(examples.map(({ edit }) => edit.path)).size,
        skipped: this.#skipped(rewrite, context, past),
        ownCloseness: this.#ownCloseness(rewrite),
        sequel: past.series.sequelOf(ages),
      };
    });
  }

  /** Returns the sites in a file outside edited lines. */
  #freeSites(rewrite: Rewrite, path: string, { files }: NextEditContext, { editsOf }: Past): readonly Site[] {
    const text = this.#textAt(path, files);
    if (text === undefined) return [];
    const taken = editsOf.get(path) ?? [];
    return this.#found(rewrite, text).filter(({ first, end }) =>
      taken.every(({ edit: { lines } }) =>
        first === end ? first < lines.start || lines.end < first : end <= lines.start || lines.end <= first,
      ),
    );
  }

  /**
   * Returns the sites that remain on the lines of the examples, as where one of two names in a line
   * was changed.
   */
  #sitesOnExamples(rewrite: Rewrite, path: string, text: TextLines): readonly Site[] {
    const done = rewrite.examples.map(({ edit }) => edit).filter((edit) => edit.path === path);
    if (done.length === 0) return [];
    return this.#found(rewrite, text).filter(({ first, end }) =>
      done.some(({ lines }) => first < end && lines.start <= first && end <= lines.end),
    );
  }

  /**
   * Counts the sites that the person passed since the first example: in files left since, and in
   * this file between edits.
   */
  #skipped(rewrite: Rewrite, context: NextEditContext, past: Past): number {
    const since = Math.max(...rewrite.examples.map(past.ageOf));
    let count = 0;
    for (const [path, edits] of past.editsOf) {
      const later = edits.filter(({ age }) => age <= since);
      if (later.length === 0) continue;
      const own = rewrite.examples.filter(({ edit }) => edit.path === path).map(({ line }) => line);
      const from =
        own.length > 0
          ? Math.min(...own)
          : path === context.path
            ? Math.min(...later.map(({ edit }) => edit.lines.start))
            : 0;
      const to =
        path === context.path ? Math.max(...later.map(({ edit }) => edit.lines.end)) : Number.POSITIVE_INFINITY;
      count += this.#freeSites(rewrite, path, context, past).filter(({ first }) => from <= first && first < to).length;
    }
    return count;
  }

  /**
   * Yields the files to search with the rewrites to search in each: this file, open files, and the
   * nearest files of the workspace.
   */
  *#filesFor(
    context: NextEditContext,
    rewrites: readonly Rewrite[],
    past: Past,
  ): Generator<readonly [string, readonly Rewrite[]]> {
    const { path, files } = context;
    yield [path, rewrites];
    for (const open of files.open) yield [open, rewrites];
    const fresh = rewrites.filter(({ examples }) => past.ageOf(examples[0]) < maxAgeElsewhere);
    yield* filesContaining(fresh, path, files, this.#searched);
  }

  #found(rewrite: Rewrite, text: TextLines): readonly Site[] {
    const byRewrite = this.#sitesIn.get(text) ?? new WeakMap<Rewrite, readonly Site[]>();
    this.#sitesIn.set(text, byRewrite);
    return getOrInsert(byRewrite, rewrite, () => findSites(rewrite, text));
  }

  #ownCloseness(rewrite: Rewrite): number | undefined {
    if (!this.#closeness.has(rewrite)) this.#closeness.set(rewrite, ownCloseness(rewrite));
    return this.#closeness.get(rewrite);
  }

  #textAt(path: string, files: NextEditContext["files"]): TextLines | undefined {
    const source = files.textOf(path);
    return source === undefined ? undefined : this.#textLines(path, source);
  }

  #textLines(path: string, source: string): TextLines {
    const known = this.#texts.get(path);
    if (known?.text === source) return known;
    const made = new TextLines(source);
    this.#texts.set(path, made);
    return made;
  }
}

/** The share of words that a text contains, in [0, 1]; -1 where there are no words. */
function shareContained(words: readonly string[], text: TextLines): number {
  return words.length === 0 ? -1 : words.filter((word) => text.contains(word)).length / words.length;
}

/**
 * Returns the request context with each line that was edited by itself as an example of its own.
 * Other edits made in several steps stay one, because a line may have become several.
 */
function lineByLine(context: NextEditContext): NextEditContext {
  const isOfLine = ({ before, after }: PastEdit) => before.length === 1 && after.length === 1;
  return {
    ...context,
    history: context.history.flatMap((edit) => (stepsOf(edit).every(isOfLine) ? stepsOf(edit) : [edit])),
  };
}
