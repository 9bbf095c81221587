export { AccessRules, type AccessRulesOptions, type FileVerdict } from "./access-rules.ts";
export { type DecodedText, decodeText } from "./binary.ts";
export type { ChangedText } from "./changed-text.ts";
export {
  type EntryKind,
  type FileStat,
  type FileSystem,
  FileSystemError,
  type FileSystemFailure,
  type FolderEntry,
  type Watch,
  type Watcher,
  type WatchRequest,
} from "./file-system.ts";
export type { GitHead } from "./git-status.ts";
export { BlockReader, type BlockReaderOptions } from "./graph/block-reader.ts";
export type { ChangedGraphRequest } from "./graph/changed-graph.ts";
export { changedGraph, type ReadableGraph } from "./graph/changed-graph.ts";
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
  ImportedModule,
  Reference,
  ReferenceRole,
  ReferenceSource,
  TypeChecker,
  TypeDiagnostic,
  UnresolvedMemberName,
} from "./graph/reference.ts";
export { isScript, type ScriptProject, type ScriptProjectParts, scriptProject } from "./graph/script-project.ts";
export { type ScriptTree, type ScriptTreeParser, tryScriptTree } from "./graph/script-tree.ts";
export {
  type BuildOptions,
  type GraphProgress,
  type GraphUpdate,
  WorkspaceGraph,
  type WorkspaceGraphOptions,
} from "./graph/workspace-graph.ts";
export { type IgnoreFamilies, IgnoreTree, type IgnoreTreeOptions, type IgnoreVerdict } from "./ignore-tree.ts";
export type { AtomicChange, ChangeLabel } from "./impact/atomic-change.ts";
export type { ClassifyRequest } from "./impact/classify-changes.ts";
export { classifiedChanges, classifyChanges, type FileChange, type FileState } from "./impact/classify-changes.ts";
export {
  type AffectedBlock,
  analyseImpact,
  type ImpactReport,
  type ImpactRequest,
  workLikelihood,
} from "./impact/impact-analysis.ts";
export type { ImpactCoverage, LanguageCoverage, PythonCoverage, TypesCoverage } from "./impact/impact-coverage.ts";
export { type CoverageSentence, printCoverage } from "./impact/impact-coverage.ts";
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
export type { CheckedBlock, CheckerSnapshot, OverlayTypeChecker } from "./impact/speculative-check.ts";
export { MemoryFileSystem } from "./memory-file-system.ts";
export { type DiskFiles, InstalledTypes } from "./modules/installed-types.ts";
export { type ModuleFiles, ModuleResolver } from "./modules/module-resolver.ts";
export { isRelative, modulePath, resolvedPath } from "./modules/specifier.ts";
export type { PlacedLink, PlacedNode } from "./page/column-layout.ts";
export { type ColumnLayout, curveOf, layOutColumns, nodeSize } from "./page/column-layout.ts";
export { escapeHtml, type HtmlPageParts, htmlPage } from "./page/html-page.ts";
export { listAndGraphScript, listAndGraphStyle } from "./page/list-and-graph.ts";
export { isGlob, type PathGlob, type PathGlobOptions, tryParsePathGlob, tryPathGlobIssue } from "./path-glob.ts";
export {
  defaultMaxBytes,
  holdsPrivateKey,
  type ReadRules,
  type ReadSourceOptions,
  type ReadSourcesOptions,
  readSource,
  readSources,
  type SourceAnswer,
} from "./read-source.ts";
export { checkedRepair, editOf, type RepairCheck } from "./repair/checked-repair.ts";
export { ExportIndex, type ExportPlace } from "./repair/export-index.ts";
export type { CallChange, Parameter, RequiredMember } from "./repair/facts/call-changes.ts";
export type { ChangeFacts, NewMember, NewParameter, TypeParameterChange } from "./repair/facts/change-facts.ts";
export type { LearntRewrite } from "./repair/facts/edits-by-example.ts";
export type { SideOf } from "./repair/facts/facts-with-trees.ts";
export { factsWithTrees } from "./repair/facts/facts-with-trees.ts";
export type { LiteralChange } from "./repair/facts/renamed-literals.ts";
export { KnownDiagnostics } from "./repair/known-diagnostics.ts";
export { isAboutLibrary, noModule } from "./repair/library-diagnostics.ts";
export {
  type MadeRepair,
  propagateRepairs,
  type RemainingDiagnostics,
  type RepairedWorkspace,
  type RepairRequest,
  type Stub,
} from "./repair/propagate-repairs.ts";
export type { Repair, RepairContext } from "./repair/repair.ts";
export type { ProposedRepairs } from "./repair/repair-rules.ts";
export { proposeRepairs } from "./repair/repair-rules.ts";
export { baseSignatureEdit } from "./repair/rules/base-signature.ts";
export { namesModule } from "./repair/rules/moved-module-repair.ts";
export { pathFrom } from "./repair/script/module-paths.ts";
export type { FieldPattern, NodePattern } from "./repair/script/node-pattern.ts";
export { childrenOf, type ScriptNode } from "./repair/script/script-nodes.ts";
export { trySecretPath } from "./secret-path.ts";
export { type LinkRefusal, printSkipReason, type SkipReason } from "./skip-reason.ts";
export type { SkippedPath, SurveyOptions, WorkspaceFile } from "./survey.ts";
export { type WalkItem, type WalkOptions, walkWorkspace } from "./walk.ts";
export { openWorkspace, type Workspace, type WorkspaceChange, type WorkspaceOptions } from "./workspace.ts";
export {
  comparePaths,
  folderDistance,
  folderOf,
  joinPath,
  nameOf,
  tryRelativePath,
} from "./workspace-path.ts";
