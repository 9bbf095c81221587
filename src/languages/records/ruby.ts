import type { BlockRow } from "../block-table.ts";
import { inFunction, inLoop } from "../jump-rule.ts";
import type { LanguageRow } from "../language.ts";
import { double, hash, single, template } from "./spellings.ts";

const call: BlockRow = {
  what: "expression",
  calls: {
    callee: ["method"],
    names: {
      require: "import",
      require_relative: "import",
      include: "import",
      extend: "import",
      attr_reader: "field",
      attr_writer: "field",
      attr_accessor: "field",
      describe: "test",
      context: "test",
      it: "test",
      test: "test",
    },
    name: ["arguments *"],
    body: ["block body"],
  },
};
const methods = ["method", "singleton_method"];
const classes = ["class", "module", "singleton_class"];
const loops = ["while", "until", "for", "while_modifier", "until_modifier", "block", "do_block"];

/** Ruby. */
export const ruby: LanguageRow = {
  id: "ruby",
  name: "Ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".erb.rb"],
  filenames: ["gemfile", "rakefile", "guardfile", "podfile", "fastfile", "vagrantfile", "brewfile"],
  firstLine: /^#!.*\bruby\b/,
  ...hash,
  blockComments: [["\n=begin", "\n=end"]],
  strings: [
    { ...double, multiline: true, interpolation: [["#{", "}"]] },
    { ...single, multiline: true },
    { ...template, interpolation: [["#{", "}"]] },
  ],
  quirks: {
    regex: true,
    percentLiterals: true,
    heredoc: /<<[-~]?(["'`]?)([A-Z_]\w*)\1/,
    literals: [["?", /(?<![\w)\]])\?["'`(){}[\]/#](?!["'\w])/]],
  },
  grammar: "ruby",
  charactersPerToken: 3.2,
  endings: [" x", "\nend", " x\nend", "\nend\nend", "\nwhen x\nend"],
  blocks: {
    anywhere: {
      module: "namespace",
      class: "class",
      singleton_class: { what: "class", name: ["value"] },
      method: "function",
      singleton_method: "function",
      when: { what: "case", name: ["pattern"] },
      in_clause: { what: "case", name: ["pattern"] },
    },
    statements: {
      call,
      assignment: {
        what: "expression",
        name: ["left:constant", "left:identifier"],
        whatIf: [
          ["left:constant", "variable"],
          ["left:identifier", "variable"],
        ],
      },
      if: { what: "if", body: ["consequence"] },
      unless: { what: "if", body: ["consequence"] },
      if_modifier: { what: "if", name: [] },
      unless_modifier: { what: "if", name: [] },
      while: "loop",
      until: "loop",
      for: "loop",
      while_modifier: "loop",
      until_modifier: "loop",
      case: "switch",
      case_match: "switch",
      begin: { what: "try", body: ["."] },
      rescue_modifier: "try",
      return: "return",
      break: "jump",
      next: "jump",
      redo: "jump",
      retry: "jump",
      alias: "other",
      undef: "other",
    },
    statementsIn: ["program", "body_statement", "block_body", "then", "else", "ensure", "do", "begin"],
    fallback: "expression",
    constructors: ["initialize"],
  },
  // None for `return`, which is allowed at the top.
  jumps: {
    yield: inFunction(methods, classes),
    break: inLoop(loops, [...methods, ...classes], "a loop or block"),
    next: inLoop(loops, [...methods, ...classes], "a loop or block"),
  },
  // biome-ignore format: one list a line.
  treeNames: {
    functions: "method singleton_method", scopes: "block do_block lambda class module",
    owners: "class module",
    declares: "assignment.left method_parameters block_parameters lambda_parameters optional_parameter.name splat_parameter.name keyword_parameter.name hash_splat_parameter.name block_parameter.name left_assignment_list exception_variable",
    declaresAround: "class.name module.name",
    memberDeclares: "method.name singleton_method.name",
    members: "call.method scope_resolution.name", receivers: "receiver", self: "self",
  },
  binder: {},
  traits: { namespacesName: true, testFile: /(^|\/)test_[^/]*\.rb$|_test\.rb$/, testName: /^test_/ },
};
