import type { PlainNode } from "../syntax/index.ts";
import { type Arity, FactsDraft, type Hint, type NamePlace, plain, unknown } from "./name-facts.ts";

/** A parameter of a function. */
export interface Parameter {
  readonly name: string;
  readonly hint: Hint;
  readonly isOptional: boolean;
  readonly isRest?: boolean;
}

/** What the readers of names by trees share. A subclass visits the nodes of its grammar. */
export abstract class NamesReader<Place extends NamePlace> {
  readonly draft = new FactsDraft();
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Adds what a node declares and mentions to the draft. */
  protected abstract visit(node: PlainNode, place: Place): void;

  /** What the file itself shows about the value of an expression. */
  protected abstract hint(node: PlainNode, place: Place): Hint;

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
