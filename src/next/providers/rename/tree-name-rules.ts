import { supportedLanguages, type TreeNameRow, type TreeNameRules } from "../../../languages/index.ts";

/** The rules of the languages that have some, by language id. */
export const treeNameRules: ReadonlyMap<string, TreeNameRules> = new Map(
  supportedLanguages.flatMap(({ language, names }) => (names === undefined ? [] : [[language.id, rulesOf(names)]])),
);

function rulesOf(row: TreeNameRow): TreeNameRules {
  const set = (list: string | undefined): ReadonlySet<string> => new Set(list?.split(" ") ?? []);
  return {
    scopes: set(`${row.scopes ?? ""} ${row.functions ?? ""}`),
    functions: set(row.functions),
    owners: set(row.owners),
    declares: set(row.declares),
    declaresAround: set(row.declaresAround),
    memberDeclares: set(row.memberDeclares),
    bindsMembers: row.bindsMembers ?? false,
    members: set(row.members),
    keys: set(row.keys),
    imports: set(row.imports),
    ignored: set(row.ignored),
    receiver: row.receiver ?? "",
    self: set(row.self),
    exportList: row.exportList ?? "",
    comparesCapitals: row.comparesCapitals ?? false,
  };
}
