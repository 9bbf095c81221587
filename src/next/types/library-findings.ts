import { isAboutLibrary, type TypeFinding } from "../../codebase/index.ts";

/** Whether a complaint is about a library, or names one that cannot be found: no edit is to blame for that. */
export function isAboutAnyLibrary(finding: TypeFinding): boolean {
  const { code, message } = finding;
  return isAboutLibrary(finding) || (code === "2307" && /^Cannot find module '(?![./])/.test(message));
}

/** Whether a library that is not there may be why a checker complains: what it would have inferred from it is unknown. */
export function mayBeForLackOfLibrary({ code }: TypeFinding): boolean {
  return ofInference.has(code);
}

/** TypeScript's complaints that it has nothing to infer a type from. */
const ofInference: ReadonlySet<string> = new Set(["7005", "7006", "7008", "7010", "7011", "7019", "7031", "7034"]);
