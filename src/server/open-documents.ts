import type { TextDocumentContentChangeEvent, TextDocumentItem } from "vscode-languageserver";
import { languageById, languageOf, plaintext } from "../syntax/index.ts";
import { type Document, Edit, Lines } from "../text/index.ts";
import { AutoClosed } from "./auto-closed.ts";
import { tryPathOfUri } from "./file-uri.ts";
import type { Positions } from "./positions.ts";

/** A document as the editor shows it. Immutable: a change gives another value. */
export interface OpenDocument {
  readonly document: Document;
  readonly lines: Lines;
  readonly autoClosed: AutoClosed;
}

/** The documents that the editor has open, by address, kept as it says they change. */
export class OpenDocuments {
  readonly #open = new Map<string, OpenDocument>();

  /** Takes up a document; what was known of it before is left behind. */
  open({ uri, languageId, version, text }: TextDocumentItem): OpenDocument {
    const language = languageOfDocument(uri, languageId, text);
    const open = {
      ...{ document: { uri, language, version, text }, lines: Lines.of(text) },
      autoClosed: AutoClosed.none,
    };
    this.#open.set(keyOf(uri), open);
    return open;
  }

  /**
   * Applies changes, one after the other, each to what the one before gave, and answers them as one edit of the text
   * before. `undefined` when the document is not open.
   */
  change(
    uri: string,
    changes: readonly TextDocumentContentChangeEvent[],
    { version, positions }: { readonly version: number; readonly positions: Positions },
  ): { readonly before: OpenDocument; readonly after: OpenDocument; readonly edit: Edit } | undefined {
    const before = this.get(uri);
    if (before === undefined) return undefined;
    let { lines, autoClosed } = before;
    let whole = Edit.empty;
    for (const change of changes) {
      const range =
        "range" in change ? positions.toTextRange(lines, change.range) : { start: 0, end: lines.source.length };
      const given = Edit.replace(range, change.text);
      // Of a client that sends its whole text with every key, only what is new is an edit.
      const edit = "range" in change ? given : given.normalize(lines.source);
      autoClosed = autoClosed.apply(edit);
      lines = lines.apply(edit);
      whole = whole.compose(edit);
    }
    const after = { document: { ...before.document, version, text: lines.source }, lines, autoClosed };
    // Whoever edits a document looks at it.
    this.close(uri);
    this.#open.set(keyOf(uri), after);
    return { before, after, edit: whole };
  }

  /** Lets go of a document, and answers it; nothing happens when it is not open. */
  close(uri: string): OpenDocument | undefined {
    const open = this.get(uri);
    this.#open.delete(keyOf(uri));
    return open;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#open.get(keyOf(uri));
  }

  /** The person looks at this one now. */
  focus(uri: string): void {
    const open = this.close(uri);
    if (open !== undefined) this.#open.set(keyOf(uri), open);
  }

  /** All of them, the one that was opened, edited or looked at last at the end. */
  get all(): readonly OpenDocument[] {
    return [...this.#open.values()];
  }
}

/** One file may be named by several addresses; any other address names itself. */
function keyOf(uri: string): string {
  return tryPathOfUri(uri) ?? uri;
}

/**
 * The editor's word, where the registry knows it; else what the name and the first line tell. Of a language nobody knows
 * it is the editor's word too, so that settings and reasons can name it.
 */
function languageOfDocument(uri: string, languageId: string | undefined, text: string): string {
  if (languageId !== undefined && languageById(languageId) !== undefined) return languageId;
  const path = tryPathOfUri(uri) ?? uri;
  const told = languageOf(path, /^\uFEFF?([^\r\n]{0,300})/.exec(text)?.[1]);
  const isPlain = plaintext.extensions.some((extension) => path.toLowerCase().endsWith(extension));
  if (told !== plaintext || isPlain || languageId === undefined) return told.id;
  return languageName.test(languageId) && !plainNames.has(languageId.toLowerCase()) ? languageId : told.id;
}

/** What a language may be called; whatever else comes from a client is no name. */
const languageName = /^[a-z][\w.+#-]{0,50}$/i;

/** What editors call a text without a language. */
const plainNames: ReadonlySet<string> = new Set(["text", "txt", "plain", "plain-text", "fundamental", "none"]);
