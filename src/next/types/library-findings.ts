import type { TypeFinding } from "../../codebase/index.ts";

/** Whether a complaint is about a library that is not installed or has no types: no edit is to blame for that. */
export function isAboutLibrary({ code, message }: TypeFinding): boolean {
  return aboutLibraries.has(code) || (code === "2307" && /^Cannot find module '(?![./])/.test(message));
}

/** Whether a library that is not there may be why a checker complains: what it would have inferred from it is unknown. */
export function mayBeForLackOfLibrary({ code }: TypeFinding): boolean {
  return ofInference.has(code);
}

/** TypeScript's complaints about types of the environment, about missing types of libraries, and about what is needed to read JSX. */
const aboutLibraries: ReadonlySet<string> = new Set([
  ...["2580", "2581", "2582", "2583", "2584", "2591", "2592", "2593", "2688", "2867", "2868", "2875", "7016", "7026"],
]);

/** TypeScript's complaints that it has nothing to infer a type from. */
const ofInference: ReadonlySet<string> = new Set(["7005", "7006", "7008", "7010", "7011", "7019", "7031", "7034"]);
