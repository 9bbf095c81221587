import { describe, expect, test } from "vitest";
import { parseFleetList, shortNameOf } from "./fleet-list.ts";

/** A list in one line: `1 folder api; 2! …`, with `!` before an error. */
function print(text: string): string {
  const { repositories, issues } = parseFleetList(text);
  const rows = [
    ...repositories.map(({ line, kind, place }) => [line, `${line} ${kind} ${place}`] as const),
    ...issues.map(({ line, message }) => [line, `${line}! ${message}`] as const),
  ];
  return rows
    .sort(([one], [other]) => one - other)
    .map(([, row]) => row)
    .join("; ");
}

const cases: readonly (readonly [text: string, expected: string])[] = [
  ["", ""],
  ["\n  \n# nothing\n\t# at all\n", ""],
  ["api\n../web app\n/srv/shop\n", "1 folder api; 2 folder ../web app; 3 folder /srv/shop"],
  ["\ufeffapi\r\nweb\r\n", "1 folder api; 2 folder web"],
  ["api # the old one\nweb#2\n", "1 folder api; 2 folder web#2"],
  ["C:\\work\\api", "1 folder C:\\work\\api"],
  ["https://host/team/api.git", "1 url https://host/team/api.git"],
  ["https://host/team/api#readme", "1 url https://host/team/api#readme"],
  ["ssh://git@host:22/api\nfile:///srv/git/api.git", "1 url ssh://git@host:22/api; 2 url file:///srv/git/api.git"],
  ["git@host:team/api.git\nhost:api", "1 url git@host:team/api.git; 2 url host:api"],
  ["https://", "1! https:// names no repository. Write for example https://host/team/project.git."],
  ["https://host", "1! https://host names no repository. Write for example https://host/team/project.git."],
  ["ext::sh -c date", "1! ext::sh -c date makes git run a program. Clone it yourself and name the folder."],
  ["api\u0007", "1! The line contains a control character. Write the path of a folder, or the URL of a repository."],
  [
    "~/api\nweb",
    "1! ~/api begins with ~, which only a shell expands. Write the full path of the folder, or its path from the folder of this file.; 2 folder web",
  ],
  [
    "api\n\n./api/\n",
    "1 folder api; 3! ./api/ is already on line 1. Remove one of the two lines: two plans for one repository would conflict.",
  ],
];

test.each(cases)("parseFleetList reads %j", (text, expected) => expect(print(text)).toBe(expected));

describe("shortNameOf returns the last part of a repository's place", () => {
  test.each([
    ["api", "api"],
    ["../work/web app/", "web app"],
    ["C:\\work\\api", "api"],
    ["https://host/team/api.git", "api"],
    ["git@host:api.git", "api"],
    ["/", "/"],
    [".", "."],
  ])("%s: %s", (place, name) => expect(shortNameOf({ place })).toBe(name));
});
