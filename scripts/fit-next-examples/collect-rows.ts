import type { Suggested } from "../../bench/next/asker.ts";
import { classifyHunks } from "../../bench/next/classify-hunks.ts";
import { hunkCommits, pathsOf } from "../../bench/next/commit-hunks.ts";
import { EngineAsker } from "../../bench/next/engine-asker.ts";
import { MovingTexts } from "../../bench/next/moving-texts.ts";
import { replayCommit } from "../../bench/next/replay-commit.ts";
import type { NameTables } from "../../src/names/index.ts";
import { ProviderCalibration, trustNames } from "../../src/next/feedback/provider-calibration.ts";
import { type Proposal, type ProviderPolicy, TextIndex } from "../../src/next/index.ts";
import { prettierFormatter } from "../../src/next/layout/code-formatter.ts";
import { LineLayout } from "../../src/next/layout/line-layout.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import type { NextRow } from "./next-row.ts";
import { flat, type JudgedProposal, type JudgedSource, RecordingSource } from "./recording-source.ts";

/** What is collected, and how. */
export interface CollectOrder {
  readonly folder: string;
  readonly repo: string;
  readonly count: number;
  readonly seed: number;
  readonly syntax: Syntax;
  /** The sources for one commit. */
  openSources(this: void): { readonly all: readonly JudgedSource[]; readonly names: NameTables };
  /**
   * What is shown while commits are gone through: it decides in which order their hunks are made.
   */
  readonly leastLikelihood: number;
  /** How many moments of a commit are looked at: of a longer one, in stretches all over it. */
  readonly maxSteps: number;
}

/**
 * How many moments that are looked at follow each other, where not all are: the answer to one
 * contains something of the next.
 */
const stretch = 10;

/**
 * Whether the moment is one of about `most` that are looked at, of `all` that the commit has; both
 * count from 0.
 */
export function isLookedAt(moment: number, all: number, most: number): boolean {
  const stretches = Math.ceil(all / stretch);
  const looked = Math.max(1, Math.floor(most / stretch));
  if (stretches <= looked) return true;
  const at = Math.floor(moment / stretch);
  const nth = Math.ceil((at * looked) / stretches);
  return Math.floor((nth * stretches) / looked) === at && nth < looked;
}

/** The rows of commits, one commit at a time, each with its features by name. */
export async function* collectRows(
  order: CollectOrder,
): AsyncGenerator<readonly (Omit<NextRow, "features"> & { readonly features: Readonly<Record<string, number>> })[]> {
  const { folder, repo, count, seed, syntax } = order;
  const index = new TextIndex();
  const texts = new MovingTexts(folder, index);
  const formatter = prettierFormatter();
  let touched: string[] = [];
  for (const commit of hunkCommits(folder, { count, seed })) {
    texts.move(commit.parent, touched);
    touched = [...commit.files.flatMap(pathsOf), ...commit.copies];
    const { all, names } = order.openSources();
    const sources: readonly RecordingSource[] = all.map((source) => new RecordingSource(source));
    const origins = sources.map(({ origin }) => origin);
    using asker = new EngineAsker({ sources, index, syntax, names, origins, leastLikelihood: order.leastLikelihood });
    const rows: (Omit<NextRow, "features"> & { readonly features: Readonly<Record<string, number>> })[] = [];
    const rejected = new Set<string>();
    const keyOf = ({ path, edit, place }: Pick<Suggested, "path" | "edit" | "place">) => {
      const text = index.textOf(path) ?? "";
      const around = text.slice(Math.max(0, place.start - 40), place.end + 40);
      return `${path}\n${around}\n${edit?.edits.map((one) => one.text).join("\n") ?? ""}`;
    };
    const trust = new ProviderCalibration();
    const policies = new Map<string, ProviderPolicy>(sources.map(({ origin, policy }) => [origin, policy]));
    const withPolicy = <One extends Proposal>(one: One) => ({ ...one, policy: policies.get(one.origin)! });
    const answersTo = (one: Proposal) => {
      const answers = trust.answersTo(withPolicy(one), index.textOf(one.path) ?? "");
      return trustNames.map((name) => answers[name]);
    };
    const layout = new LineLayout({ syntax, formatter, files: index });
    const laidOut = async (judged: JudgedProposal): Promise<JudgedProposal> => {
      const { path, edit } = judged.proposal;
      const text = index.textOf(path);
      if (edit === undefined || text === undefined) return judged;
      const laid = await layout.laidOut({ path, language: index.languageOf(path), text }, edit);
      return { ...judged, proposal: { ...judged.proposal, edit: laid } };
    };
    const moments = commit.files.reduce((sum, file) => sum + file.hunks.length, 0);
    let step = 0;
    let shown: Suggested | undefined;
    const watched = {
      changed: asker.changed.bind(asker),
      renamed: asker.renamed.bind(asker),
      async ask(path: string, offset: number) {
        for (const source of sources) source.latest = [];
        shown = undefined;
        if (!isLookedAt(step, moments, order.maxSteps)) return undefined;
        shown = await asker.ask(path, offset);
        for (const source of sources) source.latest = await Promise.all(source.latest.map(laidOut));
        return shown;
      },
    };
    await replayCommit(commit, classifyHunks(commit.files), {
      asker: watched,
      texts: {
        textOf: (path) => index.textOf(path),
        show: (paths) => index.show(paths),
        update: (path, text) => index.update(path, text),
      },
      cpuMs: () => 0,
      judging(verdictOf) {
        const isShownExact = shown !== undefined && verdictOf(shown) === "exact";
        const isExact = (one: Pick<Suggested, "path" | "edit" | "place">) =>
          // Whether anything is open there costs much less to find out.
          verdictOf({ path: one.path, place: one.place }) !== "wrong" && verdictOf(one) === "exact";
        for (const { origin, latest } of sources) {
          let rank = 0;
          for (const { proposal, features } of latest) {
            if (rejected.has(keyOf(proposal))) continue;
            const isShown =
              shown?.path === proposal.path && shown.edit !== undefined && proposal.edit?.equals(shown.edit) === true;
            const { likelihood } = proposal;
            rows.push({
              ...{ origin: origin as NextRow["origin"], repo, commit: commit.id.slice(0, 10), step, rank: rank++ },
              ...{ isExact: isExact(proposal), likelihood, isShown, isShownExact, features: flat(features) },
              answers: answersTo(proposal),
            });
          }
        }
        if (shown !== undefined && !isShownExact) rejected.add(keyOf(shown));
        if (shown !== undefined) trust.learn(withPolicy(shown), index.textOf(shown.path) ?? "", isShownExact);
        step++;
      },
    });
    yield rows;
  }
}
