import { expect, test } from "vitest";
import { Edit } from "../text/index.ts";
import { EarnedTrust, trustNames } from "./earned-trust.ts";
import type { Proposal } from "./next-edit-source.ts";

const text = "use(a); use(a); get(c);";

/** `WAS>TEXT@PLACE`, the place counting which `WAS` it is, from 0, and `!` behind it where it is a rename; 80 % likely. */
function readProposal(said: string): Proposal {
  const [, was, fresh, nth, mark] = /^(.+)>(.+)@(\d)(!?)$/.exec(said)!;
  const start = [...text.matchAll(new RegExp(was!, "g"))][Number(nth)]!.index;
  const place = { start, end: start + was!.length };
  return {
    ...{ origin: mark === "" ? "example" : "name", path: "m.ts", place, reason: "", likelihood: 0.8 },
    edit: Edit.replace(place, fresh!),
  };
}

test.each([
  ["nothing is known at first", "", "a>b@0", 80],
  ["what was rejected is doubtful elsewhere", "-a>b@0", "a>b@1", 61],
  ["more so when rejected twice", "-a>b@0 -a>b@1", "a>b@0", 47],
  ["less so when taken before", "+a>b@0 +a>b@0 -a>b@1", "a>b@1", 79],
  ["what was taken again and again is hardly doubted", "+a>b@0 +a>b@1 +a>b@0 +a>b@1", "a>b@0", 93],
  ["another change of the same source loses less", "-a>b@0", "c>d@0", 73],
  ["the same change by another source loses for the change and the file", "-a>b@0!", "a>b@1", 63],
  ["a change of letters is one of words", "-use>used@0", "se>sed@1", 61],
  ["another change by another source loses for the file alone", "-a>b@0!", "c>d@0", 75],
])("%s", (_, answers, asked, percent) => {
  const trust = new EarnedTrust();
  for (const answer of answers.split(" ").filter((one) => one !== ""))
    trust.learn(readProposal(answer.slice(1)), text, answer.startsWith("+"));
  expect(Math.round(trust.weigh(readProposal(asked), text).likelihood * 100)).toBe(percent);
});

/** A place to look at for a reason; 90 % likely. */
const look = (reason: string): Proposal => ({
  ...{ origin: "impact", path: "m.ts", place: { start: 4, end: 5 }, reason, likelihood: 0.9 },
});

test.each([
  ["a place is told for its reason", "", "a", 90],
  ["less often where nobody looked for that reason", "-a -a -a", "a", 51],
  ["once more for another reason", "-a -a -a -a -b -b -b -b", "c", 65],
  ["again where somebody looked", "-a -a +a +a +a", "a", 73],
])("%s", (_, answers, asked, percent) => {
  const trust = new EarnedTrust();
  for (const answer of answers.split(" ").filter((one) => one !== ""))
    trust.learn(look(answer.slice(1)), text, answer.startsWith("+"));
  expect(Math.round(trust.weigh(look(asked), text).likelihood * 100)).toBe(percent);
});

test("what trees judge they judge again, with the answers as their last numbers", () => {
  const taken = trustNames.indexOf("kindTaken");
  const trees = { features: ["own", ...trustNames], bias: 0, trees: [[0, 3.5, -9, [1 + taken, 1.5, 1, 2]]] } as const;
  const judged: Proposal = { ...readProposal("a>b@0"), judged: { trees, numbers: [4] } };
  const trust = new EarnedTrust();
  expect(trust.weigh(judged, text)).toBe(judged);
  for (const logOdds of [1, 2]) {
    trust.learn(judged, text, true);
    expect(trust.weigh(judged, text).likelihood).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 12);
  }
});

test("how lines are broken is no kind of change", () => {
  const broken = (at: number): Proposal => ({ ...readProposal("a>b@0"), edit: Edit.insert(at, "\n  ") });
  const trust = new EarnedTrust();
  trust.learn(broken(4), text, false);
  expect(trust.answersTo(broken(12), text)).toMatchObject({ kindRejected: 0, sourceRejected: 1 });
});
