import type { EngineSupport } from "./language-support.ts";

/** What the engines know of Ruby. */
// biome-ignore format: one list a line.
export const ruby: EngineSupport = {
  charactersPerToken: 3.2,
  endings: [" x", "\nend", " x\nend", "\nend\nend", "\nwhen x\nend"],
  names: {
    functions: "method singleton_method", scopes: "block do_block lambda class module",
    owners: "class module",
    declares: "assignment.left method_parameters block_parameters lambda_parameters optional_parameter.name splat_parameter.name keyword_parameter.name hash_splat_parameter.name block_parameter.name left_assignment_list exception_variable",
    declaresAround: "class.name module.name",
    memberDeclares: "method.name singleton_method.name",
    members: "call.method scope_resolution.name", receiver: "receiver", self: "self",
  },
};
