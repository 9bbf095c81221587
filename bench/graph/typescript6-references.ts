import { ts } from "@ts-morph/common";
import type { FileReferences, Reference } from "../../src/analysis/index.ts";

/**
 * What the names of a program's files mean, by TypeScript 6's API in this process: symbols of all
 * names, aliases, the types that are requested at literals, functions and patterns, and overridden
 * members. Roles are not distinguished: each reference is a `value`.
 */
export class TypeScript6References {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #pathOf: (absolutePath: string) => string | undefined;

  constructor(program: ts.Program, pathOf: (absolutePath: string) => string | undefined) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    this.#pathOf = pathOf;
  }

  /**
   * The references of one file, by its absolute path; `undefined` where the program does not hold
   * it.
   */
  of(absolutePath: string): FileReferences | undefined {
    const source = this.#program.getSourceFile(absolutePath);
    const path = this.#pathOf(absolutePath);
    if (source === undefined || path === undefined) return undefined;
    const references: Reference[] = [];
    let unresolved = 0;
    const add = (start: number, symbol: ts.Symbol | undefined) => {
      for (const declaration of symbol?.declarations ?? []) {
        const file = declaration.getSourceFile();
        const targetPath = this.#pathOf(file.fileName);
        if (targetPath === undefined) continue;
        const targetStart = ts.isSourceFile(declaration) ? 0 : declaration.getStart(file);
        references.push({ start, role: "value", targetPath, targetStart });
      }
    };
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const symbol = this.#meaningOf(node);
        if (symbol === undefined) unresolved += 1;
        add(node.getStart(source), symbol);
        if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) {
          add(node.getStart(source), this.#checker.getAliasedSymbol(symbol));
        }
        return;
      }
      if (hasShape(node)) this.#addShape(node, (start, symbol) => add(start, symbol));
      else if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) this.#addOverrides(node, add);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return { path, references, unresolved, precision: "types" };
  }

  #meaningOf(name: ts.Identifier | ts.PrivateIdentifier): ts.Symbol | undefined {
    return ts.isShorthandPropertyAssignment(name.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.#checker.getSymbolAtLocation(name);
  }

  #addShape(node: ShapedNode, add: (start: number, symbol: ts.Symbol | undefined) => void): void {
    const isPattern = ts.isObjectBindingPattern(node);
    const type = isPattern ? this.#checker.getTypeAtLocation(node) : this.#checker.getContextualType(node);
    if (type === undefined) return;
    const parts = (type.isUnionOrIntersection() ? type.types : [type]).filter(
      ({ flags }) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection),
    );
    if (!isPattern) {
      add(node.getStart(), type.aliasSymbol);
      for (const part of parts) for (const symbol of [part.symbol, part.aliasSymbol]) add(node.getStart(), symbol);
    }
    const members =
      ts.isObjectLiteralExpression(node) || ts.isJsxAttributes(node) ? node.properties : isPattern ? node.elements : [];
    for (const member of members) {
      const name = ts.isBindingElement(member) ? (member.propertyName ?? member.name) : member.name;
      if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) continue;
      for (const part of parts) add(name.getStart(), this.#checker.getPropertyOfType(part, name.text));
    }
  }

  #addOverrides(
    node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
    add: (start: number, symbol: ts.Symbol | undefined) => void,
  ): void {
    for (const base of (node.heritageClauses ?? []).flatMap(({ types }) => [...types])) {
      const type = this.#checker.getTypeAtLocation(base);
      for (const { name } of node.members) {
        if (name !== undefined && ts.isIdentifier(name))
          add(name.getStart(), this.#checker.getPropertyOfType(type, name.text));
      }
    }
  }
}

type ShapedNode =
  | ts.ObjectLiteralExpression
  | ts.ArrowFunction
  | ts.FunctionExpression
  | ts.JsxAttributes
  | ts.ObjectBindingPattern;

function hasShape(node: ts.Node): node is ShapedNode {
  return (
    ts.isObjectLiteralExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isJsxAttributes(node) ||
    ts.isObjectBindingPattern(node)
  );
}
