import type { TypeDiagnostic } from "../graph/reference.ts";

/** TypeScript's complaints that it cannot find a module. */
export const noModule: ReadonlySet<string> = new Set(["2307", "2792", "2882"]);

/**
 * Whether a finding is about a library that is not installed or has no types: no text is to blame
 * for that. Which file hears of it is chance.
 */
export function isAboutLibrary({ code }: TypeDiagnostic): boolean {
  return aboutLibraries.has(code);
}

/**
 * What {@link LibraryDiagnostics} reads: a change, the diagnostics before it, and the texts then.
 */
export interface LibraryDiagnosticsRequest {
  readonly before: readonly TypeDiagnostic[];
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined }>;
  readonly textOf: (path: string) => string | undefined;
}

/**
 * Tells the findings that are about libraries from those that a change is to blame for.
 *
 * A package that cannot be found is one of them if it could not be found before, too, or if the
 * change is the first to name it, so that it is still to be installed. What is no package by its
 * name, such as `./one` or `@/one`, is a file that is missed.
 */
export class LibraryDiagnostics {
  readonly #missing = new Set<string>();
  readonly #textsBefore: readonly string[];

  constructor({ before, changed, textOf }: LibraryDiagnosticsRequest) {
    for (const finding of before) {
      if (!noModule.has(finding.code)) continue;
      const change = changed.get(finding.path);
      this.#missing.add(specifierAt(finding, (change === undefined ? textOf(finding.path) : change.before) ?? ""));
    }
    this.#textsBefore = [...changed.values()].flatMap((change) => change.before ?? []);
  }

  /** Whether a finding of a file with this text is one of them. */
  has(finding: TypeDiagnostic, text: string): boolean {
    if (isAboutLibrary(finding)) return true;
    if (!noModule.has(finding.code)) return false;
    const specifier = specifierAt(finding, text);
    return packagePath.test(specifier) && (this.#missing.has(specifier) || !this.#isOld(specifier));
  }

  #isOld(specifier: string): boolean {
    const quoted = ["'", '"', "`"].map((quote) => quote + specifier + quote);
    return this.#textsBefore.some((text) => quoted.some((one) => text.includes(one)));
  }
}

/** The text of a module's name, without its quotes. */
function specifierAt({ start, end }: TypeDiagnostic, text: string): string {
  return text.slice(start + 1, end - 1);
}

/**
 * TypeScript's complaints about types of the environment, about missing types of libraries, and
 * about what is needed to read JSX.
 */
const aboutLibraries: ReadonlySet<string> = new Set([
  ...["2580", "2581", "2582", "2583", "2584", "2591", "2592", "2593", "2688", "2867", "2868", "2875", "7016", "7026"],
]);

/** A module of a package, as npm names them, or of the runtime's own. */
const packagePath = /^(?:node:|(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9-][a-z0-9._~-]*(?:\/|$))/i;
