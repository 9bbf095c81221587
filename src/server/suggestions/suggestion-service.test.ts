import { beforeEach, expect, test } from "vitest";
import type { GhostTextOutcome, GhostTextRequest, Suggestion } from "../../complete/index.ts";
import type { TextEdit } from "../../text/index.ts";
import { systemClock } from "../../workspace/node/index.ts";
import { Notebooks } from "../notebooks.ts";
import { OpenDocuments } from "../open-documents.ts";
import { Positions } from "../positions.ts";
import { RequestLog } from "../request-log.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { ServerNoSuggestionReason } from "./server-no-suggestion.ts";
import { SuggestionArbiter } from "./suggestion-arbiter.ts";
import { SuggestionFeedback } from "./suggestion-feedback.ts";
import { SuggestionService } from "./suggestion-service.ts";

const uri = "file:///w/a.ts";
const signal = new AbortController().signal;

/** What was reported to the session, in one line each, and what it answers. */
let feedback: string[];
let outcome: (request: GhostTextRequest) => GhostTextOutcome;
let documents: OpenDocuments;
let requests: RequestLog;
let service: SuggestionService;
let store: SuggestionFeedback;

beforeEach(() => {
  feedback = [];
  documents = new OpenDocuments();
  documents.open({ uri, languageId: "typescript", version: 3, text: "const a = 1;\nconst b = a\n" });
  const session = {
    models: [],
    complete: async (request: GhostTextRequest) => outcome(request),
    nextEditAsGhostText: async () => undefined,
    shown: (id: string) => void feedback.push(`shown ${id}`),
    accepted: (id: string, characters?: number) => void feedback.push(`accepted ${id} ${characters ?? "wholly"}`),
    dismissed: (id: string) => void feedback.push(`dismissed ${id}`),
  } as unknown as WorkspaceSession;
  const arbiter = new SuggestionArbiter(systemClock);
  store = new SuggestionFeedback(arbiter);
  requests = new RequestLog();
  service = new SuggestionService({
    ...{
      documents,
      feedback: store,
      requests,
      notebooks: new Notebooks(documents),
      positions: new Positions("utf-16"),
    },
    sessions: { place: () => ({ session, path: "a.ts", judgedAs: "a.ts", isFile: true }) },
    ...{ arbiter, clock: systemClock, snooze: { reasonFor: () => undefined } },
    onGhostText: () => undefined,
  });
});

/** An outcome with one suggestion. */
function offering(edit: TextEdit, ghost: string): () => GhostTextOutcome {
  const suggestion: Suggestion = { id: "engine-1", edit, ghost, origin: "model", model: "m", changes: [] };
  return () => ({ kind: "offered", suggestions: [suggestion], trace: [] });
}

const end = { line: 1, character: 11 };
const ask = (more: object = {}) => service.ghostText({ uri, position: end, trigger: "invoked", ...more }, signal);

test("remembers the suggestion under the id of its engine, with what was typed of it", async () => {
  // `a` was typed before, so that of `a + b` four characters are new.
  outcome = offering({ start: 23, end: 24, text: "a + b" }, " + b");
  expect(await ask()).toMatchObject({ suggestions: [{ id: "engine-1" }] });
  store.notify("engine-1", { kind: "partly-accepted", characters: 3, from: "insertion" });
  expect(feedback).toEqual(["accepted engine-1 2"]);
});

test.each<[what: string, edit: TextEdit]>([
  ["before the cursor", { start: 3, end: 4, text: "x" }],
  ["behind the cursor", { start: 25, end: 25, text: "x" }],
  ["past the end of the text", { start: 24, end: 99, text: "x" }],
])("an edit %s is an InvariantError without an answer", async (_, edit) => {
  outcome = offering(edit, "x");
  await expect(ask()).rejects.toThrow("A suggestion for offset 24 replaces");
});

test("converts a request for the engine", async () => {
  const requests: GhostTextRequest[] = [];
  outcome = (request) => {
    requests.push(request);
    return { kind: "no-suggestion", reason: { kind: "empty" }, trace: [] };
  };
  const range = { start: { line: 1, character: 10 }, end };
  await ask({ picked: { range, text: "apple" }, limit: 3, trigger: "automatic", version: 3 });
  const document = documents.get(uri)!.document;
  const picked = { start: 23, end: 24, text: "apple" };
  expect(requests).toEqual([{ document, path: "a.ts", offset: 24, trigger: "automatic", limit: 3, picked }]);
});

test.each<[what: string, more: object, reason: ServerNoSuggestionReason]>([
  ["another version", { version: 4 }, { kind: "stale-version", requested: 4, known: 3 }],
  ["another document", { uri: "file:///w/b.ts" }, { kind: "unknown-document", uri: "file:///w/b.ts" }],
])("refuses %s, and explains the reason", async (_, more, reason) => {
  expect(await ask(more)).toEqual({ kind: "no-suggestion", reason });
  expect(requests.ghostText).toMatchObject({ position: end, reason });
});
