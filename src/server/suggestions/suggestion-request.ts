import type { Position } from "vscode-languageserver";
import type { Clock } from "../../async/index.ts";
import type { Notebooks } from "../notebooks.ts";
import type { OpenDocument, OpenDocuments } from "../open-documents.ts";
import type { Positions } from "../positions.ts";
import type { Placed, SessionSet } from "../session-set.ts";
import type { ArbiterRequest, SuggestionArbiter } from "./suggestion-arbiter.ts";
import type { SuggestionFeedback } from "./suggestion-feedback.ts";

/** A request for a suggestion at a cursor, in the client's terms. */
export interface ClientRequest {
  readonly uri: string;
  readonly position: Position;
  readonly trigger: "automatic" | "invoked";
  /** The version of the text that the position refers to, where the client sends it. */
  readonly version?: number | undefined;
}

/** A request in an open document, with its offset and session. */
export interface PlacedRequest extends ArbiterRequest, Placed {
  readonly open: OpenDocument;
  readonly trigger: ClientRequest["trigger"];
}

/** What the providers of suggestions are made with. */
export interface ProviderParts {
  readonly documents: OpenDocuments;
  /** The notebooks, whose cells are completed as one text. */
  readonly notebooks: Pick<Notebooks, "textAround">;
  readonly sessions: Pick<SessionSet, "place">;
  readonly positions: Positions;
  readonly arbiter: SuggestionArbiter;
  /** Remembers what is returned. */
  readonly feedback: SuggestionFeedback;
  readonly clock: Clock;
}
