import { Visitor } from "@swc/core/Visitor.js";

// The visitor does not know declarations with `using`, which it would reject.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function visit(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

/**
 * The layers and the imports that are allowed between them. Imports point left only:
 *
 *   text, async <- languages <- syntax <- workspace, answers <- names <- model, grammar, analysis,
 *   formats <- context <- complete, edit <- next, plan <- config <- server <- cli
 */
const steps = [
  ["text", "async"],
  ["languages"],
  ["syntax"],
  // Clients of models and edit formats read the same answers: reasoning and fences once for both.
  ["workspace", "answers"],
  ["names"],
  ["model", "grammar", "analysis", "formats"],
  ["context"],
  ["complete", "edit"],
  // The next edit may be ghost text; a plan carries edits out.
  ["next", "plan"],
  ["config"],
  ["server"],
  ["cli"],
];

const layerRules = steps.flatMap((step, index) =>
  step.map((layer) => ({
    name: `${layer}-looks-left-only`,
    comment: `${layer} may import from itself and from layers on earlier steps.`,
    severity: "error",
    from: { path: `^src/${layer}/` },
    to: { path: "^src/", pathNot: `^src/(${[layer, ...steps.slice(0, index).flat()].join("|")})/` },
  })),
);

/** Folders of `analysis`; one imports only folders on earlier steps, so that none form a cycle. */
const analysisSteps = ["graph", "diagnostics|changes", "repair", "impact"];

const analysisRules = analysisSteps.slice(0, -1).map((folders, index) => ({
  name: `analysis-${folders.replace("|", "-and-")}-looks-left-only`,
  comment: "Repairs know changes and diagnostics; impact knows repairs.",
  severity: "error",
  from: { path: `^src/analysis/(${folders})/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^src/analysis/(${analysisSteps.slice(index + 1).join("|")})/` },
}));

export default {
  forbidden: [
    ...layerRules,
    ...analysisRules,
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "own-index-is-for-others",
      comment: "Inside a layer, import from the defining file.",
      severity: "error",
      from: { path: "^src/([^/]+)/", pathNot: "/(node/)?index\\.ts$" },
      to: { path: "^src/$1/index\\.ts$" },
    },
    {
      name: "other-layers-by-their-index",
      comment: "From another layer, import what its index exports.",
      severity: "error",
      from: { path: "^src/([^/]+)/", pathNot: "/fixtures/|\\.(?:test|laws)\\.ts$" },
      to: { path: "^src/[^/]+/", pathNot: ["^src/$1/", "/index\\.ts$"] },
    },
    {
      name: "portable-layers-stay-portable",
      comment: "Disk, clock and network belong in a node/ folder, in config, server or cli.",
      severity: "error",
      from: {
        path: "^src/(text|async|syntax|answers|grammar|formats|languages|context|model|workspace|names|analysis|complete|next|edit|plan)/",
        pathNot: "/node/|/fixtures/|\\.test\\.ts$",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "node-folders-are-for-the-edge",
      comment: "A portable file never reaches into a node/ folder.",
      severity: "error",
      from: { path: "^src/", pathNot: "/node/|/fixtures/|^src/(cli|server|config)/|\\.test\\.ts$" },
      to: { path: "^src/[^/]+/node/" },
    },
    { name: "no-orphans", severity: "error", from: { orphan: true, pathNot: "\\.(test|d)\\.ts$" }, to: {} },
    {
      name: "dependencies-are-declared",
      comment: "An optional peer counts as unknown too, for its entry in peerDependenciesMeta.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    parser: "swc",
    exclude: { path: "\\.d\\.ts$" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
