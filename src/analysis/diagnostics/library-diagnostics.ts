import type { Diagnostic } from "./diagnostic.ts";

/** TypeScript's errors about a module that it cannot find. */
export const noModule: ReadonlySet<string> = new Set(["2307", "2792", "2882"]);

/**
 * Whether a diagnostic is, by its code alone, about missing types of a library or of its
 * environment. It is no consequence of a change, and which file it is reported in is arbitrary. An
 * unresolved import ({@link noModule}) does not count, since it may name a missing file; see {@link
 * LibraryDiagnostics}.
 */
export function isAboutLibrary({ code }: Diagnostic): boolean {
  return aboutLibraries.has(code);
}

/** Input of {@link LibraryDiagnostics}: a change, and the diagnostics and texts before it. */
interface LibraryDiagnosticsRequest {
  readonly before: readonly Diagnostic[];
  readonly changed: ReadonlyMap<string, { readonly before: string | undefined }>;
  readonly textOf: (path: string) => string | undefined;
}

/**
 * Separates diagnostics about libraries from those that a change causes.
 *
 * An unresolved package counts as a library if it was unresolved before the change, or if the
 * change is the first to import it, since it has still to be installed. A specifier that is no
 * package name, such as `./one` or `@/one`, is a missing file.
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

  /** Whether a diagnostic of a file with this text is about a library. */
  has(finding: Diagnostic, text: string): boolean {
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

/** The specifier at a diagnostic, without its quotes. */
function specifierAt({ start, end }: Diagnostic, text: string): string {
  return text.slice(start + 1, end - 1);
}

/**
 * TypeScript's errors about ambient types, about missing types of libraries, and about the JSX
 * runtime.
 */
const aboutLibraries: ReadonlySet<string> = new Set([
  ...["2580", "2581", "2582", "2583", "2584", "2591", "2592", "2593", "2688", "2867", "2868", "2875", "7016", "7026"],
]);

/** A specifier of an npm package or of a built-in module. */
const packagePath = /^(?:node:|(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9-][a-z0-9._~-]*(?:\/|$))/i;
