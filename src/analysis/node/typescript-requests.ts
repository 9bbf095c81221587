import type { Project } from "typescript/unstable/async";
import type { NodeKey } from "./typescript-outline.ts";

/** A symbol in the service's format. */
export interface RawSymbol {
  readonly id: number;
  readonly flags: number;
  /** Handles of the declarations, in the form `index.kind.path`. */
  readonly declarations?: readonly string[];
}

/** A type in the service's format. */
export interface RawType {
  readonly id: number;
  readonly flags: number;
  readonly symbol?: number;
  readonly aliasSymbol?: number;
}

/**
 * Requests to TypeScript's service without its client's objects: the client makes an object of each
 * result and keeps it as long as the snapshot, and for a whole workspace these would be most of
 * this process's memory.
 */
export class CheckerRequests {
  readonly #client: Client;
  readonly #state: { readonly snapshot: unknown; readonly project: string };
  #unknown: Promise<number> | undefined;

  constructor({ checker, id }: Project) {
    const inner = checker as unknown as { readonly client: Client; readonly snapshotId: unknown };
    this.#client = inner.client;
    this.#state = { snapshot: inner.snapshotId, project: id as string };
  }

  /**
   * The symbols of a file's names, in the same order; `undefined` where a name has none. `file` is
   * an absolute path.
   */
  async symbols(file: string, nodes: readonly NodeKey[]): Promise<readonly (RawSymbol | undefined)[]> {
    if (nodes.length === 0) return [];
    const locations = nodes.map((node) => nodeId(file, node));
    return orUndefined(await this.#request<(RawSymbol | null)[]>("getSymbolsAtLocations", { locations }));
  }

  /** The types of a file's nodes, in the same order; `undefined` where a node has none. */
  async types(file: string, nodes: readonly NodeKey[]): Promise<readonly (RawType | undefined)[]> {
    if (nodes.length === 0) return [];
    const locations = nodes.map((node) => nodeId(file, node));
    return orUndefined(await this.#request<(RawType | null)[]>("getTypeAtLocations", { locations }));
  }

  /** The symbol that the name in `{ name }` refers to; `undefined` when it cannot be resolved. */
  async shorthandValue(file: string, node: NodeKey): Promise<RawSymbol | undefined> {
    return (await this.#request("getShorthandAssignmentValueSymbol", { location: nodeId(file, node) })) ?? undefined;
  }

  /** The symbol that an alias finally refers to; `undefined` when it cannot be resolved. */
  async aliased({ id }: RawSymbol): Promise<RawSymbol | undefined> {
    this.#unknown ??= this.#request<{ unknown: number }>("getWellKnownSymbols", {}).then(({ unknown }) => unknown);
    const symbol = await this.#request<RawSymbol | null>("getAliasedSymbol", { symbol: id });
    return symbol === null || symbol.id === (await this.#unknown) ? undefined : symbol;
  }

  /** The contextual type of an expression; `undefined` when it has none. */
  async contextualType(file: string, node: NodeKey): Promise<RawType | undefined> {
    return (await this.#request("getContextualType", { location: nodeId(file, node) })) ?? undefined;
  }

  /** The members of a union or an intersection; empty for other types. */
  async typesOf({ id }: RawType): Promise<readonly RawType[]> {
    return (await this.#request<RawType[] | null>("getTypesOfType", { objectId: id })) ?? [];
  }

  /** The property of a type by its name; `undefined` when it has none. */
  async property({ id }: RawType, name: string): Promise<RawSymbol | undefined> {
    return (await this.#request("getPropertyOfType", { type: id, name })) ?? undefined;
  }

  /** The symbol of a type; `undefined` when it has none, as a primitive type. */
  async symbolOf({ id, symbol }: RawType): Promise<RawSymbol | undefined> {
    if (!symbol) return undefined;
    return (await this.#request("getSymbolOfType", { objectId: id })) ?? undefined;
  }

  /** The symbol of the alias by which a type is named; `undefined` when there is no alias. */
  async aliasSymbolOf({ id, aliasSymbol }: RawType): Promise<RawSymbol | undefined> {
    if (!aliasSymbol) return undefined;
    return (await this.#request("getAliasSymbolOfType", { objectId: id })) ?? undefined;
  }

  /** The text of a type; `flags` are TypeScript's `NodeBuilderFlags`. */
  print({ id }: RawType, flags: number): Promise<string> {
    return this.#request("typeToString", { type: id, flags });
  }

  #request<T>(method: string, params: object): Promise<T> {
    return this.#client.apiRequest(method, { ...this.#state, ...params }) as Promise<T>;
  }
}

interface Client {
  apiRequest(method: string, params: unknown): Promise<unknown>;
}

/**
 * Parses a declaration's handle of the form `index.kind.path`: the index of its node, and its file.
 */
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
