import type { LanguageRow } from "../language.ts";
import { double, hash, single } from "./spellings.ts";

/** Scripts of a shell. */
export const shellscript: LanguageRow = {
  id: "shellscript",
  name: "Shell",
  extensions: [".sh", ".bash", ".zsh", ".ksh", ".bats"],
  filenames: [".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile"],
  firstLine: /^#!.*\b(ba|z|k|da|a)?sh\b/,
  ...hash,
  strings: [
    { ...double, multiline: true, interpolation: [["$(", ")"]] },
    { ...single, open: "$'", multiline: true },
    { ...single, escape: "none", multiline: true },
  ],
  quirks: {
    spacedComments: true,
    shell: true,
    heredoc: /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/,
    literals: [["\\", /\\[^\n]/]],
  },
  hasBareValues: true,
  grammar: "bash",
  charactersPerToken: 2.9,
  endings: [
    ...[" x", "\nfi", "\ndone", "\nesac", "; then\n  x\nfi", "; do\n  x\ndone", "\n  x\nfi", "\n  x\ndone"],
    "\n  x) x ;;\nesac",
  ],
  blocks: {
    anywhere: {
      function_definition: "function",
      case_item: { what: "case", name: ["value"] },
    },
    statements: {
      variable_assignment: "variable",
      declaration_command: { what: "variable", name: [":variable_assignment name", ":variable_name"] },
      command: {
        what: "expression",
        name: [],
        calls: {
          callee: ["name"],
          names: {
            source: "import",
            ".": "import",
            return: "return",
            exit: "jump",
            break: "jump",
            continue: "jump",
          },
          name: ["argument"],
          body: [],
        },
      },
      if_statement: "if",
      for_statement: "loop",
      c_style_for_statement: "loop",
      while_statement: "loop",
      redirected_statement: {
        what: "expression",
        name: [],
        body: [],
        wraps: ["body:while_statement", "body:for_statement", "body:if_statement"],
      },
      pipeline: "expression",
      list: "expression",
      negated_command: "expression",
      test_command: "expression",
      unset_command: "expression",
      case_statement: { what: "switch", name: ["value"] },
      compound_statement: { what: "block", body: ["."] },
      subshell: { what: "block", body: ["."] },
    },
    statementsIn: [
      "program",
      "compound_statement",
      "subshell",
      "do_group",
      "if_statement",
      "elif_clause",
      "else_clause",
      "case_item",
    ],
  },
};
