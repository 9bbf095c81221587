import { expect, test } from "vitest";
import { Edit } from "../../text/index.ts";
import { policies } from "../fixtures/policies.ts";
import type { ProvidedProposal } from "../providers/next-edit-provider.ts";
import { ProviderCalibration, trustNames } from "./provider-calibration.ts";

const text = "use(a); use(a); get(c);";

/**
 * `WAS>TEXT@PLACE`; the place is the index of this `WAS`, from 0; `!` after it for a rename;
 * likelihood 80 %.
 */
function readProposal(notation: string): ProvidedProposal {
  const [, was, fresh, nth, mark] = /^(.+)>(.+)@(\d)(!?)$/.exec(notation)!;
  const start = [...text.matchAll(new RegExp(was!, "g"))][Number(nth)]!.index;
  const place = { start, end: start + was!.length };
  const origin = mark === "" ? "example" : "name";
  return {
    ...{ origin, policy: policies[origin], path: "m.ts", place, reason: "", likelihood: 0.8 },
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
])("calibration of edits: %s", (_, answers, weighed, percent) => {
  const calibration = new ProviderCalibration();
  for (const answer of answers.split(" ").filter((one) => one !== ""))
    calibration.learn(readProposal(answer.slice(1)), text, answer.startsWith("+"));
  expect(Math.round(calibration.weigh(readProposal(weighed), text).likelihood * 100)).toBe(percent);
});

/** A location to look at with a reason; likelihood 90 %. */
const look = (reason: string): ProvidedProposal => ({
  ...{ origin: "impact", policy: policies.impact, path: "m.ts", place: { start: 4, end: 5 }, reason, likelihood: 0.9 },
});

test.each([
  ["a location keeps its likelihood at first", "", "a", 90],
  ["a rejected reason is less likely", "-a -a -a", "a", 51],
  ["another reason is hardly less likely", "-a -a -a -a -b -b -b -b", "c", 65],
  ["a reason that was accepted is likelier", "-a -a +a +a +a", "a", 73],
])("calibration of locations to look at: %s", (_, answers, weighed, percent) => {
  const calibration = new ProviderCalibration();
  for (const answer of answers.split(" ").filter((one) => one !== ""))
    calibration.learn(look(answer.slice(1)), text, answer.startsWith("+"));
  expect(Math.round(calibration.weigh(look(weighed), text).likelihood * 100)).toBe(percent);
});

test("trees compute the likelihood again, with the feedback counts as their last features", () => {
  const taken = trustNames.indexOf("kindTaken");
  const trees = { features: ["own", ...trustNames], bias: 0, trees: [[0, 3.5, -9, [1 + taken, 1.5, 1, 2]]] } as const;
  const judged: ProvidedProposal = { ...readProposal("a>b@0"), judged: { trees, numbers: [4] } };
  const calibration = new ProviderCalibration();
  expect(calibration.weigh(judged, text)).toBe(judged);
  for (const logOdds of [1, 2]) {
    calibration.learn(judged, text, true);
    expect(calibration.weigh(judged, text).likelihood).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 12);
  }
});

test("a change of line breaks is no kind of change", () => {
  const broken = (at: number): ProvidedProposal => ({ ...readProposal("a>b@0"), edit: Edit.insert(at, "\n  ") });
  const calibration = new ProviderCalibration();
  calibration.learn(broken(4), text, false);
  expect(calibration.answersTo(broken(12), text)).toMatchObject({ kindRejected: 0, sourceRejected: 1 });
});
