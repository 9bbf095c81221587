import type { ClientCapabilities, Connection, WorkspaceEdit } from "vscode-languageserver";
import type { Clock } from "../codebase/index.ts";
import {
  chatThatSaid,
  EditEngine,
  type EditEvent,
  type EditJson,
  type EditOutcome,
  editPrompt,
  editToJson,
  explainEdit,
  explainRegions,
  formatOfReply,
  mayBeWholeFile,
  printNoText,
  printPrompt,
  printUnclearFormat,
  promptFormat,
  proposalOf,
  type RegionGuides,
  type RewriteOutcome,
  type RewriteRequest,
  retryPromptFor,
  rewritePrompt,
  rewriteRegions,
} from "../edit/index.ts";
import { formatNamed } from "../formats/index.ts";
import { type Model, ModelError } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { Lines } from "../text/index.ts";
import type { CommandHandler } from "./commands.ts";
import { type EditArgument, readEditArgument } from "./edit-argument.ts";
import { EditPreviews } from "./edit-previews.ts";
import { openEditProgress, printActivity } from "./edit-progress.ts";
import {
  type EditedFile,
  type EditedFiles,
  openAnsweredFiles,
  openEditedFiles,
  rangedFile,
  uriIn,
  withoutMark,
} from "./edited-files.ts";
import { handEdit } from "./hand-edit.ts";
import type { OpenDocuments } from "./open-documents.ts";
import type { Positions } from "./positions.ts";
import { requestFailed, wrongParams } from "./request-error.ts";
import { type EditSettings, FallbackChat } from "./session/index.ts";
import type { SessionSet } from "./session-set.ts";

/** The command that changes documents as an instruction says. */
export const editCommand = "emend.edit";

/** The command that answers what to paste into any chat, for the same argument. */
export const editPromptCommand = "emend.editPrompt";

/** What the command answers. Fields may be added; none changes its meaning. */
export interface EditAnswer extends EditJson {
  /** The absolute folder that paths are in; absent for documents that lie in none. */
  readonly root?: string;
  /** Who wrote the change: the model's name, or `pasted` for an answer that was given. */
  readonly model: string;
  /** Whether the editor took the change. */
  readonly isApplied: boolean;
  /** Why it did not, although there was one. */
  readonly failureReason?: string;
  /** The change for the client to apply, where it said that it is reviewed. */
  readonly edit?: WorkspaceEdit;
  /** What to tell the chat whose answer could not be used, where that may help. */
  readonly askAgain?: string;
  /** All of it for people, in lines: what was repaired, understood, warned of or refused. */
  readonly explanation: string;
  /** What else a person should know, one line each. */
  readonly notes: readonly string[];
}

/** What `emend.editPrompt` answers. */
export interface EditPromptAnswer {
  /** What to paste into a chat; what it says is the `answer` of `emend.edit`. */
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
  /** Holds regions to grammars; nothing does without. */
  readonly guides?: Pick<RegionGuides, "open">;
}

/**
 * Changes documents as an instruction says: asks the model of the settings, or takes an answer that is there, and hands what
 * passes all checks to the editor by `workspace/applyEdit`, for the versions of the documents that it was made for.
 *
 * A change that cannot be used is an answer too, of another kind. What nobody could carry out is an error.
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
      // A model that is away is nobody's crash.
      throw error instanceof ModelError ? requestFailed(error.message) : error;
    } finally {
      progress.close();
    }
  };
}

/** Answers what a model would be asked, for a person to paste into any chat. */
export function promptForInstruction(parts: EditCommandParts): CommandHandler {
  return async ([value]): Promise<EditPromptAnswer> => {
    const argument = readEditArgument(editPromptCommand, value);
    if (argument.instruction === undefined) throw wrongParams("Say in `instruction` what is to be done.");
    const edited = await openEditedFiles(argument.uris, parts);
    const settings = await edited.session.editSettings();
    if (argument.regions !== undefined) {
      if (argument.regions.length > 1) throw wrongParams("By hand regions are rewritten one by one. Give one.");
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
  const previews =
    argument.preview === undefined
      ? undefined
      : new EditPreviews({
          ...{ connection, clock, positions, name: argument.preview },
          files: new Map(files.map(({ path, text }) => [path, text])),
          uriOf: (path) => uriIn(edited, path),
        });
  const tell = (event: EditEvent, model: string) => {
    if (event.kind === "asking") {
      const activity = printActivity(event.why);
      progress.tell(`${model} ${activity}`);
      previews?.tell(model, activity);
    }
    previews?.take(event);
  };
  try {
    const { outcome, model, notes, askAgain } =
      argument.answer === undefined
        ? await askModel(argument, edited, settings, { ...work, tell })
        : await takeAnswer(argument.answer, argument, edited, settings, { ...work, tell });
    progress.signal.throwIfAborted();
    previews?.end(model, proposalOf(outcome));
    const handed =
      outcome.kind === "offered"
        ? await handEdit(outcome.proposal, edited, { ...work, isReviewed: argument.isReviewed === true })
        : { isApplied: false };
    return {
      ...editToJson(outcome),
      ...(session.root !== undefined && { root: session.root }),
      ...{ model, explanation: explainEdit(outcome), notes, ...handed },
      ...(askAgain !== undefined && { askAgain }),
    };
  } finally {
    previews?.[Symbol.dispose]();
  }
}

/** What was made of an instruction, or of an answer. */
interface Edited {
  readonly outcome: EditOutcome;
  readonly model: string;
  readonly notes: readonly string[];
  readonly askAgain?: string | undefined;
}

interface ToldWork extends Work {
  tell(event: EditEvent, model: string): void;
}

/** Has the first model of the settings that answers carry out the instruction. */
async function askModel(
  argument: EditArgument,
  edited: EditedFiles,
  settings: EditSettings,
  work: ToldWork,
): Promise<Edited> {
  const { session } = edited;
  const chats = await session.openChatModels(settings);
  try {
    if (chats.models.length === 0)
      throw requestFailed(`${chats.issues.join(" ")} Set \`emend.edit.model\` to a model that chats.`);
    const chatIssues = settings.modelNames.length > 1 ? chats.issues : [];
    const notes = [...settings.issues, ...chatIssues, ...notesOf(edited)];
    const model = new FallbackChat({
      models: chats.models,
      onFallback: (_, error, next) => notes.push(`${error.message} ${next} is asked instead.`),
    });
    const tell = (event: EditEvent) => work.tell(event, model.name);
    const { signal } = work.progress;
    if (argument.regions !== undefined) {
      const request = toRewrite(argument, edited, settings, work.positions);
      const { outcome, told } = await rewrite(request, model, edited, { ...work, tell });
      return { outcome, model: model.name, notes: [...notes, ...told] };
    }
    const engine = new EditEngine({ model, ...outsideOf(edited, work) });
    const request = toRequest(argument, edited, settings, work.positions);
    return { outcome: await follow(engine.run(request, { signal }), tell), model: model.name, notes };
  } finally {
    chats[Symbol.dispose]();
  }
}

/** Takes what a person's chat said as if a model of ours had said it. Nobody is asked again. */
async function takeAnswer(
  text: string,
  argument: EditArgument,
  edited: EditedFiles,
  settings: EditSettings,
  work: ToldWork,
): Promise<Edited> {
  const { files } = edited;
  const { signal } = work.progress;
  const notes = [...settings.issues, ...notesOf(edited)];
  work.progress.tell("The answer is read");
  if (argument.regions !== undefined) {
    const request = { ...toRewrite(argument, edited, settings, work.positions), maxRequests: 1 };
    const tell = (event: EditEvent) => work.tell(event, pasted);
    const { outcome, told } = await rewrite(request, chatThatSaid(text), edited, { ...work, tell });
    return { outcome, model: pasted, notes: [...notes, ...told] };
  }
  const request = toRequest(argument, edited, settings, work.positions);
  const format = formatOfReply(text, { named: request.format, told: promptFormat(request), files });
  if (format.kind === "unclear") throw wrongParams(`${printUnclearFormat(format)} Name it as \`edit.format\`.`);
  const engine = new EditEngine(outsideOf(edited, work));
  const outcome = await engine.judgeAnswer(request, { text, format: format.name }, { signal });
  if (request.format === "auto" && outcome.kind === "refused" && mayBeWholeFile(text, files)) {
    notes.push(
      `The answer shows the marks of no format. \`edit.format\` \`whole\` takes a fenced block for the whole text of ${files[0]!.path}.`,
    );
  }
  return { outcome, model: pasted, notes, askAgain: retryPromptFor(outcome, { answer: text, request }) };
}

/** Who wrote an answer that was given. */
const pasted = "pasted";

async function rewrite(
  request: RewriteRequest,
  model: Model,
  edited: EditedFiles,
  { tell, ...work }: Work & { readonly tell: (event: EditEvent) => void },
): Promise<{ readonly outcome: EditOutcome; readonly told: readonly string[] }> {
  const guides = work.guides && { guides: work.guides };
  const { signal } = work.progress;
  const events = rewriteRegions(request, { model, ...outsideOf(edited, work), ...guides }, { signal });
  const rewritten = await follow(events, tell);
  if (rewritten.kind !== "judged") throw notRewritten(rewritten);
  return { outcome: rewritten.outcome, told: explainRegions(rewritten, { ...request.file, explain: false }) };
}

/** What an engine has of the world outside: the texts as they are now, of the editor where it has them open. */
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

/** What a person is to know of the files. */
function notesOf({ newPaths }: EditedFiles): readonly string[] {
  return newPaths.length === 0 ? [] : [`Not there yet, so to be made: ${newPaths.join(", ")}.`];
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
  if (instruction === undefined) return "an answer of a chat";
  if (range === undefined || file === undefined) return instruction;
  const lines = Lines.of(file.text);
  const { start, end } = positions.toTextRange(lines, range);
  const first = lines.lineAt(start);
  // A selection of whole lines ends in front of the next one.
  const last = Math.max(first, lines.lineAt(end > start && end === lines.start(lines.lineAt(end)) ? end - 1 : end));
  const span = first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`;
  return `${instruction.trimEnd()}\n\n(This is about ${span} of ${file.path}.)`;
}

function notRewritten(outcome: Exclude<RewriteOutcome, { kind: "judged" }>): Error {
  switch (outcome.kind) {
    case "bad-region":
      return wrongParams(outcome.problem.message);
    case "not-held":
      return requestFailed("The new text cannot be held to a grammar.");
    case "no-text":
      return requestFailed(`${printNoText(outcome.reason)} Nothing is changed.`);
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
