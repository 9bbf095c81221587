import {
  type ClientCapabilities,
  type Connection,
  type Diagnostic,
  InlineCompletionTriggerKind,
  type Position,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { NextEditOrigin } from "../../next/index.ts";
import { type Edit, Lines, workspaceEdit } from "../../text/index.ts";
import { checkParams } from "../check-params.ts";
import { type EditedDocument, toProtocolEdit } from "../edit/to-protocol-edit.ts";
import { type CrashLog, guardNotification, serveRequest } from "../guard.ts";
import type { Positions } from "../positions.ts";
import type { IdentifiedNextEdit, NextEditAnswer } from "./server-next-edits.ts";
import { describeServerNoNextEdit, type ServerNoNextEditReason, tryRepeatAfterMs } from "./server-no-suggestion.ts";
import type { SuggestionEvent, SuggestionFeedback } from "./suggestion-feedback.ts";
import type { SuggestionService } from "./suggestion-service.ts";

/**
 * The commands that a client runs after a next edit was accepted or rejected. Their argument is its
 * id.
 */
export const acceptNextEditCommand = "emend.didAcceptNextEdit";
export const rejectNextEditCommand = "emend.didRejectNextEdit";

/** The parameters of `emend/nextEdit`. */
export interface NextEditParams {
  readonly textDocument: { readonly uri: string; readonly version?: number };
  readonly position: Position;
  /**
   * As in `textDocument/inlineCompletion`; the trigger is `Invoked` by default. `diagnostics` of
   * the document are added to a model's prompt.
   */
  readonly context?: { readonly triggerKind?: number; readonly diagnostics?: readonly Diagnostic[] };
}

/** The answer of `emend/nextEdit`. Fields may be added; none changes its meaning. */
export type NextEditResult =
  | { readonly kind: "offered"; readonly suggestion: NextEditItem }
  /**
   * Why there is none, and the same in one line. `repeatAfterMs` is set where the reason passes by
   * itself: a client with the same text and cursor then requests again, after so many milliseconds
   * at first, and after twice as many each further time.
   */
  | {
      readonly kind: "no-suggestion";
      readonly reason: ServerNoNextEditReason;
      readonly text: string;
      readonly repeatAfterMs?: number;
    };

/** A location where something may be edited next. */
export interface NextEditPlace {
  /** The version is `null` for a file that is not open. */
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: Range;
  /** The edits of the location; empty where it is only to be looked at. */
  readonly edits: readonly TextEdit[];
  /** The provider that proposed it. */
  readonly origin: NextEditOrigin;
  /**
   * Why it is suggested, as the rest of a sentence that begins with "Suggested": `like your last 2
   * edits`.
   */
  readonly reason: string;
  /** From 0 to 1, where it is known. */
  readonly likelihood?: number;
}

/** A suggested next edit. */
export interface NextEditItem extends NextEditPlace {
  /** The id for `emend/nextEdit/shown`, `/accept` and `/reject`. */
  readonly id: string;
  /** Whether it is in another document than that of the request. */
  readonly isElsewhere: boolean;
  /** The edits as a workspace edit. */
  readonly workspaceEdit: WorkspaceEdit;
  /** The same as ghost text, where it only inserts behind the cursor on its line. */
  readonly ghostText?: { readonly insertText: string; readonly range: Range };
  /** Whether it is the rest of an earlier suggestion, after the person typed a part of it. */
  readonly isReused: boolean;
  /** The model's name, where a model proposed it. */
  readonly model?: string;
  /**
   * Further locations, the nearest first. Those with `isSameChain` belong to this suggestion and
   * can be accepted with it. Not all of them are checked yet.
   */
  readonly others: readonly (NextEditPlace & { readonly isSameChain: boolean })[];
}

/** The parameters of `emend/nextEdit/accept`. */
interface NextEditAcceptParams {
  readonly id: string;
  /**
   * The accepted edits, of the text at the time of the suggestion, where only a part was accepted.
   */
  readonly part?: readonly TextEdit[];
  /** Whether to accept the whole chain, such as the rest of a rename. */
  readonly chain?: boolean;
}

/** The answer of `emend/nextEdit/accept`. */
export interface NextEditAcceptResult {
  /**
   * The whole chain, checked together, for the client to apply; `null` where it would add an error,
   * or a text has changed since. Absent where no chain was requested.
   */
  readonly edit?: WorkspaceEdit | null;
  /** Where texts have changed since: the paths of their files, relative to the workspace folder. */
  readonly changed?: readonly string[];
}

/** The answer of `emend/nextEdit/check`. */
export interface NextEditCheckResult {
  /**
   * The path of the suggestion's file, relative to the workspace folder, if its text is not the one
   * that the suggestion was made for; otherwise nothing.
   */
  readonly changed: readonly string[];
}

/** What the methods are served with. */
export interface NextEditMethodParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly service: SuggestionService;
  readonly store: SuggestionFeedback;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/** Serves `emend/nextEdit`, and the feedback on its suggestions. */
export function serveNextEdits(parts: NextEditMethodParts): void {
  const { connection, service, store, positions, log } = parts;
  serveRequest<NextEditParams, NextEditResult>(connection, "emend/nextEdit", log, async (params, signal) => {
    const answer = await requestNextEdit("emend/nextEdit", params, { service, signal, byDefault: "invoked" });
    if (answer.kind === "offered") return { kind: "offered", suggestion: toItem(answer.offer, parts) };
    const { kind, reason } = answer;
    const repeatAfterMs = tryRepeatAfterMs(reason);
    const text = describeServerNoNextEdit(reason);
    return { kind, reason, text, ...(repeatAfterMs !== undefined && { repeatAfterMs }) };
  });
  serveRequest<NextEditAcceptParams, NextEditAcceptResult>(
    connection,
    "emend/nextEdit/accept",
    log,
    async (params, signal) => {
      const what = "emend/nextEdit/accept";
      checkParams(what, params, { id: "text", "part?": "list" });
      const { id, part, chain } = params as NextEditAcceptParams;
      for (const one of part ?? []) {
        checkParams(what, one, { newText: "text", "range.start": "position", "range.end": "position" });
      }
      if (chain === true) return acceptChain(id, parts, signal);
      const text = store.nextEdit(id)?.suggestion.text;
      if (part === undefined || text === undefined) store.notify(id, { kind: "accepted" });
      else {
        const lines = Lines.of(text);
        const edits = part.map(({ range, newText }) => ({ ...positions.toTextRange(lines, range), text: newText }));
        store.notify(id, { kind: "partly-accepted", part: edits });
      }
      return {};
    },
  );
  const serveNotification = (what: string, event: SuggestionEvent) =>
    connection.onNotification(
      what,
      guardNotification<{ readonly id: string }>(what, log, (params) => {
        checkParams(what, params, { id: "text" });
        store.notify(params.id, event);
      }),
    );
  serveNotification("emend/nextEdit/shown", { kind: "shown" });
  serveNotification("emend/nextEdit/reject", { kind: "dismissed" });
  serveRequest<{ readonly id: string }, NextEditCheckResult>(
    connection,
    "emend/nextEdit/check",
    log,
    async (params) => {
      checkParams("emend/nextEdit/check", params, { id: "text" });
      return { changed: await service.nextEdits.changedSince((params as { readonly id: string }).id) };
    },
  );
}

/**
 * Requests a next edit as the parameters of a method say, with the trigger `byDefault` where they
 * name none.
 */
export function requestNextEdit(
  what: string,
  params: Partial<NextEditParams>,
  options: {
    readonly service: SuggestionService;
    readonly signal: AbortSignal;
    readonly byDefault: "automatic" | "invoked";
  },
): Promise<NextEditAnswer> {
  checkParams(what, params, {
    ...{ "textDocument.uri": "text", position: "position" },
    "context?.diagnostics?": "list",
  });
  const { textDocument, position, context } = params as NextEditParams;
  const trigger = context?.triggerKind === undefined ? undefined : triggers[context.triggerKind];
  return options.service.nextEdit(
    {
      ...{ uri: textDocument.uri, version: textDocument.version, position, trigger: trigger ?? options.byDefault },
      diagnostics: context?.diagnostics,
    },
    options.signal,
  );
}

const triggers: Readonly<Record<number, "automatic" | "invoked">> = {
  [InlineCompletionTriggerKind.Automatic]: "automatic",
  [InlineCompletionTriggerKind.Invoked]: "invoked",
};

async function acceptChain(
  id: string,
  { service, store, positions, capabilities }: NextEditMethodParts,
  signal: AbortSignal,
): Promise<NextEditAcceptResult> {
  const whole = await service.nextEdits.wholeChain(id, signal);
  if (whole === undefined) return { edit: null };
  if (whole.kind === "changed") return { edit: null, changed: whole.changed };
  const edit = workspaceEdit(Array.from(whole.files, ([uri, { edit }]) => ({ kind: "edit", uri, edit })));
  const files = new Map(Array.from(whole.files, ([path, { text }]) => [path, text]));
  const converted = toProtocolEdit(edit, { files, positions, capabilities, documentOf: whole.documentOf });
  if (converted.kind === "unsupported") return { edit: null };
  store.notify(id, { kind: "accepted" });
  return { edit: converted.edit };
}

function toItem(offer: IdentifiedNextEdit, { positions, capabilities }: NextEditMethodParts): NextEditItem {
  const { suggestion, document, lines, isElsewhere, ghostText, documentOf, linesOf } = offer;
  const { id, edit, place, origin, reason, likelihood, isReused, model, chain } = suggestion;
  const edits = toTextEdits(lines, edit, positions);
  const others = suggestion.others.flatMap((other) => {
    const otherLines = linesOf(other.path);
    if (otherLines === undefined) return [];
    return {
      textDocument: documentOf(other.path),
      range: positions.toRange(otherLines, other.place),
      edits: toTextEdits(otherLines, other.edit, positions),
      ...{ origin: other.origin, reason: other.reason, likelihood: other.likelihood },
      isSameChain: chain !== undefined && other.chain === chain,
    };
  });
  const whole = ghostText && asGhostText(lines, ghostText, positions);
  return {
    ...{ id, textDocument: document, isElsewhere, edits, origin, reason, isReused, others },
    range: positions.toRange(lines, place),
    workspaceEdit: toWorkspaceEdit(document, edits, capabilities),
    ...(likelihood !== undefined && { likelihood }),
    ...(model !== undefined && { model }),
    ...(whole && { ghostText: whole }),
  };
}

function asGhostText(
  lines: Lines,
  edit: Edit,
  positions: Positions,
): { readonly insertText: string; readonly range: Range } {
  const whole = edit.inOne(lines.source);
  return { insertText: whole.text, range: positions.toRange(lines, whole) };
}

function toTextEdits(lines: Lines, edit: Edit | undefined, positions: Positions): readonly TextEdit[] {
  return (edit?.edits ?? []).map((one) => ({ range: positions.toRange(lines, one), newText: one.text }));
}

function toWorkspaceEdit(
  textDocument: EditedDocument,
  edits: readonly TextEdit[],
  capabilities: ClientCapabilities,
): WorkspaceEdit {
  if (capabilities.workspace?.workspaceEdit?.documentChanges !== true)
    return { changes: { [textDocument.uri]: [...edits] } };
  return { documentChanges: [{ textDocument: { ...textDocument }, edits: [...edits] }] };
}
