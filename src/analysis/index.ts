export type { AtomicChange, ChangeLabel } from "./changes/atomic-change.ts";
export { classifyChanges, type FileChange, type FileState } from "./changes/classify-changes.ts";
export { ParseCache, type ParseCacheOptions } from "./changes/parse-cache.ts";
export { newDiagnostics } from "./diagnostics/compare-diagnostics.ts";
export { LibraryDiagnostics, noModule } from "./diagnostics/library-diagnostics.ts";
export { OverlayCheck, type OverlayCheckRequest } from "./diagnostics/overlay-check.ts";
export type { FileDiagnostic, OverlayTypeChecker, TypeChecker } from "./diagnostics/type-checker.ts";
export { BlockReader, type BlockReaderOptions, type ParsedBlocks } from "./graph/block-reader.ts";
export type { ReadableGraph } from "./graph/changed-graph.ts";
export {
  type BlockId,
  type BlockPart,
  blockId,
  type CodeBlock,
  type CodeBlockKind,
  pathOfBlockId,
  printCodeBlock,
} from "./graph/code-block.ts";
export {
  blockFinder,
  type Dependency,
  DependencyGraph,
  type GraphEdge,
  type GraphFile,
  type InverseRelation,
  inverseRelations,
  type Relation,
} from "./graph/dependency-graph.ts";
export { mayResolveTo } from "./graph/file-state.ts";
export { NameReferences, type NameReferencesOptions } from "./graph/name-references.ts";
export type {
  FileReferences,
  MemberNameSource,
  MemberNames,
  ModuleSpecifier,
  Reference,
  ReferenceRole,
  ReferenceSource,
  UnresolvedMemberName,
} from "./graph/reference.ts";
export {
  type BuildOptions,
  type GraphProgress,
  type GraphUpdate,
  WorkspaceGraph,
  type WorkspaceGraphOptions,
} from "./graph/workspace-graph.ts";
export {
  type AffectedBlock,
  analyseImpact,
  type ImpactReport,
  type ImpactRequest,
  workLikelihood,
} from "./impact/impact-analysis.ts";
export {
  type CoverageSentence,
  type ImpactCoverage,
  type LanguageCoverage,
  type PythonCoverage,
  printCoverage,
  type TypesCoverage,
  unfollowedLanguages,
} from "./impact/impact-coverage.ts";
export { type ImpactStep, impactSteps } from "./impact/impact-rules.ts";
export {
  type AffectedView,
  type BlockView,
  type ChangeView,
  countStatus,
  type ImpactStatus,
  type ImpactView,
  type ImpactViewOptions,
  type PathStep,
  printBlock,
  relationWords,
  toImpactView,
} from "./impact/impact-view.ts";
export type { ImpactSign } from "./impact/likelihood.ts";
export type { ImpactGraphs, ImpactReach } from "./impact/may-impact.ts";
export { toImpactDot } from "./impact/reports/impact-to-dot.ts";
export { toImpactHtml } from "./impact/reports/impact-to-html.ts";
export { type ImpactJson, toImpactJson } from "./impact/reports/impact-to-json.ts";
export { type ImpactSarifOptions, toImpactSarif } from "./impact/reports/impact-to-sarif.ts";
export {
  type CheckedBlock,
  type CheckedError,
  type CheckerMessage,
  checkerMessage,
} from "./impact/speculative-check.ts";
export {
  type CachedTypeChecker,
  type CheckerWork,
  TypeCheckCache,
  type TypeCheckCacheParts,
} from "./impact/type-check-cache.ts";
export {
  type ColumnLayout,
  curveOf,
  layOutColumns,
  nodeSize,
  type PlacedLink,
  type PlacedNode,
} from "./page/column-layout.ts";
export { cut, cutLeft, escapeHtml, type HtmlPageParts, htmlPage } from "./page/html-page.ts";
export { listAndGraphScript, listAndGraphStyle } from "./page/list-and-graph.ts";
export { checkedRepair, editOf } from "./repair/checked-repair.ts";
export { ExportIndex, type ExportPlace } from "./repair/export-index.ts";
export type { CallChange, Parameter, RequiredMember } from "./repair/facts/call-changes.ts";
export type { ChangeFacts, NewMember, NewParameter, TypeParameterChange } from "./repair/facts/change-facts.ts";
export type { LearntRewrite } from "./repair/facts/edits-by-example.ts";
export { factsWithTrees } from "./repair/facts/facts-with-trees.ts";
export type { LiteralChange } from "./repair/facts/renamed-literals.ts";
export {
  type MadeRepair,
  propagateRepairs,
  type RemainingDiagnostics,
  type RepairedWorkspace,
  type RepairRequest,
  type Stub,
} from "./repair/propagate-repairs.ts";
export type { Repair, RepairContext } from "./repair/repair.ts";
export { type RepairRound, type RepairRules, repairRounds } from "./repair/repair-rounds.ts";
export { type ProposedRepairs, proposeRepairs, proposeStubs } from "./repair/repair-rules.ts";
export { baseSignatureEdit } from "./repair/rules/base-signature.ts";
export { movedAlias, pathFrom } from "./repair/script/module-paths.ts";
export { keepImportsSorted } from "./repair/script/sorted-imports.ts";
