import type { PlainNode } from "../syntax/index.ts";
import { type Arity, FactsDraft, type Hint, type NamePlace, plain, unknown } from "./name-facts.ts";

/** A parameter of a function. */
export interface Parameter {
  readonly name: string;
  readonly hint: Hint;
  readonly isOptional: boolean;
  readonly isRest?: boolean;
}

type Visitor<Place> = (node: PlainNode, place: Place) => void;

/** Visitors by type of node. */
export type Visitors<Place> = ReadonlyMap<string, Visitor<Place>>;

/** The visitors of a table whose keys are types of nodes separated by spaces. */
export function visitorsOf<Place>(rows: Readonly<Record<string, Visitor<Place>>>): Visitors<Place> {
  return new Map(Object.entries(rows).flatMap(([types, visitor]) => types.split(" ").map((type) => [type, visitor])));
}

/** What the readers of names by trees share. A subclass visits the nodes of its grammar. */
export abstract class NamesReader<Place extends NamePlace> {
  readonly draft = new FactsDraft();
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What the types of nodes are visited with; of other nodes the children are visited. */
  protected abstract readonly visitors: Visitors<Place>;

  /** What the file itself shows about the value of an expression. */
  protected abstract hint(node: PlainNode, place: Place): Hint;

  /** Adds what a node declares and mentions to the draft. */
  protected visit(node: PlainNode, place: Place): void {
    const visitor = this.visitors.get(node.type);
    if (visitor === undefined) this.visitAll(node.children, place);
    else visitor(node, place);
  }

  visitAll(nodes: readonly PlainNode[], place: Place): void {
    for (const node of nodes) this.visit(node, place);
  }

  /** Visits all children but `left`, one of them. */
  protected visitOthers(node: PlainNode, left: PlainNode | undefined, place: Place): void {
    const others = node.children.filter((one) => one !== left);
    this.visitAll(others, place);
  }

  /** The hint of a node; `unknown` without one. */
  protected hintOf(node: PlainNode | undefined, place: Place): Hint {
    return node === undefined ? unknown : this.hint(node, place);
  }

  /** The hint of the result of a call of a node, or of an element of it; `unknown` without one. */
  protected hintOn(kind: "called" | "element", node: PlainNode | undefined, place: Place): Hint {
    return node === undefined ? unknown : { kind, of: this.hint(node, place) };
  }

  /** The first hint of several expressions that says something; `undefined` if none does. */
  protected knownHint(nodes: readonly (PlainNode | undefined)[], place: Place): Hint | undefined {
    return nodes.map((node) => this.hintOf(node, place)).find(isKnown);
  }

  /** The name of a declaration, and where it is. */
  protected named(node: PlainNode): { readonly name: string; readonly start: number } {
    return { name: this.slice(node), start: node.start };
  }

  protected slice({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.text.slice(start, end);
  }
}

/** Whether a hint says something. */
export function isKnown({ kind }: Hint): boolean {
  return kind !== plain.kind && kind !== unknown.kind;
}

/** The number of arguments that a function with these parameters accepts. */
export function arityOf(parameters: readonly Parameter[]): Arity {
  return {
    min: parameters.filter(({ isOptional }) => !isOptional).length,
    max: parameters.some(({ isRest }) => isRest) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}
