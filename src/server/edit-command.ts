import {
  type ClientCapabilities,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import { joinPath } from "../codebase/index.ts";
import {
  EditEngine,
  type EditEvent,
  type EditFile,
  type EditJson,
  type EditOutcome,
  type EditProposal,
  editToJson,
  explainEdit,
  explainRegions,
  printNoText,
  type RegionGuides,
  type RewriteOutcome,
  rewriteRegions,
} from "../edit/index.ts";
import { ModelError } from "../model/index.ts";
import { languageOf, type Syntax } from "../syntax/index.ts";
import { Lines } from "../text/index.ts";
import type { CommandCall, CommandHandler } from "./commands.ts";
import { toFileUri } from "./file-uri.ts";
import type { OpenDocuments } from "./open-documents.ts";
import type { Positions } from "./positions.ts";
import { FallbackChat } from "./session/index.ts";
import type { Placed, SessionSet } from "./session-set.ts";
import { type EditedDocument, toProtocolEdit } from "./to-protocol-edit.ts";

/** The command that changes documents as an instruction says. */
export const editCommand = "emend.edit";

/** The argument of the command. */
export interface EditArgument {
  /** What is to be done, in any language. */
  readonly instruction: string;
  /** The documents that may be changed, open or not; the one that was looked at last unless told. */
  readonly uris?: readonly string[];
  /** The lines of the first document that the instruction is about. */
  readonly range?: Range;
  /** The regions of the one document that are rewritten, each by itself and nothing else, under the language's grammar. */
  readonly regions?: readonly Range[];
}

/** What the command answers. Fields may be added; none changes its meaning. */
export interface EditAnswer extends EditJson {
  /** The absolute folder that paths are in; absent for documents that lie in none. */
  readonly root?: string;
  /** Who wrote the change. */
  readonly model: string;
  /** Whether the editor took the change. */
  readonly isApplied: boolean;
  /** Why it did not, although there was one. */
  readonly failureReason?: string;
  /** All of it for people, in lines: what was repaired, understood, warned of or refused. */
  readonly explanation: string;
  /** What else a person should know, one line each. */
  readonly notes: readonly string[];
}

/** What the command is made with. */
export interface EditCommandParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
  readonly positions: Positions;
  readonly syntax: Syntax;
  /** Holds regions to grammars; nothing does without. */
  readonly guides?: Pick<RegionGuides, "open">;
}

/**
 * Changes documents as an instruction says: asks the model of the settings, and hands what passes all checks to the editor
 * by `workspace/applyEdit`, for the versions of the documents that it was made for.
 *
 * A change that cannot be used is an answer too, of another kind. What nobody could carry out is an error.
 */
export function editByInstruction(parts: EditCommandParts): CommandHandler {
  return async ([value], { signal, progress }) => {
    const argument = readArgument(value);
    const work = await openProgress(parts, { progress, signal });
    try {
      return await editDocuments(argument, parts, work);
    } finally {
      work.close();
    }
  };
}

async function editDocuments(argument: EditArgument, parts: EditCommandParts, work: Work): Promise<EditAnswer> {
  const { syntax, documents } = parts;
  const { signal } = work;
  const placed = await openFiles(argument, parts);
  const { session } = placed[0]!;
  const settings = await session.editSettings();
  const chats = await session.openChatModels(settings);
  try {
    if (chats.models.length === 0)
      throw failed(`${chats.issues.join(" ")} Set \`emend.edit.model\` to a model that chats.`);
    const notes = [...settings.issues, ...(settings.modelNames.length > 1 ? chats.issues : [])];
    const model = new FallbackChat({
      models: chats.models,
      onFallback: (_, error, next) => notes.push(`${error.message} ${next} is asked instead.`),
    });
    const byPath = new Map(placed.map((file) => [file.path, file]));
    const textNow = async (path: string) => {
      const file = byPath.get(path);
      if (file === undefined) return session.tryReadFile({ path, judgedAs: path }).then(withoutMark);
      return documents.get(file.uri)?.document.text ?? session.tryReadFile(file).then(withoutMark);
    };
    const outside = { model, syntax, textNow };
    const tell = (event: EditEvent) => work.tell(event, model.name);
    const files = placed.map(({ path, text, language }): EditFile => ({ path, text, language }));
    const { maxRetries } = settings;
    let outcome: EditOutcome;
    if (argument.regions === undefined) {
      const instruction = instructionOf(argument, placed[0]!, parts.positions);
      const request = { instruction, files, format: settings.format, maxRetries };
      outcome = await follow(new EditEngine(outside).run(request, { signal }), tell);
    } else {
      const lines = Lines.of(files[0]!.text);
      const ranges = argument.regions.map((region) => parts.positions.toTextRange(lines, region));
      const request = { file: files[0]!, ranges, instruction: argument.instruction, maxRequests: 1 + maxRetries };
      const guides = parts.guides && { guides: parts.guides };
      const rewritten = await follow(rewriteRegions(request, { ...outside, ...guides }, { signal }), tell);
      if (rewritten.kind !== "judged") throw notRewritten(rewritten);
      notes.push(...explainRegions(rewritten, { ...files[0]!, explain: false }));
      outcome = rewritten.outcome;
    }
    signal.throwIfAborted();
    const { isApplied, failureReason } =
      outcome.kind === "offered" ? await hand(outcome.proposal, placed, parts) : { isApplied: false };
    return {
      ...editToJson(outcome),
      ...(session.root !== undefined && { root: session.root }),
      ...{ model: model.name, isApplied, explanation: explainEdit(outcome), notes },
      ...(failureReason !== undefined && { failureReason }),
    };
  } catch (error) {
    // A model that is away is nobody's crash.
    throw error instanceof ModelError ? failed(error.message) : error;
  } finally {
    chats[Symbol.dispose]();
  }
}

/** A document that may be changed. */
interface PlacedFile extends Placed {
  readonly uri: string;
  readonly text: string;
  readonly language: string;
}

/** The documents that are asked about, with the texts that the editor shows, or else the disk has. */
async function openFiles(
  { uris }: EditArgument,
  { documents, sessions }: EditCommandParts,
): Promise<readonly [PlacedFile, ...PlacedFile[]]> {
  const asked = uris ?? documents.all.slice(-1).map(({ document }) => document.uri);
  if (asked.length === 0) throw wrong("No document is open. Name those that may be changed, in `uris`.");
  const files: PlacedFile[] = [];
  for (const uri of asked) {
    const placed = sessions.place(uri);
    const { path, session } = placed;
    if (files.some((file) => file.path === path && file.session === session)) continue;
    if (files.length > 0 && files[0]!.session !== session) {
      throw wrong(`${path} lies in another workspace folder than ${files[0]!.path}. Change them one after the other.`);
    }
    const open = documents.get(uri)?.document;
    const text = open?.text ?? withoutMark(await session.tryReadFile(placed));
    const verdict = await session.accessTo(placed, text ?? "");
    if (verdict.kind === "secret") throw failed(`${path} may hold secrets, and is shown to no model.`);
    if (verdict.kind === "ignored") throw failed(`${path} is ignored (${verdict.by}), and is shown to no model.`);
    if (text === undefined) throw failed(`${path} is neither open nor a text file on the disk.`);
    const language = open?.language ?? languageOf(path, /^[^\r\n]{0,300}/.exec(text)![0]).id;
    files.push({ ...placed, uri, text, language });
  }
  return files as [PlacedFile, ...PlacedFile[]];
}

/** Editors do not count a byte order mark as text. */
function withoutMark(text: string | undefined): string | undefined {
  return text?.replace(/^\uFEFF/, "");
}

function instructionOf({ instruction, range }: EditArgument, { path, text }: PlacedFile, positions: Positions): string {
  if (range === undefined) return instruction;
  const lines = Lines.of(text);
  const { start, end } = positions.toTextRange(lines, range);
  const first = lines.lineAt(start);
  // A selection of whole lines ends in front of the next one.
  const last = Math.max(first, lines.lineAt(end > start && end === lines.start(lines.lineAt(end)) ? end - 1 : end));
  const span = first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
  return `${instruction.trimEnd()}\n\n(This is about ${span} of ${path}.)`;
}

function notRewritten(outcome: Exclude<RewriteOutcome, { kind: "judged" }>): ResponseError<void> {
  switch (outcome.kind) {
    case "bad-region":
      return wrong(outcome.problem.message);
    case "not-held":
      return failed("The new text cannot be held to a grammar.");
    case "no-text":
      return failed(`${printNoText(outcome.reason)} Nothing is changed.`);
  }
}

async function follow<Outcome>(
  events: AsyncGenerator<EditEvent, Outcome>,
  tell: (event: EditEvent) => void,
): Promise<Outcome> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    tell(step.value);
  }
}

/** Hands a change to the editor. */
async function hand(
  { edit, files }: EditProposal,
  placed: readonly PlacedFile[],
  { connection, capabilities, documents, positions }: EditCommandParts,
): Promise<{ readonly isApplied: boolean; readonly failureReason?: string }> {
  const not = (failureReason: string) => ({ isApplied: false, failureReason });
  if (capabilities.workspace?.applyEdit !== true) return not("The editor takes no edits from a server.");
  const { session } = placed[0]!;
  const documentOf = (path: string): EditedDocument => {
    const uri = placed.find((file) => file.path === path)?.uri ?? toFileUri(joinPath(session.root ?? "", path));
    return { uri, version: documents.get(uri)?.document.version ?? null };
  };
  const moved = placed.find(
    ({ path, uri }) => (documents.get(uri)?.document.text ?? files.get(path)) !== files.get(path),
  );
  if (moved !== undefined) return not(`${moved.path} was changed meanwhile. Ask once more.`);
  if (session.root === undefined && edit.changes.some(({ kind }) => kind !== "edit")) {
    return not("Files are made, moved and removed in a workspace folder only. Open one.");
  }
  const converted = toProtocolEdit(edit, { files, positions, capabilities, documentOf });
  if (converted.kind === "unsupported") {
    return not(`The editor cannot do what the change needs: ${converted.operations.join(", ")}.`);
  }
  const answer = await connection.workspace.applyEdit({ label: "Emend: edit", edit: converted.edit });
  return answer.applied ? { isApplied: true } : not(answer.failureReason ?? "The editor did not take the change.");
}

/** What a person sees of the work. */
interface Work {
  /** Aborted when the client takes its request back, and when the person stops the work where it is shown. */
  readonly signal: AbortSignal;
  tell(event: EditEvent, model: string): void;
  close(): void;
}

/** Progress where the client wants it, or else where it shows any. */
async function openProgress(
  { connection, capabilities }: EditCommandParts,
  { progress: token, signal }: CommandCall,
): Promise<Work> {
  const stopping = new AbortController();
  signal.addEventListener("abort", () => stopping.abort(signal.reason), { once: true });
  let reporter: WorkDoneProgressReporter | undefined;
  if (token !== undefined) reporter = connection.window.attachWorkDoneProgress(token);
  else if (capabilities.window?.workDoneProgress === true) {
    const own = await connection.window.createWorkDoneProgress();
    own.token.onCancellationRequested(() =>
      stopping.abort(new ResponseError(LSPErrorCodes.RequestCancelled, "The edit was cancelled")),
    );
    reporter = own;
  }
  reporter?.begin("Emend: edit", undefined, undefined, true);
  return {
    signal: stopping.signal,
    tell(event, model) {
      if (event.kind === "asking") reporter?.report(`${model} ${reasons[event.why]}`);
    },
    close: () => reporter?.done(),
  };
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is asked",
  refused: "mends its answer",
  broken: "mends the syntax",
  "failed-check": "mends the change",
  continued: "goes on",
};

function readArgument(value: unknown): EditArgument {
  const { instruction, uris, range, regions } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Partial<EditArgument>;
  if (typeof instruction !== "string" || instruction.trim() === "") {
    throw wrong(`${editCommand} takes an object with \`instruction\`, a text that says what is to be done.`);
  }
  if (uris !== undefined && !(Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === "string"))) {
    throw wrong("`uris` is a list of the addresses of documents.");
  }
  if (range !== undefined && !isRange(range))
    throw wrong("`range` is a range of the protocol, with `start` and `end`.");
  if (regions !== undefined) {
    const areRanges = Array.isArray(regions) && regions.length > 0 && regions.every((region) => isRange(region));
    if (!areRanges) throw wrong("`regions` is a list of ranges of the protocol, with `start` and `end`.");
    if (range !== undefined || (uris !== undefined && uris.length > 1)) {
      throw wrong("`regions` are those of one document, without a `range`: nothing else of it is changed.");
    }
  }
  return { instruction, ...(uris && { uris }), ...(range && { range }), ...(regions && { regions }) };
}

function isRange(value: Partial<Range> | null): value is Range {
  const isPosition = (position: Partial<Range["start"]> | undefined) =>
    typeof position?.line === "number" && typeof position.character === "number";
  return isPosition(value?.start) && isPosition(value?.end);
}

function wrong(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

function failed(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
