/**
 * Returns the module names that a script imports or requires, each once, in the order of the text;
 * also some of those in strings and comments.
 */
export function moduleNamesIn(text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)["']([^"'\n]{1,500})["']/g);
  return [...new Set(Array.from(found, ([, name]) => name!))];
}

/**
 * Splits a module name into the name of its package and the path after it, which is empty where
 * there is none.
 */
export function packageParts(specifier: string): { readonly name: string; readonly rest: string } {
  const steps = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return { name: steps.slice(0, count).join("/"), rest: steps.slice(count).join("/") };
}

/**
 * Returns the module name by which a package resolves a name of its own. A package with `exports`
 * can refer to itself.
 */
export function packageRequest(specifier: string, manifest: Readonly<Record<string, unknown>> | undefined): string {
  if ((manifest?.["exports"] ?? undefined) !== undefined) return specifier;
  const { rest } = packageParts(specifier);
  return rest === "" ? "." : `./${rest}`;
}

/** A path without a script's extension and without `index`: the shortest specifier for it. */
export function modulePath(path: string): string {
  return path.replace(/(\.d)?\.[cm]?[tj]sx?$/, "").replace(/(^|\/)index$/, "");
}
