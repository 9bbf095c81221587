export { BuiltinModel, type BuiltinModelOptions, type BuiltinStatistics } from "./builtin/builtin-model.ts";
export type {
  Completion,
  CompletionAnswer,
  CompletionMatch,
  CompletionRequest,
  CompletionToken,
} from "./builtin/completion.ts";
export { Knowledge, type LearntFile } from "./builtin/knowledge.ts";
export { fromSnapshot, type Snapshot, toSnapshot } from "./builtin/snapshot.ts";
export type {
  ChatMessage,
  ChatRequest,
  ContextText,
  FillRequest,
  Model,
  ModelCallOptions,
  ModelEnd,
  NextRequest,
  NextToken,
  TextPart,
  TokenCounter,
} from "./model.ts";
export { ModelError, type ModelFailure } from "./model-error.ts";
