import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { policies } from "../fixtures/policies.ts";
import type { NextEditContext, ProvidedProposal } from "../providers/next-edit-provider.ts";
import { rankProposals, withoutRivals } from "./rank-proposals.ts";
import { TextIndex } from "./text-index.ts";

/**
 * `PATH START>TEXT LIKELIHOOD`, the likelihood in hundredths, with `!` after it for an occurrence
 * of a rename.
 */
function readProposal(notation: string): ProvidedProposal {
  const [, path, at, text, percent, mark] = /^(\S+) (\d+)>(\S*) (\d+)(!?)$/.exec(notation)!;
  const place = { start: Number(at), end: Number(at) + 1 };
  return {
    ...{
      origin: "example",
      policy: policies.example,
      path: path!,
      place,
      reason: "",
      likelihood: Number(percent) / 100,
    },
    edit: Edit.replace(place, text!),
    ...(mark === "!" && { origin: "name", policy: policies.name, chain: "rename" }),
  };
}

function printProposal({ path, place, edit, likelihood }: ProvidedProposal): string {
  return `${path} ${place.start}>${edit!.edits[0]!.text} ${Math.round(likelihood * 100)}`;
}

const files = new TextIndex();
files.show(["open.ts"]);
const context: NextEditContext = {
  path: "m.ts",
  language: "typescript",
  text: "x".repeat(100),
  cursor: 50,
  history: [],
  files,
};

test.each([
  ["the likelier first", "m.ts 60>a 70, m.ts 70>a 90", "m.ts 70>a 90, m.ts 60>a 70"],
  ["of equal ones the nearest below", "m.ts 90>a 90, m.ts 60>a 90", "m.ts 60>a 90, m.ts 90>a 90"],
  ["below before above", "m.ts 45>a 90, m.ts 60>a 90", "m.ts 60>a 90, m.ts 45>a 90"],
  [
    "this file before open files before others",
    "n.ts 5>a 90, open.ts 5>a 90, m.ts 5>a 90",
    "m.ts 5>a 90, open.ts 5>a 90, n.ts 5>a 90",
  ],
  ["a much likelier one in another file goes first", "m.ts 60>a 50, n.ts 5>a 95", "n.ts 5>a 95, m.ts 60>a 50"],
  ["places of a rename in their order", "m.ts 60>a 70!, m.ts 70>a 80!", "m.ts 60>a 70, m.ts 70>a 80"],
  ["but for those that are much less likely", "m.ts 60>a 40!, m.ts 70>a 80!", "m.ts 70>a 80, m.ts 60>a 40"],
  ["an edit that two providers propose is likelier", "m.ts 60>a 60, m.ts 60>a 80", "m.ts 60>a 86"],
  ["rivals stay", "m.ts 60>a 60, m.ts 60>b 80", "m.ts 60>b 80, m.ts 60>a 60"],
])("proposals are ranked: %s", (_, proposals, ranked) => {
  expect(rankProposals(context, proposals.split(", ").map(readProposal)).map(printProposal).join(", ")).toBe(ranked);
});

test.each([
  [
    "the nearest below, then the nearest above",
    "45>a 99, 80>a 90, 60>a 70, 20>a 80",
    "60>a 70, 80>a 90, 45>a 99, 20>a 80",
  ],
  ["what the cursor is in", "60>a 90, 49>a 70", "49>a 70, 60>a 90"],
  ["of rivals the likeliest", "80>a 99, 60>a 70, 60>b 80", "60>b 80, 60>a 70, 80>a 99"],
  [
    "in other files the likeliest",
    "n.ts 5>a 70, n.ts 9>a 80, open.ts 7>a 78, 60>a 70",
    "60>a 70, open.ts 7>a 78, n.ts 9>a 80, n.ts 5>a 70",
  ],
  ["of a rename in another file the first", "n.ts 5>a 80!, n.ts 9>a 90!, 60>a 70", "60>a 70, n.ts 5>a 80, n.ts 9>a 90"],
  ["what is less likely behind them", "60>a 59, 80>a 70, 70>a 40", "80>a 70, 60>a 59, 70>a 40"],
])("likely proposals come in reading order: %s", (_, proposals, ranked) => {
  const here = (notation: string) => (/^\d/.test(notation) ? `m.ts ${notation}` : notation);
  const read = (list: string) => list.split(", ").map(here);
  const printed = rankProposals(context, read(proposals).map(readProposal), 0.6).map(printProposal);
  expect(printed).toEqual(read(ranked));
});

test("withoutRivals leaves no rival of the taken proposal or of another one", () => {
  const [taken, ...others] = ["m.ts 60>a 90", "m.ts 60>b 80", "m.ts 70>a 70", "m.ts 70>b 60", "n.ts 60>a 50"].map(
    readProposal,
  );
  expect(withoutRivals(taken!, others).map(printProposal)).toEqual(["m.ts 70>a 70", "n.ts 60>a 50"]);
});
