import { languageById, type TreeNameRow, type TreeNameRules } from "../languages/index.ts";
import { getOrInsert } from "../text/index.ts";

const known = new Map<string, TreeNameRules | undefined>();

/** Where the trees of a language have names; `undefined` for a language without rules. */
export function tryTreeNameRules(languageId: string): TreeNameRules | undefined {
  return getOrInsert(known, languageId, () => {
    const row = languageById(languageId)?.treeNames;
    return row && rulesOf(row);
  });
}

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
    receivers: set(row.receivers),
    self: set(row.self),
    exportList: row.exportList ?? "",
    comparesCapitals: row.comparesCapitals ?? false,
  };
}
