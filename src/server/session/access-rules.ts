// The layers above take the access rules from here, like the rest of a session.
export { AccessRules, type AccessRulesOptions } from "../../codebase/index.ts";
