import type { LanguageRow } from "../language.ts";
import { script } from "./script.ts";

const endings = [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " x: x", " => x", "() {}", " x() {}", " = x"];

/** TypeScript. */
export const typescript: LanguageRow = {
  id: "typescript",
  name: "TypeScript",
  extensions: [".ts", ".mts", ".cts"],
  firstLine: /^#!.*\b(ts-node|tsx|deno|bun)\b/,
  ...script,
  quirks: { regex: true },
  grammar: "typescript",
  script: "ts",
  charactersPerToken: 3.4,
  endings,
  fills: { name: "typescript", isImported: false, accepted: { files: 5874, of: 5874 } },
};

/** TypeScript with JSX. */
export const typescriptreact: LanguageRow = {
  id: "typescriptreact",
  name: "TypeScript JSX",
  extensions: [".tsx"],
  ...script,
  grammar: "tsx",
  script: "tsx",
  charactersPerToken: 3.5,
  family: "typescript",
  hasElements: true,
  endings: [...endings, " />"],
  fills: { name: "tsx", isImported: false, accepted: { files: 6000, of: 6000 } },
};
