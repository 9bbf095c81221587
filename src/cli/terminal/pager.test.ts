import { expect, test } from "vitest";
import { splitCommand } from "./pager.ts";

test.each<[command: string, words: readonly string[] | undefined]>([
  ["less", ["less"]],
  ["  less  -F\t-RX ", ["less", "-F", "-RX"]],
  ["'/my programs/less' -R", ["/my programs/less", "-R"]],
  ['"/my programs/less"', ["/my programs/less"]],
  ["/my\\ programs/less -j.5", ["/my programs/less", "-j.5"]],
  ["less ''", ["less", ""]],
  ["less -P'?f%f.'", ["less", "-P?f%f."]],
  ["", undefined],
  ["less | cat", undefined],
  ["less; rm x", undefined],
  ["less $(rm x)", undefined],
  ["less `rm x`", undefined],
  ['"$HOME/less"', undefined],
  ["$HOME/less", undefined],
  ["~/less", undefined],
  ["less > out", undefined],
  ["LESS=R less", undefined],
  ["'less", undefined],
  ["less\\", undefined],
])("splits %j as a shell does, or not at all", (command, words) => {
  expect(splitCommand(command, "linux")).toEqual(words);
});

test("a backslash separates names on Windows", () => {
  expect(splitCommand('C:\\bin\\less.exe -R "C:\\my files\\x"', "win32")).toEqual([
    "C:\\bin\\less.exe",
    "-R",
    "C:\\my files\\x",
  ]);
});
