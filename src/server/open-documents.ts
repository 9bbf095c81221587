import type { TextDocumentContentChangeEvent, TextDocumentItem } from "vscode-languageserver";
import { languageById, languageOf, plaintext } from "../syntax/index.ts";
import { type Document, Edit, Lines } from "../text/index.ts";
import { tryPathOfUri } from "./file-uri.ts";
import type { Positions } from "./positions.ts";
import { AutoClosed } from "./suggestions/auto-closed.ts";

/** An open document in the editor's current state. Immutable: a change returns a new value. */
export interface OpenDocument {
  readonly document: Document;
  readonly lines: Lines;
  readonly autoClosed: AutoClosed;
}

/** The editor's open documents by URI, kept current by its notifications. */
export class OpenDocuments {
  readonly #open = new Map<string, OpenDocument>();

  /** Adds a document; replaces one that is open with the same URI. */
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
   * Applies changes one after the other, each to the result of the one before, and returns them as
   * one edit of the text `before`. Returns `undefined` when the document is not open.
   */
  change(
    uri: string,
    changes: readonly TextDocumentContentChangeEvent[],
    { version, positions }: { readonly version: number; readonly positions: Positions },
  ): { readonly before: OpenDocument; readonly after: OpenDocument; readonly edit: Edit } | undefined {
    const before = this.get(uri);
    if (before === undefined) return undefined;
    let { lines, autoClosed } = before;
    let composed = Edit.empty;
    for (const change of changes) {
      const range =
        "range" in change ? positions.toTextRange(lines, change.range) : { start: 0, end: lines.source.length };
      const replacement = Edit.replace(range, change.text);
      // For a client that sends the whole text at each change, reduce the edit to what differs.
      const edit = "range" in change ? replacement : replacement.normalize(lines.source);
      autoClosed = autoClosed.apply(edit);
      lines = lines.apply(edit);
      composed = composed.compose(edit);
    }
    const after = { document: { ...before.document, version, text: lines.source }, lines, autoClosed };
    // An edited document counts as the one viewed last, so it moves to the end.
    this.close(uri);
    this.#open.set(keyOf(uri), after);
    return { before, after, edit: composed };
  }

  /** Removes a document and returns it; `undefined` when it is not open. */
  close(uri: string): OpenDocument | undefined {
    const open = this.get(uri);
    this.#open.delete(keyOf(uri));
    return open;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#open.get(keyOf(uri));
  }

  /** Marks a document as the one that is viewed now. Does nothing when it is not open. */
  focus(uri: string): void {
    const open = this.close(uri);
    if (open !== undefined) this.#open.set(keyOf(uri), open);
  }

  /** All open documents, the one that was opened, edited or viewed last at the end. */
  get all(): readonly OpenDocument[] {
    return [...this.#open.values()];
  }
}

/**
 * The key of a document: its path, since one file may have several URIs; otherwise the URI itself.
 * A URI with a fragment names a part of a file, such as a cell.
 */
function keyOf(uri: string): string {
  return uri.includes("#") ? uri : (tryPathOfUri(uri) ?? uri);
}

/**
 * The language of a document: `languageId` where the registry has it, otherwise the language of the
 * file name and the first line. Where neither is known, the result is `languageId` too, so that
 * settings and reasons can name it.
 */
function languageOfDocument(uri: string, languageId: string | undefined, text: string): string {
  if (languageId !== undefined && languageById(languageId) !== undefined) return languageId;
  const path = tryPathOfUri(uri) ?? uri;
  const detected = languageOf(path, /^\uFEFF?([^\r\n]{0,300})/.exec(text)?.[1]);
  const isPlain = plaintext.extensions.some((extension) => path.toLowerCase().endsWith(extension));
  if (detected !== plaintext || isPlain || languageId === undefined) return detected.id;
  return languageName.test(languageId) && !plainNames.has(languageId.toLowerCase()) ? languageId : detected.id;
}

/** A valid language name; any other `languageId` of a client is ignored. */
const languageName = /^[a-z][\w.+#-]{0,50}$/i;

/** The names that editors use for text without a language. */
const plainNames: ReadonlySet<string> = new Set(["text", "txt", "plain", "plain-text", "fundamental", "none"]);
