import type { Suggested } from "../../bench/next/asker.ts";
import { classifyHunks } from "../../bench/next/classify-hunks.ts";
import { hunkCommits, pathsOf } from "../../bench/next/commit-hunks.ts";
import { EngineAsker } from "../../bench/next/engine-asker.ts";
import { MovingTexts } from "../../bench/next/moving-texts.ts";
import { replayCommit } from "../../bench/next/replay-commit.ts";
import { EarnedTrust, trustNames } from "../../src/next/earned-trust.ts";
import { type Proposal, TextIndex } from "../../src/next/index.ts";
import { LineLayout } from "../../src/next/layout/line-layout.ts";
import { prettierFormatter } from "../../src/next/layout/prettier-formatter.ts";
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
  openSources(this: void): readonly JudgedSource[];
  /** What is shown while commits are gone through: it decides in which order their hunks are made. */
  readonly leastLikelihood: number;
  /** How many moments of a commit are looked at. */
  readonly maxSteps: number;
}

/** Ends a replay. */
const enough = new Error("So many moments are enough.");

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
    const sources: readonly RecordingSource[] = order.openSources().map((source) => new RecordingSource(source));
    const origins = sources.map(({ origin }) => origin);
    using asker = new EngineAsker({ sources, index, syntax, origins, leastLikelihood: order.leastLikelihood });
    const rows: (Omit<NextRow, "features"> & { readonly features: Readonly<Record<string, number>> })[] = [];
    const rejected = new Set<string>();
    const keyOf = ({ path, edit, place }: Pick<Suggested, "path" | "edit" | "place">) => {
      const text = index.textOf(path) ?? "";
      const around = text.slice(Math.max(0, place.start - 40), place.end + 40);
      return `${path}\n${around}\n${edit?.edits.map((one) => one.text).join("\n") ?? ""}`;
    };
    const trust = new EarnedTrust();
    const answersTo = (one: Proposal) => {
      const answers = trust.answersTo(one, index.textOf(one.path) ?? "");
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
    let step = 0;
    let shown: Suggested | undefined;
    const watched = {
      changed: asker.changed.bind(asker),
      renamed: asker.renamed.bind(asker),
      async ask(path: string, offset: number) {
        for (const source of sources) source.latest = [];
        shown = await asker.ask(path, offset);
        for (const source of sources) source.latest = await Promise.all(source.latest.map(laidOut));
        return shown;
      },
    };
    const replayed = replayCommit(commit, classifyHunks(commit.files), {
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
        if (shown !== undefined) trust.learn(shown, index.textOf(shown.path) ?? "", isShownExact);
        if (++step >= order.maxSteps) throw enough;
      },
    });
    await replayed.catch((error: unknown) => {
      if (error !== enough) throw error;
    });
    yield rows;
  }
}
