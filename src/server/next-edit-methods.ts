import {
  type ClientCapabilities,
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  InlineCompletionTriggerKind,
  type Position,
  type Range,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { NextEditOrigin, SceneDiagnostic } from "../next/index.ts";
import { type Edit, type Lines, workspaceEdit } from "../text/index.ts";
import { checkParams } from "./check-params.ts";
import type { CommandHandler } from "./commands.ts";
import { type CrashLog, fenceNotification, serveRequest } from "./fence.ts";
import type { ExplainedNextEdit, NextEditService, NextServerSilence, OfferedNextEdit } from "./next-edit-service.ts";
import type { Positions } from "./positions.ts";
import { printNextServerSilence } from "./print-next-server-silence.ts";
import { type EditedDocument, toProtocolEdit } from "./to-protocol-edit.ts";

/** The commands that a client runs once the person has taken a next edit, or has said no to it. Their argument is its id. */
export const acceptNextEditCommand = "emend.didAcceptNextEdit";
export const rejectNextEditCommand = "emend.didRejectNextEdit";

/** What `emend/nextEdit` is asked. */
export interface NextEditParams {
  readonly textDocument: { readonly uri: string; readonly version?: number };
  readonly position: Position;
  /** As in `textDocument/inlineCompletion`; invoked unless told. What is known to be wrong in the document helps a model. */
  readonly context?: { readonly triggerKind?: number; readonly diagnostics?: readonly Diagnostic[] };
}

/** What `emend/nextEdit` answers. Fields may be added; none changes its meaning. */
export type NextEditResult =
  | { readonly kind: "offered"; readonly suggestion: NextEditItem }
  /** Why there is none, and the same in one line. */
  | { readonly kind: "silent"; readonly reason: NextServerSilence; readonly text: string };

/** A place where something may be edited next. */
export interface NextEditPlace {
  /** `null` for a file that is not open. */
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: Range;
  /** What is to be done there; empty where the place is only to be looked at. */
  readonly edits: readonly TextEdit[];
  /** Who says so. */
  readonly origin: NextEditOrigin;
  /** Why, as the end of "Suggested": `like your last 2 edits`. */
  readonly reason: string;
  /** From 0 to 1, where it is known. */
  readonly likelihood?: number;
}

/** A next edit. */
export interface NextEditItem extends NextEditPlace {
  /** By which it is reported as shown, accepted or rejected. */
  readonly id: string;
  /** Whether it is in another document than the one that was asked about. */
  readonly isElsewhere: boolean;
  /** The edits as one of the workspace. */
  readonly workspaceEdit: WorkspaceEdit;
  /** The same as ghost text, where it only adds behind the cursor on its line. */
  readonly ghostText?: { readonly insertText: string; readonly range: Range };
  /** Whether it is what was offered before, after what was typed since. */
  readonly isReused: boolean;
  /** The model's name, where it is a model's. */
  readonly model?: string;
  /** Further places, the nearest first; `isSameChain` says which belong to this one and can be accepted with it. Not all of them are checked yet. */
  readonly others: readonly (NextEditPlace & { readonly isSameChain: boolean })[];
}

/** What `emend/nextEdit/accept` is told. */
export interface NextEditAcceptParams {
  readonly id: string;
  /** Edits of the text that was offered, where not all of it was taken. */
  readonly part?: readonly TextEdit[];
  /** Whether all that is one thing with it is wanted, such as the rest of a rename. */
  readonly chain?: boolean;
}

/** What `emend/nextEdit/accept` answers. */
export interface NextEditAcceptResult {
  /** All of the chain, checked together, for the client to apply; `null` where that would break something, or the texts are others by now. Absent where no chain was asked for. */
  readonly edit?: WorkspaceEdit | null;
}

/** What the methods are served with. */
export interface NextEditMethodParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly service: NextEditService;
  readonly positions: Positions;
  readonly log: CrashLog;
}

/** `emend/nextEdit` and what is said of what it answers. */
export function serveNextEdits(parts: NextEditMethodParts): void {
  const { connection, service, positions, log } = parts;
  serveRequest<NextEditParams, NextEditResult>(connection, "emend/nextEdit", log, async (params, signal) => {
    checkParams("emend/nextEdit", params, {
      ...{ "textDocument.uri": "text", position: "position" },
      "context?.diagnostics?": "list",
    });
    const { textDocument, position, context } = params as NextEditParams;
    const isAutomatic = context?.triggerKind === InlineCompletionTriggerKind.Automatic;
    const answer = await service.ask(
      {
        ...{ uri: textDocument.uri, version: textDocument.version, position },
        trigger: isAutomatic ? "automatic" : "invoked",
        ...(context?.diagnostics && { diagnostics: toSceneDiagnostics(context.diagnostics) }),
      },
      signal,
    );
    if (answer.kind === "offered") return { kind: "offered", suggestion: toItem(answer.offer, parts) };
    return { ...answer, text: printNextServerSilence(answer.reason) };
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
      if (chain === true) return { edit: await takeChain(id, parts, signal) };
      const lines = service.linesFor(id);
      if (part === undefined || lines === undefined) service.accepted(id);
      else
        service.accepted(
          id,
          part.map(({ range, newText }) => ({ ...positions.toTextRange(lines, range), text: newText })),
        );
      return {};
    },
  );
  const take = (what: string, handle: (id: string) => void) =>
    connection.onNotification(
      what,
      fenceNotification<{ readonly id: string }>(what, log, (params) => {
        checkParams(what, params, { id: "text" });
        handle(params.id);
      }),
    );
  take("emend/nextEdit/shown", (id) => service.shown(id));
  take("emend/nextEdit/reject", (id) => service.rejected(id));
  serveRequest(connection, "emend/nextEdit/explain", log, (): ExplainedNextEdit | null => service.last ?? null);
}

/** What the commands do: their argument is the id. */
export function toldNextEdit(service: NextEditService, what: "accepted" | "rejected"): CommandHandler {
  return ([id]) => {
    if (typeof id === "string") service[what](id);
    return null;
  };
}

async function takeChain(
  id: string,
  { service, positions, capabilities }: NextEditMethodParts,
  signal: AbortSignal,
): Promise<WorkspaceEdit | null> {
  const whole = await service.whole(id, signal);
  if (whole === undefined) return null;
  const edit = workspaceEdit(Array.from(whole.files, ([uri, { edit }]) => ({ kind: "edit", uri, edit })));
  const files = new Map(Array.from(whole.files, ([path, { text }]) => [path, text]));
  const converted = toProtocolEdit(edit, { files, positions, capabilities, documentOf: whole.documentOf });
  if (converted.kind === "unsupported") return null;
  service.accepted(id);
  return converted.edit;
}

function toItem(offer: OfferedNextEdit, { positions, capabilities }: NextEditMethodParts): NextEditItem {
  const { id, suggestion, document, lines, isElsewhere, ghostText, documentOf, linesOf } = offer;
  const { edit, place, origin, reason, likelihood, isReused, model, chain } = suggestion;
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

/** One replacement that does the same as an edit: from the first part to the last, with what stands between them. */
export function asOneReplacement(
  { source }: Lines,
  edit: Edit,
): { readonly start: number; readonly end: number; readonly text: string } {
  const first = edit.edits[0]!;
  const last = edit.edits.at(-1)!;
  let text = "";
  let at = first.start;
  for (const part of edit.edits) {
    text += source.slice(at, part.start) + part.text;
    at = part.end;
  }
  return { start: first.start, end: last.end, text };
}

function asGhostText(
  lines: Lines,
  edit: Edit,
  positions: Positions,
): { readonly insertText: string; readonly range: Range } {
  const whole = asOneReplacement(lines, edit);
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

/** The errors and warnings of what a client knows to be wrong; what lacks something is left out. */
export function toSceneDiagnostics(diagnostics: readonly Diagnostic[]): readonly SceneDiagnostic[] {
  return diagnostics.flatMap(toSceneDiagnostic);
}

function toSceneDiagnostic(diagnostic: Diagnostic): readonly SceneDiagnostic[] {
  const { severity = DiagnosticSeverity.Error, message, range } = diagnostic;
  if (severity > DiagnosticSeverity.Warning || typeof message !== "string" || typeof range?.start?.line !== "number")
    return [];
  return [{ line: range.start.line, severity: severity === DiagnosticSeverity.Error ? "error" : "warning", message }];
}
