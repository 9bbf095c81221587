export { isLoopback } from "./base-url.ts";
export { BuiltinModel, type BuiltinModelOptions, type BuiltinStatistics } from "./builtin/builtin-model.ts";
export type {
  Completion,
  CompletionAnswer,
  CompletionRequest,
} from "./builtin/completion.ts";
export type { Corpus, CorpusTables, Region } from "./builtin/corpus.ts";
export type { ImportTable } from "./builtin/import-table.ts";
export { Knowledge, type LearntFile } from "./builtin/knowledge.ts";
export type { Lexer, LexRules } from "./builtin/lexer.ts";
export { fromSnapshot, type Snapshot, toSnapshot } from "./builtin/snapshot.ts";
export type { TableBytes } from "./builtin/table-memory.ts";
export type { Vocabulary } from "./builtin/vocabulary.ts";
export {
  type FoundServer,
  findServer,
  findServers,
  isModelServer,
  localServerUrls,
  type ModelServerFound,
  type NoServer,
  preferredModel,
  printNoServer,
  type ServedModel,
  tryParseServerUrl,
} from "./discovery/find-servers.ts";
export { type HostedServer, hostedServer } from "./discovery/hosted-server.ts";
export {
  hostedModels,
  type RecommendedDownload,
  type RecommendedForServer,
  type RecommendedModel,
  recommendedFor,
  recommendedModels,
} from "./discovery/recommended-models.ts";
export { type ServedModelTrial, trialMs, tryServedModel } from "./discovery/try-served-model.ts";
export type { SecretSources } from "./mask-secrets.ts";
export {
  configuredSecrets,
  keyVariables,
  maskOf,
  maskTexts,
  rangesOfSecrets,
  type SecretMask,
  withoutKeys,
} from "./mask-secrets.ts";
export type {
  AnswerToken,
  ChatMessage,
  ChatRequest,
  ContextText,
  FillGuide,
  FillRequest,
  Model,
  ModelCallOptions,
  ModelDescription,
  ModelEnd,
  NextRequest,
  NextToken,
  NoAnswerReason,
  PromptLimits,
  PromptLimitsOptions,
  PromptPace,
  RawRequest,
  RedactedText,
  TaskText,
  TextPart,
  TokenCounter,
  TokenMatch,
} from "./model.ts";
export { keptForAnswer, promptLimits } from "./model.ts";
export { ModelError, type ModelFailure, type Silence, type TooLong } from "./model-error.ts";
export type {
  ByteReader,
  ChatOptions,
  CommandKey,
  Fetch,
  FetchRequest,
  FetchResponse,
  ModelHost,
  ModelSettings,
  OpenChat,
} from "./model-host.ts";
export {
  type ModelName,
  type ModelNameIssue,
  parseModelName,
  printModelName,
  printModelNameInFull,
  printModelSetting,
  type ServerModelName,
  shownModelName,
} from "./model-name.ts";
export { type ModelProblem, type ModelReport, printModelReport } from "./model-report.ts";
export { openModel } from "./open-model.ts";
export { type ProbeOptions, probeModel } from "./probe-model.ts";
export type { ServerProvider } from "./providers.ts";
export { mergeRequest, type RequestOptionIssue, type RequestOptions, requestOptionIssues } from "./request-options.ts";
export { allSpecialTokens, type FillTemplate, fillTemplateByName, fillTemplates } from "./templates/families.ts";
export { contextComments } from "./templates/render-fill.ts";
