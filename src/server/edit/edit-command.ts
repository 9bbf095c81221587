import {
  type ClientCapabilities,
  type Connection,
  LSPErrorCodes,
  ResponseError,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import { type Clock, LinkedController } from "../../async/index.ts";
import {
  cannedChatModel,
  EditEngine,
  type EditEvent,
  type EditJson,
  type EditOutcome,
  editPrompt,
  editToJson,
  explainEdit,
  explainRegions,
  mayBeWholeFile,
  printNoText,
  printPrompt,
  promptFormat,
  proposalOf,
  type RegionGuides,
  type RewriteOutcome,
  type RewriteRequest,
  readPastedAnswer,
  retryPromptFor,
  rewritePrompt,
  rewriteRegions,
} from "../../edit/index.ts";
import { formatNamed } from "../../formats/index.ts";
import { type Model, ModelError } from "../../model/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { Lines } from "../../text/index.ts";
import type { CommandCall, CommandHandler } from "../commands.ts";
import { requestFailed, wrongParams } from "../guard.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type { Positions } from "../positions.ts";
import { type EditSettings, FallbackChat } from "../session/index.ts";
import type { SessionSet } from "../session-set.ts";
import { answerInstruction, type EditArgument, readEditArgument } from "./edit-argument.ts";
import { EditPreviews } from "./edit-previews.ts";
import {
  type DeliveredEdit,
  deliverEdit,
  type EditedFile,
  type EditedFiles,
  editorFiles,
  openAnsweredFiles,
  openEditedFiles,
  rangedFile,
  uriIn,
  withoutMark,
} from "./edited-files.ts";
import type { SavedEdits } from "./saved-edits.ts";

/** The command that changes documents by an instruction. */
export const editCommand = "emend.edit";

/** The command that answers the prompt for the same argument, to be pasted into any chat. */
export const editPromptCommand = "emend.editPrompt";

/** The answer of {@link editCommand}. Fields may be added; none changes its meaning. */
export interface EditAnswer extends EditJson, DeliveredEdit {
  /**
   * The absolute folder that paths are relative to; absent for documents outside of all folders.
   */
  readonly root?: string;
  /** The name of the model that wrote the change, or `pasted` for a pasted answer. */
  readonly model: string;
  /** A prompt for the chat whose answer could not be used, where another attempt may help. */
  readonly followUpPrompt?: string;
  /** The outcome for people, in lines: repairs, normalizations, warnings and refusals. */
  readonly explanation: string;
  /** Further notes for a person, one line each. */
  readonly notes: readonly string[];
}

/** The answer of {@link editPromptCommand}. */
export interface EditPromptAnswer {
  /** The prompt to paste into a chat; the chat's answer is the `answer` of `emend.edit`. */
  readonly text: string;
}

/** What the commands are made with. */
export interface EditCommandParts {
  readonly connection: Connection;
  readonly capabilities: ClientCapabilities;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
  readonly positions: Positions;
  readonly clock: Clock;
  readonly syntax: Syntax;
  /** Grammar guides that constrain rewritten regions; without them, regions are not constrained. */
  readonly guides?: Pick<RegionGuides, "open">;
  /** Records what the editor saves of an edit; without it, nothing is recorded. */
  readonly savedEdits?: Pick<SavedEdits, "applied">;
}

/**
 * Makes the handler of {@link editCommand}: requests a change from the model of the settings, or
 * reads a given answer, and sends a change that passes all checks to the editor by
 * `workspace/applyEdit`, for the versions of the documents that it was made for.
 *
 * A change that cannot be used is an ordinary answer of another `kind`. The handler throws a
 * `ResponseError` for an invalid argument, where a document may not be read, and when no model
 * answers.
 */
export function editByInstruction(parts: EditCommandParts): CommandHandler {
  return async ([value], call) => {
    const argument = readEditArgument(editCommand, value);
    const progress = await openEditProgress(parts, call);
    try {
      const { answer, uris } = argument;
      const edited =
        answer !== undefined && uris === undefined && argument.regions === undefined
          ? await openAnsweredFiles(answer, parts)
          : await openEditedFiles(uris, parts);
      return await editFiles(argument, edited, { ...parts, progress });
    } catch (error) {
      // An unreachable model is no crash, so it is not logged as one.
      throw error instanceof ModelError ? requestFailed(error.message) : error;
    } finally {
      progress.close();
    }
  };
}

/**
 * Makes the handler of {@link editPromptCommand}: answers the prompt that a model would get, for a
 * person to paste into any chat. The handler throws a `ResponseError` for an invalid argument, and
 * where a document may not be read.
 */
export function promptForInstruction(parts: EditCommandParts): CommandHandler {
  return async ([value]): Promise<EditPromptAnswer> => {
    const argument = readEditArgument(editPromptCommand, value);
    if (argument.instruction === undefined) throw wrongParams("Give an `instruction`.");
    const edited = await openEditedFiles(argument.uris, parts);
    const settings = await edited.session.editSettings();
    if (argument.regions !== undefined) {
      if (argument.regions.length > 1) throw wrongParams("A prompt is for a single region. Give one.");
      return { text: printPrompt(rewritePrompt(toRewrite(argument, edited, settings, parts.positions))) };
    }
    const request = toRequest(argument, edited, settings, parts.positions);
    return { text: printPrompt(editPrompt(request, formatNamed(promptFormat(request)))) };
  };
}

interface Work extends EditCommandParts {
  readonly progress: Awaited<ReturnType<typeof openEditProgress>>;
}

async function editFiles(argument: EditArgument, edited: EditedFiles, work: Work): Promise<EditAnswer> {
  const { connection, clock, positions, progress } = work;
  const { session, files } = edited;
  const settings = await session.editSettings();
  using previews =
    argument.preview === undefined
      ? undefined
      : new EditPreviews({
          ...{ connection, clock, positions, name: argument.preview },
          files: new Map(files.map(({ path, text }) => [path, text])),
          uriOf: (path) => uriIn(edited, path),
        });
  const notify = (event: EditEvent, model: string) => {
    if (event.kind === "asking") {
      const activity = printActivity(event.why);
      progress.report(`${model} ${activity}`);
      previews?.setActivity(model, activity);
    }
    previews?.receive(event);
  };
  const { outcome, model, notes, followUpPrompt } =
    argument.answer === undefined
      ? await requestModel(argument, edited, settings, { ...work, notify })
      : await takeAnswer(argument.answer, argument, edited, settings, { ...work, notify });
  progress.signal.throwIfAborted();
  previews?.end(model, proposalOf(outcome));
  const delivered =
    outcome.kind === "offered"
      ? await deliverEdit(outcome.proposal, edited, { ...work, isReviewed: argument.isReviewed === true })
      : { isApplied: false };
  if (delivered.isApplied && outcome.kind === "offered" && session.root !== undefined) {
    const { instruction = answerInstruction } = argument;
    const applied = editorFiles(outcome.proposal, session.root);
    work.savedEdits?.applied({ folder: session.root, instruction, files: applied });
  }
  return {
    ...editToJson(outcome),
    ...(session.root !== undefined && { root: session.root }),
    ...{ model, explanation: explainEdit(outcome, { isPasted: model === pasted }), notes, ...delivered },
    ...(followUpPrompt !== undefined && { followUpPrompt }),
  };
}

/** The outcome of an instruction or a pasted answer. */
interface Edited {
  readonly outcome: EditOutcome;
  readonly model: string;
  readonly notes: readonly string[];
  readonly followUpPrompt?: string | undefined;
}

interface ObservedWork extends Work {
  notify(event: EditEvent, model: string): void;
}

/** Carries out the instruction with the first model of the settings that answers. */
async function requestModel(
  argument: EditArgument,
  edited: EditedFiles,
  settings: EditSettings,
  work: ObservedWork,
): Promise<Edited> {
  const { session } = edited;
  using chats = await session.openChatModels(settings);
  if (chats.models.length === 0)
    throw requestFailed(`${[...settings.issues, ...chats.issues].join(" ")} Set \`emend.edit.model\` to a chat model.`);
  const chatIssues = settings.modelNames.length > 1 ? chats.issues : [];
  const notes = [...settings.issues, ...chatIssues, ...notesOf(edited)];
  const model = new FallbackChat({
    models: chats.models,
    onFallback: (_, error, next) => notes.push(`${error.message} ${next} is used instead.`),
  });
  const notify = (event: EditEvent) => work.notify(event, model.name);
  const { signal } = work.progress;
  if (argument.regions !== undefined) {
    const request = toRewrite(argument, edited, settings, work.positions);
    const { outcome, regionNotes } = await rewrite(request, model, edited, { ...work, notify });
    return { outcome, model: model.name, notes: [...notes, ...regionNotes] };
  }
  const engine = new EditEngine({ model, ...outsideOf(edited, work) });
  const request = toRequest(argument, edited, settings, work.positions);
  return { outcome: await follow(engine.run(request, { signal }), notify), model: model.name, notes };
}

/** Applies a pasted answer as if a model had returned it. Requests no model. */
async function takeAnswer(
  text: string,
  argument: EditArgument,
  edited: EditedFiles,
  settings: EditSettings,
  work: ObservedWork,
): Promise<Edited> {
  const { files } = edited;
  const { signal } = work.progress;
  const notes = [...settings.issues, ...notesOf(edited)];
  work.progress.report("Reading the answer");
  if (argument.regions !== undefined) {
    const request = { ...toRewrite(argument, edited, settings, work.positions), maxRequests: 1 };
    const notify = (event: EditEvent) => work.notify(event, pasted);
    const { outcome, regionNotes } = await rewrite(request, cannedChatModel(text), edited, { ...work, notify });
    return { outcome, model: pasted, notes: [...notes, ...regionNotes] };
  }
  const request = toRequest(argument, edited, settings, work.positions);
  const read = await readPastedAnswer(text, request, work.syntax);
  if (read.kind === "unclear") throw wrongParams(`${read.message} Name it as \`edit.format\`.`);
  const engine = new EditEngine(outsideOf(edited, work));
  const outcome = await engine.judgeAnswer(request, read.answer, { signal });
  if (request.format === "auto" && outcome.kind === "refused" && mayBeWholeFile(text, files)) {
    notes.push(
      `The answer has no recognizable edit format. With \`edit.format\` set to \`whole\`, a fenced block is the whole new text of ${files[0]!.path}.`,
    );
  }
  return { outcome, model: pasted, notes, followUpPrompt: retryPromptFor(outcome, { answer: text, request }) };
}

/** Stands for the model's name where an answer was pasted. */
const pasted = "pasted";

async function rewrite(
  request: RewriteRequest,
  model: Model,
  edited: EditedFiles,
  { notify, ...work }: Work & { readonly notify: (event: EditEvent) => void },
): Promise<{ readonly outcome: EditOutcome; readonly regionNotes: readonly string[] }> {
  const guides = work.guides && { guides: work.guides };
  const { signal } = work.progress;
  const events = rewriteRegions(request, { model, ...outsideOf(edited, work), ...guides }, { signal });
  const rewritten = await follow(events, notify);
  if (rewritten.kind !== "judged") throw notRewritten(rewritten);
  return { outcome: rewritten.outcome, regionNotes: explainRegions(rewritten, { ...request.file, explain: false }) };
}

/**
 * What the engine takes from outside: the syntax, and the current text of a file, from the editor
 * where it is open, or else from the disk.
 */
function outsideOf({ session, files }: EditedFiles, { syntax, documents }: EditCommandParts) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const textNow = async (path: string) => {
    const file = byPath.get(path);
    if (file === undefined) return session.tryReadFile({ path, judgedAs: path }).then(withoutMark);
    return documents.get(file.uri)?.document.text ?? session.tryReadFile(file).then(withoutMark);
  };
  return { syntax, textNow };
}

function toRequest(
  argument: EditArgument,
  edited: EditedFiles,
  { format, maxRetries }: EditSettings,
  positions: Positions,
) {
  const ranged = argument.range === undefined ? undefined : rangedFile(edited, argument.uris);
  return {
    instruction: instructionOf(argument, ranged, positions),
    files: edited.files.map(({ path, text, language }) => ({ path, text, language })),
    ...{ newPaths: edited.newPaths, format, maxRetries },
  };
}

/** Notes about files that do not exist yet. */
function notesOf({ newPaths }: EditedFiles): readonly string[] {
  return newPaths.length === 0 ? [] : [`Will be created: ${newPaths.join(", ")}.`];
}

function toRewrite(
  { instruction = "", regions = [], uris }: EditArgument,
  edited: EditedFiles,
  { maxRetries }: EditSettings,
  positions: Positions,
): RewriteRequest {
  const { path, text, language } = rangedFile(edited, uris);
  const lines = Lines.of(text);
  const ranges = regions.map((region) => positions.toTextRange(lines, region));
  return { file: { path, text, language }, ranges, instruction, maxRequests: 1 + maxRetries };
}

function instructionOf(
  { instruction, range }: EditArgument,
  file: EditedFile | undefined,
  positions: Positions,
): string {
  if (instruction === undefined) return answerInstruction;
  if (range === undefined || file === undefined) return instruction;
  const lines = Lines.of(file.text);
  const { start, end } = positions.toTextRange(lines, range);
  const first = lines.lineAt(start);
  // A selection of whole lines ends at the start of the line behind it.
  const last = Math.max(first, lines.lineAt(end > start && end === lines.start(lines.lineAt(end)) ? end - 1 : end));
  const span = first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
  return `${instruction.trimEnd()}\n\n(This is about ${span} of ${file.path}.)`;
}

function notRewritten(outcome: Exclude<RewriteOutcome, { kind: "judged" }>): Error {
  switch (outcome.kind) {
    case "bad-region":
      return wrongParams(outcome.problem.message);
    case "no-grammar":
      return requestFailed("The new text cannot be constrained by a grammar.");
    case "no-text":
      return requestFailed(`${printNoText(outcome.reason)} Nothing is changed.`);
  }
}

async function follow<Outcome>(
  events: AsyncGenerator<EditEvent, Outcome>,
  notify: (event: EditEvent) => void,
): Promise<Outcome> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    notify(step.value);
  }
}

/** The progress of an edit in the editor's own progress view. */
export interface EditProgress {
  /** Aborted when the client cancels the request, or the person cancels the progress. */
  readonly signal: AbortSignal;
  /** Shows what is being done, in a few words. */
  report(message: string): void;
  close(): void;
}

/**
 * Opens progress with the client's token, or else in a new progress view where the client supports
 * that; otherwise nothing is shown.
 */
async function openEditProgress(
  { connection, capabilities }: { readonly connection: Connection; readonly capabilities: ClientCapabilities },
  { progress: token, signal }: CommandCall,
): Promise<EditProgress> {
  const stopping = new LinkedController(signal);
  let reporter: WorkDoneProgressReporter | undefined;
  if (token !== undefined) reporter = connection.window.attachWorkDoneProgress(token);
  else if (capabilities.window?.workDoneProgress === true) {
    const created = await connection.window.createWorkDoneProgress();
    created.token.onCancellationRequested(() =>
      stopping.abort(new ResponseError(LSPErrorCodes.RequestCancelled, "The edit was cancelled")),
    );
    reporter = created;
  }
  reporter?.begin("Emend: edit", undefined, undefined, true);
  return {
    signal: stopping.signal,
    report: (message) => reporter?.report(message),
    close() {
      stopping[Symbol.dispose]();
      reporter?.done();
    },
  };
}

/** What a model is requested for, as the rest of a sentence that begins with the model's name. */
function printActivity(why: Extract<EditEvent, { kind: "asking" }>["why"]): string {
  return reasons[why];
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is answering",
  refused: "is repairing its answer",
  broken: "is repairing the syntax",
  "failed-verification": "is repairing the change",
  continued: "is continuing",
};
