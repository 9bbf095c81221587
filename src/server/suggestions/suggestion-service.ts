import { isInsideCharacter } from "../../text/index.ts";
import type { ExplainedRequest, RequestLog } from "../request-log.ts";
import { type GhostTextAnswer, type GhostTextClientRequest, ServerGhostText } from "./server-ghost-text.ts";
import { type NextEditAnswer, type NextEditClientRequest, ServerNextEdits } from "./server-next-edits.ts";
import type { RequestRefusal } from "./server-no-suggestion.ts";
import type { Snooze } from "./snooze.ts";
import type { ClientRequest, PlacedRequest, ProviderParts } from "./suggestion-request.ts";

/** What a {@link SuggestionService} is made with. */
export interface SuggestionServiceParts extends ProviderParts {
  readonly snooze: Pick<Snooze, "reasonFor">;
  /** Remembers the last requests with their outcomes. */
  readonly requests: RequestLog;
  /** Called with every answer to a request for ghost text, and the URI of its request. */
  onGhostText(answer: GhostTextAnswer, uri: string): void;
}

/** A request that no provider is asked for. */
interface RefusedRequest {
  readonly kind: "no-suggestion";
  readonly reason: RequestRefusal;
  readonly path?: string;
}

/**
 * Answers requests for ghost text and for next edits, for all dialects of the protocol. An invalid
 * request is answered with a reason.
 */
export class SuggestionService {
  /** The provider of next edits, for requests about a suggestion that was returned. */
  readonly nextEdits: ServerNextEdits;
  readonly #ghostText: ServerGhostText;
  readonly #parts: SuggestionServiceParts;

  constructor(parts: SuggestionServiceParts) {
    this.#parts = parts;
    this.nextEdits = new ServerNextEdits(parts);
    this.#ghostText = new ServerGhostText(parts, this.nextEdits);
  }

  /** Requests ghost text. Rejects as `WorkspaceSession.complete` does. */
  async ghostText(request: GhostTextClientRequest, signal: AbortSignal): Promise<GhostTextAnswer> {
    const placed = this.#place(request);
    const answer: GhostTextAnswer = "open" in placed ? await this.#ghostText.answer(placed, request, signal) : placed;
    const { nextEdit } = answer;
    this.#parts.requests.takeGhostText({ ...explained(request, placed, answer), ...(nextEdit && { nextEdit }) });
    this.#parts.onGhostText(answer, request.uri);
    return answer;
  }

  /** Requests a next edit. Rejects as `WorkspaceSession.nextEdit` does. */
  async nextEdit(request: NextEditClientRequest, signal: AbortSignal): Promise<NextEditAnswer> {
    const placed = this.#place(request, { needsFile: true });
    const answer: NextEditAnswer = "open" in placed ? await this.nextEdits.answer(placed, request, signal) : placed;
    this.#parts.requests.takeNextEdit(explained(request, placed, answer));
    return answer;
  }

  #place(
    { uri, position, version, trigger }: ClientRequest,
    { needsFile = false } = {},
  ): PlacedRequest | RefusedRequest {
    const { documents, sessions, positions, snooze } = this.#parts;
    const refuse = (reason: RequestRefusal, path?: string): RefusedRequest => ({
      ...{ kind: "no-suggestion", reason },
      ...(path !== undefined && { path }),
    });
    const open = documents.get(uri);
    if (open === undefined) return refuse({ kind: "unknown-document", uri });
    const { document, lines } = open;
    if (typeof version === "number" && version !== document.version)
      return refuse({ kind: "stale-version", requested: version, known: document.version });
    const placed = sessions.place(uri);
    if (needsFile && !placed.isFile) return refuse({ kind: "no-file", uri }, placed.path);
    const snoozed = snooze.reasonFor(trigger);
    if (snoozed !== undefined) return refuse(snoozed, placed.path);
    const raw = positions.toOffset(lines, position);
    const cursor = isInsideCharacter(document.text, raw) ? raw - 1 : raw;
    return { ...placed, open, uri: document.uri, text: document.text, cursor, trigger };
  }
}

/** An answered request, for explanations. */
function explained<Outcome, Reason>(
  { uri, position }: ClientRequest,
  { path }: { readonly path?: string },
  answer: { readonly outcome?: Outcome; readonly reason?: Reason },
): ExplainedRequest<Outcome, Reason> {
  const { outcome, reason } = answer;
  return {
    ...{ uri, position, ...(path !== undefined && { path }) },
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason }),
  };
}
