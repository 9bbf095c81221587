import type { Project } from "typescript/unstable/async";
import type { NodeKey } from "./typescript-outline.ts";

/** A symbol as the service tells it. */
export interface RawSymbol {
  readonly id: number;
  readonly flags: number;
  /** `index.kind.path` of each declaration. */
  readonly declarations?: readonly string[];
}

/** A type as the service tells it. */
export interface RawType {
  readonly id: number;
  readonly flags: number;
  readonly symbol?: number;
  readonly aliasSymbol?: number;
}

/**
 * The questions of TypeScript's service in its own words: what its client does, without the object that it makes of each answer and
 * keeps as long as the state lives. Of a whole workspace those are most of what this process would hold.
 */
export class Questions {
  readonly #client: Client;
  readonly #state: { readonly snapshot: unknown; readonly project: string };
  #unknown: Promise<number> | undefined;

  constructor({ checker, id }: Project) {
    const inner = checker as unknown as { readonly client: Client; readonly snapshotId: unknown };
    this.#client = inner.client;
    this.#state = { snapshot: inner.snapshotId, project: id as string };
  }

  /** The symbols of names of a file, in their order. */
  async symbols(file: string, nodes: readonly NodeKey[]): Promise<readonly (RawSymbol | undefined)[]> {
    if (nodes.length === 0) return [];
    const locations = nodes.map((node) => nodeId(file, node));
    return orUndefined(await this.#ask<(RawSymbol | null)[]>("getSymbolsAtLocations", { locations }));
  }

  /** The types of nodes of a file, in their order. */
  async types(file: string, nodes: readonly NodeKey[]): Promise<readonly (RawType | undefined)[]> {
    if (nodes.length === 0) return [];
    const locations = nodes.map((node) => nodeId(file, node));
    return orUndefined(await this.#ask<(RawType | null)[]>("getTypeAtLocations", { locations }));
  }

  /** What the name of `{ name }` stands for. */
  async shorthandValue(file: string, node: NodeKey): Promise<RawSymbol | undefined> {
    return (await this.#ask("getShorthandAssignmentValueSymbol", { location: nodeId(file, node) })) ?? undefined;
  }

  /** What an alias stands for in the end; `undefined` where that is not found. */
  async aliased({ id }: RawSymbol): Promise<RawSymbol | undefined> {
    this.#unknown ??= this.#ask<{ unknown: number }>("getWellKnownSymbols", {}).then(({ unknown }) => unknown);
    const symbol = await this.#ask<RawSymbol | null>("getAliasedSymbol", { symbol: id });
    return symbol === null || symbol.id === (await this.#unknown) ? undefined : symbol;
  }

  /** The type that is asked for where an expression stands. */
  async contextualType(file: string, node: NodeKey): Promise<RawType | undefined> {
    return (await this.#ask("getContextualType", { location: nodeId(file, node) })) ?? undefined;
  }

  /** The parts of a union or an intersection. */
  async typesOf({ id }: RawType): Promise<readonly RawType[]> {
    return (await this.#ask<RawType[] | null>("getTypesOfType", { objectId: id })) ?? [];
  }

  async property({ id }: RawType, name: string): Promise<RawSymbol | undefined> {
    return (await this.#ask("getPropertyOfType", { type: id, name })) ?? undefined;
  }

  async symbolOf({ id, symbol }: RawType): Promise<RawSymbol | undefined> {
    if (!symbol) return undefined;
    return (await this.#ask("getSymbolOfType", { objectId: id })) ?? undefined;
  }

  async aliasSymbolOf({ id, aliasSymbol }: RawType): Promise<RawSymbol | undefined> {
    if (!aliasSymbol) return undefined;
    return (await this.#ask("getAliasSymbolOfType", { objectId: id })) ?? undefined;
  }

  /** A type as people read it, nothing of it cut off, each name with its module. */
  print({ id }: RawType, flags: number): Promise<string> {
    return this.#ask("typeToString", { type: id, flags });
  }

  #ask<T>(method: string, params: object): Promise<T> {
    return this.#client.apiRequest(method, { ...this.#state, ...params }) as Promise<T>;
  }
}

interface Client {
  apiRequest(method: string, params: unknown): Promise<unknown>;
}

/** Reads `index.kind.path`. */
export function readHandle(handle: string): { readonly index: number; readonly file: string } {
  const first = handle.indexOf(".");
  return { index: Number(handle.slice(0, first)), file: handle.slice(handle.indexOf(".", first + 1) + 1) };
}

function nodeId(file: string, node: NodeKey): string {
  return `${node.index}.${node.kind}.${file}`;
}

function orUndefined<T>(values: readonly (T | null)[]): (T | undefined)[] {
  return values.map((value) => value ?? undefined);
}
