/**
 * Which names the entries of the layers export, who uses them, and which names their signatures
 * mention.
 *
 * Reads the declarations that `npm run build` writes to `dist`, so that inferred types count like
 * written ones.
 */

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ts } from "@ts-morph/common";

/** A name that an entry (an `index.ts`) exports. */
export interface ExportedName {
  /** Path of the entry's source, such as `src/text/index.ts`. */
  readonly entry: string;
  readonly name: string;
  readonly hasDocstring: boolean;
  /** What the declaration mentions: keys of {@link ExportedName}s, see {@link keyOf}. */
  readonly mentions: readonly string[];
  /**
   * Exported names of files of the same layer that the declaration mentions and no entry exports.
   */
  readonly hidden: readonly string[];
}

/** Identifies a declaration: the path of its file without its ending, and its name. */
export type DeclarationKey = string;

/** All exports of all entries. Needs a built `dist`. */
export function exportedNames(root: string, entries: readonly string[]): readonly ExportedName[] {
  const declared = entries.map((entry) => join(root, entry.replace(/^src\//, "dist/").replace(/\.ts$/, ".d.ts")));
  const program = ts.createProgram(declared, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const keys = new Map<ts.Symbol, string[]>();
  const exported = entries.flatMap((entry, i) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(declared[i]!)!);
    return checker.getExportsOfModule(module!).map((symbol) => {
      const target = resolve(symbol);
      keys.set(target, [...(keys.get(target) ?? []), keyOf(entry, symbol.name)]);
      return { entry, symbol, target };
    });
  });
  return exported.map(({ entry, symbol, target }) => {
    const mentions = new Set<string>();
    const hidden = new Set<string>();
    for (const declaration of target.declarations ?? [])
      for (const mentioned of symbolsIn(declaration, checker, resolve)) {
        if (mentioned === target) continue;
        const exportedAs = keys.get(mentioned);
        for (const key of exportedAs ?? []) mentions.add(key);
        const [place] = mentioned.declarations ?? [];
        if (exportedAs === undefined && place !== undefined && isOurs(place, root)) hidden.add(mentioned.name);
      }
    return {
      entry,
      name: symbol.name,
      hasDocstring: target.getDocumentationComment(checker).length > 0,
      mentions: [...mentions],
      hidden: [...hidden],
    };
  });
}

/** The key of a name that an entry exports. */
export function keyOf(entry: string, name: string): string {
  return `${entry}#${name}`;
}

function isOurs(declaration: ts.Declaration, root: string): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.startsWith(join(root, "dist")) && declaration.parent?.kind === ts.SyntaxKind.SourceFile;
}

/** The symbols of the types and values that a declaration names. */
function* symbolsIn(
  declaration: ts.Node,
  checker: ts.TypeChecker,
  resolve: (symbol: ts.Symbol) => ts.Symbol,
): Generator<ts.Symbol> {
  const pending: ts.Node[] = [declaration];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined) yield resolve(symbol);
    }
    node.forEachChild((child) => {
      pending.push(child);
    });
  }
}

/** An import of names out of a file, as a source file or a document writes it. */
export interface NamedImport {
  readonly from: string;
  /** Path of the file that is imported from, relative to the root. */
  readonly target: string;
  /** `*` where all of the module is imported. */
  readonly names: readonly string[];
}

/** The imports of a source text, those of packages left out but for this package's own entries. */
export function importsOf(
  root: string,
  path: string,
  text: string,
  entryOf: ReadonlyMap<string, string>,
): readonly NamedImport[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, false, ts.ScriptKind.TSX);
  const found: NamedImport[] = [];
  const add = (specifier: ts.Node | undefined, names: readonly string[]) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const target = specifier.text.startsWith(".")
      ? relative(root, join(root, dirname(path), specifier.text))
      : entryOf.get(specifier.text);
    if (target !== undefined) found.push({ from: path, target, names });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : undefined;
      add(node.moduleSpecifier, named?.map(({ propertyName, name }) => (propertyName ?? name).text) ?? ["*"]);
    } else if (ts.isExportDeclaration(node)) {
      const named =
        node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause : undefined;
      add(node.moduleSpecifier, named?.elements.map(({ propertyName, name }) => (propertyName ?? name).text) ?? ["*"]);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], ["*"]);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(
        node.argument.literal,
        node.qualifier !== undefined && ts.isIdentifier(node.qualifier) ? [node.qualifier.text] : ["*"],
      );
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

/** The layer of a path, its folder below `src`; `undefined` outside `src`. */
export function layerOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** The package's entries by specifier, such as `emend/text`, as paths of their sources. */
export function packageEntries(root: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  return new Map(
    Object.entries(manifest.exports).map(([name, file]) => [
      `${manifest.name}${name.slice(1)}`,
      file.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts"),
    ]),
  );
}
