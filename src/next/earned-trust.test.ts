import { expect, test } from "vitest";
import { Edit } from "../text/index.ts";
import { EarnedTrust } from "./earned-trust.ts";
import type { Proposal } from "./next-edit-source.ts";

const text = "use(a); use(a); get(c);";

/** `WAS>TEXT@PLACE`, the place counting which `WAS` it is, from 0; half as likely as not. */
function readProposal(said: string): Proposal {
  const [, was, fresh, nth] = /^(.+)>(.+)@(\d)$/.exec(said)!;
  const start = [...text.matchAll(new RegExp(was!, "g"))][Number(nth)]!.index;
  const place = { start, end: start + was!.length };
  return {
    ...{ origin: "example", path: "m.ts", place, reason: "", likelihood: 0.8 },
    edit: Edit.replace(place, fresh!),
  };
}

test.each([
  ["nothing is known at first", "", "a>b@0", 80],
  ["what was rejected is doubtful elsewhere", "-a>b@0", "a>b@1", 65],
  ["more so when rejected twice", "-a>b@0 -a>b@1", "a>b@0", 54],
  ["less so when taken before", "+a>b@0 +a>b@0 -a>b@1", "a>b@1", 78],
  ["what was taken again and again is hardly doubted", "+a>b@0 +a>b@1 +a>b@0 +a>b@1", "a>b@0", 91],
  ["another change of the same source loses less", "-a>b@0", "c>d@0", 72],
])("%s", (_, answers, asked, percent) => {
  const trust = new EarnedTrust();
  for (const answer of answers.split(" ").filter((one) => one !== ""))
    trust.learn(readProposal(answer.slice(1)), text, answer.startsWith("+"));
  expect(Math.round(trust.weigh(readProposal(asked), text).likelihood * 100)).toBe(percent);
});
