import type { PastEdit } from "../../context/index.ts";
import { Edit } from "../../text/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { type Site, wordSetsOf } from "./find-sites.ts";
import { examplesOf, type KeyedExample, linesAround } from "./learn-rewrites.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import { type SiteSurroundings, siteFeatures } from "./site-features.ts";
import { likelihoodOf } from "./site-likelihood.ts";
import { TextLines } from "./text-lines.ts";

export interface ScoredSite extends Site {
  readonly features: Readonly<Record<string, number>>;
  readonly likelihood: number;
}

export class ExampleSource implements NextEditSource {
  readonly origin = "example";
  readonly #texts = new Map<string, TextLines>();
  readonly #examples = new WeakMap<PastEdit, { readonly around: string; readonly examples: readonly KeyedExample[] }>();
  #rewrites: ReadonlyMap<string, Rewrite> = new Map();

  *propose(moment: Moment, options?: { readonly signal?: AbortSignal }): Generator<Proposal> {
    const rewrites = this.rewrites(moment);
    if (rewrites.length === 0) return;
    const past = pastOf(moment.history);
    const seen = new Set<string>();
    try {
      for (const [path, wanted] of this.#filesFor(moment, rewrites, past)) {
        options?.signal?.throwIfAborted();
        if (seen.has(path)) continue;
        seen.add(path);
        yield* proposalsOf(path, this.sites(moment, path, wanted, past));
      }
    } finally {
      for (const text of this.#texts.values()) text.forgetTokens();
    }
  }

  /** What the history teaches. The same edits give the same values, so that what was found with them is still known. */
  rewrites({ history, files }: Moment): readonly Rewrite[] {
    const byKey = new Map<string, [Example, ...Example[]]>();
    for (const edit of history.toReversed()) {
      for (const { key, example } of this.#examplesOf(edit, files)) {
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [example]);
        else known.push(example);
      }
    }
    const made = new Map<string, Rewrite>();
    for (const [key, examples] of byKey) {
      const known = this.#rewrites.get(key);
      const isSame = known?.examples.length === examples.length && known.examples.every((one, i) => one === examples[i]);
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

  /** Where rewrites apply in a file, with how likely each is. */
  sites(moment: Moment, path: string, rewrites: readonly Rewrite[], past: Past): readonly ScoredSite[] {
    const { cursor, files } = moment;
    const text = this.#textAt(path, files);
    if (text === undefined) return [];
    const cursorLine = path === moment.path ? text.lines.lineAt(Math.min(cursor, text.text.length)) : undefined;
    return rewrites.flatMap((rewrite) => {
      const sites = this.#freeSites(rewrite, path, moment, past);
      if (sites.length === 0) return [];
      const skipped = this.#skipped(rewrite, moment, past);
      const streak = new Set(rewrite.examples.map(past.ageOf).filter((age) => age < 5)).size / 5;
      return sites.map((site) => {
        const around: SiteSurroundings = {
          ...{ path, skipped, streak, age: past.ageOf(site.match.example) },
          sites: sites.length,
          lines: cursorLine === undefined ? undefined : Math.abs(site.first - cursorLine),
          isAbove: cursorLine !== undefined && site.first < cursorLine,
          isLeft: cursorLine === undefined && past.editsOf.has(path),
          isOpen: files.open.includes(path),
        };
        const features = siteFeatures(site, rewrite, around);
        return { ...site, features, likelihood: likelihoodOf(features) };
      });
    });
  }

  /** The places in a file that the person has not been at. */
  #freeSites(rewrite: Rewrite, path: string, { files }: Moment, { editsOf }: Past): readonly Site[] {
    const text = this.#textAt(path, files);
    if (text === undefined) return [];
    const taken = editsOf.get(path) ?? [];
    return text.sitesOf(rewrite).filter(({ first, end }) =>
      taken.every(({ edit: { lines } }) =>
        first === end ? first < lines.start || lines.end < first : end <= lines.start || lines.end <= first,
      ),
    );
  }

  /** How many places the person went past after the first example was there: in files left since, and in this one between edits. */
  #skipped(rewrite: Rewrite, moment: Moment, past: Past): number {
    const known = past.skipped.get(rewrite);
    if (known !== undefined) return known;
    const since = Math.max(...rewrite.examples.map(past.ageOf));
    let count = 0;
    for (const [path, edits] of past.editsOf) {
      const later = edits.filter(({ age }) => age <= since);
      if (later.length === 0) continue;
      const own = rewrite.examples.filter(({ edit }) => edit.path === path).map(({ line }) => line);
      const from = own.length > 0 ? Math.min(...own) : path === moment.path ? Math.min(...later.map(({ edit }) => edit.lines.start)) : 0;
      const to = path === moment.path ? Math.max(...later.map(({ edit }) => edit.lines.end)) : Number.POSITIVE_INFINITY;
      count += this.#freeSites(rewrite, path, moment, past).filter(({ first }) => from <= first && first < to).length;
    }
    past.skipped.set(rewrite, count);
    return count;
  }

  /** Which rewrites to look for in which file, the nearest files first. */
  *#filesFor({ path, files }: Moment, rewrites: readonly Rewrite[], past: Past): Generator<readonly [string, readonly Rewrite[]]> {
    yield [path, rewrites];
    for (const open of files.open) yield [open, rewrites];
    const found = new Map<string, { readonly rewrites: Set<Rewrite>; readonly nearness: number }>();
    for (const rewrite of rewrites) {
      if (past.ageOf(rewrite.examples[0]) >= maxAgeElsewhere) continue;
      for (const other of filesSaying(rewrite, path, files)) {
        const known = found.get(other);
        if (known === undefined) found.set(other, { rewrites: new Set([rewrite]), nearness: nearnessOf(path, other) });
        else known.rewrites.add(rewrite);
      }
    }
    const sorted = [...found].sort(([, one], [, other]) => other.nearness - one.nearness);
    for (const [other, held] of sorted.slice(0, maxFiles)) yield [other, [...held.rewrites]];
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

/** What was done where, for one moment. */
interface Past {
  readonly editsOf: ReadonlyMap<string, readonly { readonly edit: PastEdit; readonly age: number }[]>;
  readonly skipped: Map<Rewrite, number>;
  /** How many edits were made since an example. */
  ageOf(this: void, example: Example): number;
}

function pastOf(history: readonly PastEdit[]): Past {
  const editsOf = new Map<string, { readonly edit: PastEdit; readonly age: number }[]>();
  for (const [age, edit] of history.toReversed().entries()) {
    const known = editsOf.get(edit.path);
    if (known === undefined) editsOf.set(edit.path, [{ edit, age }]);
    else known.push({ edit, age });
  }
  const ages = new Map(history.toReversed().map((edit, age) => [edit, age]));
  return { editsOf, skipped: new Map(), ageOf: ({ edit }) => ages.get(edit)! };
}

/** The most texts of which it is known what was found in them. */
const maxTexts = 100;
/** The most files of the workspace that are looked at for all rewrites, and for one. */
const maxFiles = 30;
const maxFilesEach = 12;
/** A rewrite that was not among so many of the last edits is not looked for in other files. */
const maxAgeElsewhere = 8;

/** The files that may have places of a rewrite: those that say all words of an example's line, or the words that it cannot do without. The nearest where there are many. */
function filesSaying(rewrite: Rewrite, path: string, files: Moment["files"]): readonly string[] {
  const all = new Set<string>();
  for (const words of wordSetsOf(rewrite)) {
    const saying = files.saying(words);
    const near = saying.length <= maxFilesEach ? saying : nearest(path, saying, maxFilesEach);
    for (const one of near) all.add(one);
  }
  return [...all];
}

function nearest(path: string, paths: readonly string[], count: number): readonly string[] {
  return paths
    .map((other) => ({ other, nearness: nearnessOf(path, other) }))
    .sort((one, other) => other.nearness - one.nearness)
    .slice(0, count)
    .map(({ other }) => other);
}

/** How many letters two paths share in front, a little less where the second stands in front of the first. */
function nearnessOf(path: string, other: string): number {
  let at = 0;
  while (at < path.length && path[at] === other[at]) at++;
  return at + (other > path ? 0.5 : 0);
}

/** What is less likely is a guess. */
const leastLikelihood = 0.05;
/** The most places of a file that are proposed. */
const maxSites = 200;

/** Sites of a file as proposals: those on lines next to each other are one. */
function proposalsOf(path: string, sites: readonly ScoredSite[]): readonly Proposal[] {
  const kept: ScoredSite[] = [];
  const onLine = new Map<number, readonly ScoredSite[]>();
  const likely = sites.filter(({ likelihood }) => likelihood > leastLikelihood);
  for (const site of likely.sort((one, other) => other.likelihood - one.likelihood).slice(0, maxSites)) {
    const lines = Array.from({ length: Math.max(1, site.end - site.first) }, (_, i) => site.first + i);
    if (lines.some((line) => onLine.get(line)?.some(({ edit }) => touches(edit, site.edit)))) continue;
    kept.push(site);
    for (const line of lines) onLine.set(line, [...(onLine.get(line) ?? []), site]);
  }
  kept.sort((one, other) => one.edit.start - other.edit.start);
  const groups: ScoredSite[][] = [];
  for (const site of kept) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && site.first <= last.end) groups.at(-1)!.push(site);
    else groups.push([site]);
  }
  return groups
    .map((group) => {
      const best = Math.max(...group.map(({ likelihood }) => likelihood));
      const taken = group.filter(({ likelihood }) => likelihood > best * 0.5);
      const edit = Edit.of(taken.map(({ edit: one }) => one));
      const top = taken.find(({ likelihood }) => likelihood === best)!;
      const support = top.match.rewrite.examples.length;
      return {
        origin: "example" as const,
        path,
        edit,
        place: { start: edit.edits[0]!.start, end: edit.edits.at(-1)!.end },
        reason: support > 1 ? `like your last ${support} edits` : "like your last edit",
        likelihood: Math.min(...taken.map(({ likelihood }) => likelihood)),
        features: top.features,
        chain: `example ${top.match.rewrite.key}`,
      };
    })
    .sort((one, other) => other.likelihood - one.likelihood);
}

function touches(one: { start: number; end: number }, other: { start: number; end: number }): boolean {
  return one.start === other.start || (one.start < other.end && other.start < one.end);
}
