import type { FileDiagnostic } from "./type-checker.ts";

/** TypeScript's errors about a module that it cannot find. */
export const noModule: ReadonlySet<string> = new Set(["2307", "2792", "2882"]);

/**
 * Whether a diagnostic is, by its code alone, about missing types of a library or of its
 * environment. It is no consequence of a change, and which file it is reported in is arbitrary. An
 * unresolved import ({@link noModule}) does not count, since it may name a missing file; see {@link
 * LibraryDiagnostics}.
 */
function isAboutLibrary({ code }: FileDiagnostic): boolean {
  return aboutLibraries.has(code);
}

/**
 * The package or built-in module that a diagnostic reports as missing; `undefined` for other
 * diagnostics, and for a specifier that is no package name, such as `./one` or `@/one`: that is a
 * missing file.
 */
function missingPackage({ code, message }: Pick<FileDiagnostic, "code" | "message">): string | undefined {
  const specifier = noModule.has(code) ? /'([^']*)'/.exec(message)?.[1] : undefined;
  return specifier !== undefined && packagePath.test(specifier) ? specifier : undefined;
}

/**
 * Separates diagnostics about libraries from those that a change causes.
 *
 * An unresolved package counts as a library if it was unresolved before the change, or if the
 * change is the first to import it, since it has still to be installed. While a library is missing,
 * a type that cannot be inferred does not count either.
 */
export class LibraryDiagnostics {
  readonly #missing: ReadonlySet<string>;
  readonly #lacksLibrary: boolean;
  readonly #textsBefore: readonly string[];

  /**
   * `before` are the diagnostics before the change, `textsBefore` the texts of the changed files.
   */
  constructor(before: readonly FileDiagnostic[], textsBefore: readonly string[] = []) {
    this.#missing = new Set(before.flatMap((diagnostic) => missingPackage(diagnostic) ?? []));
    this.#lacksLibrary = this.#missing.size > 0 || before.some(isAboutLibrary);
    this.#textsBefore = textsBefore;
  }

  /** Whether a diagnostic after the change is about a library. */
  has(diagnostic: FileDiagnostic): boolean {
    if (isAboutLibrary(diagnostic) || (this.#lacksLibrary && ofInference.has(diagnostic.code))) return true;
    const name = missingPackage(diagnostic);
    return name !== undefined && (this.#missing.has(name) || !this.#isOld(name));
  }

  #isOld(specifier: string): boolean {
    const quoted = ["'", '"', "`"].map((quote) => quote + specifier + quote);
    return this.#textsBefore.some((text) => quoted.some((one) => text.includes(one)));
  }
}

/**
 * TypeScript's errors about ambient types, about missing types of libraries, and about the JSX
 * runtime.
 */
const aboutLibraries: ReadonlySet<string> = new Set([
  ...["2580", "2581", "2582", "2583", "2584", "2591", "2592", "2593", "2688", "2867", "2868", "2875", "7016", "7026"],
]);

/**
 * TypeScript's codes for a type that cannot be inferred. A missing library may be the cause: the
 * checker could not infer a type from it.
 */
const ofInference: ReadonlySet<string> = new Set(["7005", "7006", "7008", "7010", "7011", "7019", "7031", "7034"]);

/** A specifier of an npm package or of a built-in module. */
const packagePath = /^(?:node:|(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9-][a-z0-9._~-]*(?:\/|$))/i;
