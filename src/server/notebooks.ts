import type { Document } from "../text/index.ts";
import type { OpenDocuments } from "./open-documents.ts";

/** The code cells of a notebook in one language, as one text. */
export interface NotebookText {
  /** The cells in their order, with an empty line between two. */
  readonly text: string;
  /** Where the cell begins in it that was asked for. */
  readonly start: number;
}

/**
 * The open notebooks and the order of their cells, whose texts are open documents.
 *
 * A client that synchronizes notebooks sends their order. The cells of other clients are known by
 * their URIs, as VS Code writes them: the fragment of each cell sorts behind those of cells that
 * were created before.
 */
export class Notebooks {
  readonly #documents: Pick<OpenDocuments, "get" | "all">;
  /** The URIs of the cells of each notebook, and the notebook of each cell. */
  readonly #cells = new Map<string, readonly string[]>();
  readonly #notebookOf = new Map<string, string>();

  constructor(documents: Pick<OpenDocuments, "get" | "all">) {
    this.#documents = documents;
  }

  /** Opens a notebook with these cells. */
  open(uri: string, cells: readonly string[]): void {
    this.close(uri);
    this.#cells.set(uri, cells);
    for (const cell of cells) this.#notebookOf.set(cell, uri);
  }

  /**
   * Replaces `deleteCount` cells from the index `start` on. Does nothing for an unknown notebook.
   */
  splice(uri: string, start: number, deleteCount: number, cells: readonly string[]): void {
    const present = this.#cells.get(uri);
    if (present !== undefined) this.open(uri, present.toSpliced(start, deleteCount, ...cells));
  }

  /** Closes a notebook. Does nothing for an unknown one. */
  close(uri: string): void {
    for (const cell of this.#cells.get(uri) ?? []) this.#notebookOf.delete(cell);
    this.#cells.delete(uri);
  }

  /**
   * What names the notebook of a cell: the same for all of its cells. `undefined` for a document
   * that is no cell.
   */
  notebookOf(uri: string): string | undefined {
    return this.#notebookOf.get(uri) ?? (uri.startsWith(cellScheme) ? uri.split("#")[0] : undefined);
  }

  /**
   * The open cells of the notebook of an open cell, in its language, as one text. `undefined` for a
   * document that is no cell.
   */
  textAround(uri: string): NotebookText | undefined {
    const cell = this.#documents.get(uri)?.document;
    const notebook = this.notebookOf(uri);
    if (cell === undefined || notebook === undefined) return undefined;
    const separator = cell.text.includes("\r\n") ? "\r\n\r\n" : "\n\n";
    const cells = this.#cellsOf(notebook).filter(({ language }) => language === cell.language);
    const before = cells.slice(0, cells.indexOf(cell));
    return {
      text: cells.map(({ text }) => text).join(separator),
      start: before.reduce((sum, { text }) => sum + text.length + separator.length, 0),
    };
  }

  #cellsOf(notebook: string): readonly Document[] {
    const cells = this.#cells.get(notebook);
    if (cells !== undefined) return cells.flatMap((uri) => this.#documents.get(uri)?.document ?? []);
    return this.#documents.all
      .map(({ document }) => document)
      .filter(({ uri }) => this.notebookOf(uri) === notebook)
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  }
}

const cellScheme = "vscode-notebook-cell:";
