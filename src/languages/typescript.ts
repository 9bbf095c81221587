import type { EngineSupport } from "./language-support.ts";

const endings = {
  typescript: [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " x: x", " => x", "() {}", " x() {}", " = x"],
  javascript: [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " => x", "() {}", " x() {}", " = x"],
  element: " />",
};

/** What the engines know of TypeScript. */
export const typescript: EngineSupport = { charactersPerToken: 3.4, endings: endings.typescript };

/** What the engines know of TypeScript JSX. */
export const typescriptreact: EngineSupport = {
  charactersPerToken: 3.5,
  family: "typescript",
  hasElements: true,
  endings: [...endings.typescript, endings.element],
};

/** What the engines know of JavaScript. */
export const javascript: EngineSupport = {
  charactersPerToken: 3.1,
  family: "typescript",
  hasElements: true,
  endings: endings.javascript,
};

/** What the engines know of JavaScript JSX. */
export const javascriptreact: EngineSupport = {
  charactersPerToken: 3.5,
  family: "typescript",
  hasElements: true,
  endings: [...endings.javascript, endings.element],
};
