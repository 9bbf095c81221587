import { type PastEdit, stepsOf } from "../../context/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { filesSaying } from "./files-saying.ts";
import { findSites, type Site } from "./find-sites.ts";
import { examplesOf, type KeyedExample, linesAround } from "./learn-rewrites.ts";
import { ownCloseness } from "./match-rewrite.ts";
import { type Past, pastOf } from "./past.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import { Series } from "./series.ts";
import {
  type FileStanding,
  freshWordsOf,
  placeFeatures,
  type RewriteFeatures,
  type RewriteStanding,
  rewriteFeatures,
  type SiteFeatures,
  type SitePosition,
} from "./site-features.ts";
import { siteLikelihood } from "./site-likelihood.ts";
import { isNextToOther, linesBetween, nearestEdit, SiteNeighbours } from "./site-neighbours.ts";
import { type JudgedSites, type LikelySite, siteProposals } from "./site-proposals.ts";
import { TextLines } from "./text-lines.ts";

/** The most texts of which it is known what was found in them. */
const maxTexts = 100;
/** What was done once, and so many edits ago, is not done again, unless what came before it was just done again. */
const maxAgeAlone = 12;
/** How likely a place on a line of an example is, at the least and at the most: no commit tells, where lines are written once and for all. */
const left = { least: 0.1, most: 0.25 };
/** How far from an edit the nearest place is that commits tell of, in lines. */
const leastLines = 2;
/** A rewrite that was not among so many of the last edits is not looked for in other files. */
const maxAgeElsewhere = 8;

/** What the history of a moment teaches. */
interface Taught {
  readonly past: Past;
  readonly rewrites: readonly Rewrite[];
}

/** Places where a rewrite applies in a file. */
interface FoundSites {
  readonly rewrite: Rewrite;
  readonly sites: readonly Site[];
}

/**
 * Proposes what the last edits did at the other places that look alike, in any language, on tokens: what an edit changed, with what stayed around it,
 * is a pattern with holes, and every place where it matches is told with how likely it is that the person does the same there.
 *
 * On lines that were just edited nothing is likely, and nothing is proposed where the new text stands already. What was found in texts that stay is remembered, for the
 * last {@link maxTexts} of them.
 * Source: anti-unification, Plotkin 1970; edits from examples, Miltner et al., "On the Fly Synthesis of Edit Suggestions", 2019.
 */
export class ExampleSource implements NextEditSource {
  readonly origin = "example";
  readonly #texts = new Map<string, TextLines>();
  readonly #examples = new WeakMap<PastEdit, { readonly around: string; readonly examples: readonly KeyedExample[] }>();
  readonly #closeness = new WeakMap<Rewrite, number | undefined>();
  readonly #likelihoodOf: (features: SiteFeatures) => number;
  readonly #sitesIn = new WeakMap<TextLines, WeakMap<Rewrite, readonly Site[]>>();
  #rewrites: ReadonlyMap<string, Rewrite> = new Map();

  /** `likelihoodOf` says how likely a place is, from 0 to 1; as fitted to real commits unless told. */
  constructor({ likelihoodOf = siteLikelihood }: { readonly likelihoodOf?: (features: SiteFeatures) => number } = {}) {
    this.#likelihoodOf = likelihoodOf;
  }

  *propose(asked: Moment, options?: { readonly signal?: AbortSignal }): Generator<Proposal> {
    const moment = lineByLine(asked);
    const taught = this.#taughtBy(moment);
    for (const { proposal } of this.#judged(moment, taught, options)) yield proposal;
    yield* this.#leftOnLines(moment, taught);
  }

  /** What {@link propose} gives, each with what it was judged by, but for what is left on lines that were edited. */
  proposeJudged(asked: Moment, options?: { readonly signal?: AbortSignal }): Generator<JudgedSites> {
    const moment = lineByLine(asked);
    return this.#judged(moment, this.#taughtBy(moment), options);
  }

  #taughtBy(moment: Moment): Taught {
    const past = pastOf(moment.history);
    return { past, rewrites: this.#learn(moment, past) };
  }

  *#judged(
    moment: Moment,
    { past, rewrites }: Taught,
    options?: { readonly signal?: AbortSignal },
  ): Generator<JudgedSites> {
    if (rewrites.length === 0) return;
    const seen = new Set<string>();
    try {
      for (const [path, wanted] of this.#filesFor(moment, rewrites, past)) {
        options?.signal?.throwIfAborted();
        if (seen.has(path)) continue;
        seen.add(path);
        const text = this.#textAt(path, moment.files);
        if (text === undefined) continue;
        const found = wanted.map((rewrite) => ({ rewrite, sites: this.#freeSites(rewrite, path, moment, past) }));
        yield* siteProposals(path, text, this.#judgedSites(moment, path, text, found, past), this.#likelihoodOf);
      }
    } finally {
      for (const text of this.#texts.values()) text.forgetTokens();
    }
  }

  /**
   * What is left on lines of the file that examples stand on, as where one of two names of a line became another. Whoever left it may have meant to, so that it is
   * never likely, and whoever asks is told of it alone.
   */
  *#leftOnLines(moment: Moment, { past, rewrites }: Taught): Generator<Proposal> {
    const { path } = moment;
    const text = this.#textAt(path, moment.files);
    if (text === undefined) return;
    const found = rewrites.map((rewrite) => ({ rewrite, sites: this.#sitesOnExamples(rewrite, path, text) }));
    const sites = this.#judgedSites(moment, path, text, found, past);
    for (const { proposal } of siteProposals(path, text, sites, this.#likelihoodOf)) {
      // What trees say of other places is not true of these.
      const { judged: _, ...rest } = proposal;
      yield { ...rest, likelihood: Math.max(left.least, Math.min(rest.likelihood, left.most)) };
    }
    text.forgetTokens();
  }

  /** What the history teaches. The same edits give the same values, so that what was found with them is still known. */
  #learn({ history, files }: Moment, past: Past): readonly Rewrite[] {
    const byKey = new Map<string, [Example, ...Example[]]>();
    const keys: Set<string>[] = [];
    for (const edit of history.toReversed()) {
      const own = new Set<string>();
      keys.push(own);
      for (const { key, example } of this.#examplesOf(edit, files)) {
        own.add(key);
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [example]);
        else known.push(example);
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

  #examplesOf(edit: PastEdit, files: Moment["files"]): readonly KeyedExample[] {
    const text = this.#textAt(edit.path, files);
    if (text === undefined) return [];
    const { lines } = text;
    const said = (from: number, to: number) => {
      const all: string[] = [];
      for (let line = Math.max(0, from); line < Math.min(to, lines.count); line++) all.push(lines.text(line));
      return all;
    };
    const above = said(edit.lines.start - linesAround, edit.lines.start);
    const below = said(edit.lines.end, edit.lines.end + linesAround);
    const around = [...above, ...below].join("\n");
    const known = this.#examples.get(edit);
    if (known?.around === around) return known.examples;
    const examples = examplesOf(edit, above, below);
    this.#examples.set(edit, { around, examples });
    return examples;
  }

  /** Places where rewrites apply in a file, with how likely each is. */
  #judgedSites(
    moment: Moment,
    path: string,
    text: TextLines,
    found: readonly FoundSites[],
    past: Past,
  ): readonly LikelySite[] {
    const { cursor, files } = moment;
    const edits = past.editsOf.get(path) ?? [];
    const cursorLine = path === moment.path ? text.lines.lineAt(Math.min(cursor, text.text.length)) : undefined;
    const neighbours = new SiteNeighbours(found.flatMap(({ sites }) => sites));
    const others = found.filter(({ sites }) => sites.length > 0).length;
    return found.flatMap(({ rewrite, sites }) => {
      if (sites.length === 0) return [];
      const standing = this.#standing(rewrite, moment, past);
      const file: FileStanding = {
        ...{ path, isOther: cursorLine === undefined, isOpen: files.open.includes(path), sites: sites.length },
        ...{ isLeft: cursorLine === undefined && edits.length > 0, edits: edits.length },
        examples: rewrite.examples.filter(({ edit }) => edit.path === path).length,
        ...{
          age: edits[0]?.age ?? -1,
          rewrites: others,
          saidFresh: shareSaid(freshWordsOf(rewrite.examples[0]), text),
        },
      };
      const ofExample = new Map<Example, RewriteFeatures>();
      const below = sites.findIndex(({ first }) => first >= (cursorLine ?? 0));
      const firstBelow = below < 0 ? sites.length : below;
      return sites.map((site, index) => {
        const { example } = site.match;
        const own = ofExample.get(example) ?? rewriteFeatures(rewrite, example, standing);
        ofExample.set(example, own);
        const nearest = nearestEdit(site, edits);
        // Hunks of commits never touch each other, and who edits line by line goes on in the next.
        const least = nearest !== undefined && isNextToOther(nearest, edits) ? leastLines : 0;
        const position: SitePosition = {
          lines: cursorLine === undefined ? -1 : Math.max(least, Math.abs(site.first - cursorLine)),
          linesToEdit: nearest === undefined ? -1 : Math.max(least, linesBetween(site, nearest)),
          isAbove: index < firstBelow,
          isNextToExample: nearest !== undefined && rewrite.examples.some(({ edit }) => edit === nearest),
          before: index < firstBelow ? firstBelow - 1 - index : index - firstBelow,
          neighbours: neighbours.of(site),
        };
        const features = { rewrite: own, place: placeFeatures(site, standing, file, position) };
        return { site, features, likelihood: this.#likelihoodOf(features) };
      });
    });
  }

  /** What is known of a rewrite wherever its places are; for one moment. */
  #standing(rewrite: Rewrite, moment: Moment, past: Past): RewriteStanding {
    const known = past.standings.get(rewrite);
    if (known !== undefined) return known;
    const { examples } = rewrite;
    const ages = new Set(examples.map(past.ageOf));
    const standing: RewriteStanding = {
      ...{ age: Math.min(...ages), oldestAge: Math.max(...ages), edits: ages.size, history: moment.history.length },
      streak: [...ages].filter((age) => age < 5).length,
      recent: [...ages].filter((age) => age < 12).length,
      inNewest: examples.filter(({ edit }) => edit === examples[0].edit).length,
      files: new Set(examples.map(({ edit }) => edit.path)).size,
      skipped: this.#skipped(rewrite, moment, past),
      ownCloseness: this.#ownCloseness(rewrite),
      sequel: past.series.sequelOf(ages),
    };
    past.standings.set(rewrite, standing);
    return standing;
  }

  /** The places in a file that the person has not been at. */
  #freeSites(rewrite: Rewrite, path: string, { files }: Moment, { editsOf }: Past): readonly Site[] {
    const text = this.#textAt(path, files);
    if (text === undefined) return [];
    const taken = editsOf.get(path) ?? [];
    return this.#found(rewrite, text).filter(({ first, end }) =>
      taken.every(({ edit: { lines } }) =>
        first === end ? first < lines.start || lines.end < first : end <= lines.start || lines.end <= first,
      ),
    );
  }

  /** Places that are left on the lines of the examples, as where one of two names of a line became another. */
  #sitesOnExamples(rewrite: Rewrite, path: string, text: TextLines): readonly Site[] {
    const done = rewrite.examples.map(({ edit }) => edit).filter((edit) => edit.path === path);
    if (done.length === 0) return [];
    return this.#found(rewrite, text).filter(({ first, end }) =>
      done.some(({ lines }) => first < end && lines.start <= first && end <= lines.end),
    );
  }

  /** How many places the person went past after the first example was there: in files left since, and in this one between edits. */
  #skipped(rewrite: Rewrite, moment: Moment, past: Past): number {
    const since = Math.max(...rewrite.examples.map(past.ageOf));
    let count = 0;
    for (const [path, edits] of past.editsOf) {
      const later = edits.filter(({ age }) => age <= since);
      if (later.length === 0) continue;
      const own = rewrite.examples.filter(({ edit }) => edit.path === path).map(({ line }) => line);
      const from =
        own.length > 0
          ? Math.min(...own)
          : path === moment.path
            ? Math.min(...later.map(({ edit }) => edit.lines.start))
            : 0;
      const to = path === moment.path ? Math.max(...later.map(({ edit }) => edit.lines.end)) : Number.POSITIVE_INFINITY;
      count += this.#freeSites(rewrite, path, moment, past).filter(({ first }) => from <= first && first < to).length;
    }
    return count;
  }

  /** Which rewrites to look for in which file: this one, those that are open, and the nearest of the workspace. */
  *#filesFor(
    moment: Moment,
    rewrites: readonly Rewrite[],
    past: Past,
  ): Generator<readonly [string, readonly Rewrite[]]> {
    const { path, files } = moment;
    yield [path, rewrites];
    for (const open of files.open) yield [open, rewrites];
    const fresh = rewrites.filter(({ examples }) => past.ageOf(examples[0]) < maxAgeElsewhere);
    yield* filesSaying(fresh, path, files);
  }

  #found(rewrite: Rewrite, text: TextLines): readonly Site[] {
    const byRewrite = this.#sitesIn.get(text) ?? new WeakMap<Rewrite, readonly Site[]>();
    this.#sitesIn.set(text, byRewrite);
    const known = byRewrite.get(rewrite);
    if (known !== undefined) return known;
    const found = findSites(rewrite, text);
    byRewrite.set(rewrite, found);
    return found;
  }

  #ownCloseness(rewrite: Rewrite): number | undefined {
    if (!this.#closeness.has(rewrite)) this.#closeness.set(rewrite, ownCloseness(rewrite));
    return this.#closeness.get(rewrite);
  }

  #textAt(path: string, files: Moment["files"]): TextLines | undefined {
    const source = files.textOf(path);
    return source === undefined ? undefined : this.#textLines(path, source);
  }

  #textLines(path: string, source: string): TextLines {
    const known = this.#texts.get(path);
    if (known?.text === source) return known;
    const made = new TextLines(source);
    this.#texts.delete(path);
    this.#texts.set(path, made);
    for (const oldest of [...this.#texts.keys()].slice(0, -maxTexts)) this.#texts.delete(oldest);
    return made;
  }
}

/** The share of words that a text says, from 0 to 1; -1 where there is none. */
function shareSaid(words: readonly string[], text: TextLines): number {
  return words.length === 0 ? -1 : words.filter((word) => text.says(word)).length / words.length;
}

/** The moment with each line that was edited by itself as an example of its own. What else was done in several steps is one: it may be what a line became many. */
function lineByLine(moment: Moment): Moment {
  const isOfLine = ({ before, after }: PastEdit) => before.length === 1 && after.length === 1;
  return {
    ...moment,
    history: moment.history.flatMap((edit) => (stepsOf(edit).every(isOfLine) ? stepsOf(edit) : [edit])),
  };
}
