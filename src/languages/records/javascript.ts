import type { LanguageRow } from "../language.ts";
import { script } from "./script.ts";

const shared = {
  ...script,
  grammar: "javascript",
  script: "jsx",
  family: "typescript",
  hasElements: true,
  fills: { name: "javascript", isImported: false, accepted: { files: 5479, of: 5479 } },
} satisfies Partial<LanguageRow>;
const endings = [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " => x", "() {}", " x() {}", " = x"];

/** JavaScript. */
export const javascript: LanguageRow = {
  id: "javascript",
  name: "JavaScript",
  extensions: [".js", ".mjs", ".cjs", ".es6"],
  firstLine: /^#!.*\bnode\b/,
  ...shared,
  charactersPerToken: 3.1,
  endings,
};

/** JavaScript with JSX. */
export const javascriptreact: LanguageRow = {
  id: "javascriptreact",
  name: "JavaScript JSX",
  extensions: [".jsx"],
  ...shared,
  charactersPerToken: 3.5,
  endings: [...endings, " />"],
};
