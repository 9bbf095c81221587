import { getOrInsert } from "../../text/index.ts";
import type { GrammarIssue } from "../tables/grammar-issue.ts";
import type { ModeRule, TokenRule } from "../tables/grammar-source.ts";
import { lineOf, type NotationToken, placeOf } from "./notation-tokens.ts";

/** A token by name, or a literal. */
export type Member = string | { readonly literal: string };

/** A mode as written. */
export interface WrittenMode {
  readonly name: string;
  readonly at: NotationToken;
  /**
   * Its members, the first of which may be another mode's name; `undefined` for all tokens and
   * literals.
   */
  readonly list?: readonly Member[];
  readonly changes: readonly { readonly sign: "+" | "-"; readonly member: Member }[];
}

/** The tokens and literals of a grammar. */
interface Lexemes {
  readonly tokens: readonly TokenRule[];
  readonly literals: readonly string[];
}

/**
 * Resolves the members of each mode, in the order of `written`. Does not throw: modes that start
 * from each other become errors in `issues`, and a member that can't be removed a warning.
 *
 * The first mode has everything but what another mode lists or adds. A mode whose list begins with
 * another mode's name starts from that mode's members.
 */
export function resolveModes(written: readonly WrittenMode[], lexemes: Lexemes, issues: GrammarIssue[]): ModeRule[] {
  const byName = new Map(written.map((mode) => [mode.name, mode]));
  const resolved = new Map<string, Map<string, Member>>();

  const everything = (): Map<string, Member> => {
    const all: Member[] = [
      ...lexemes.tokens.map((token) => token.name),
      ...lexemes.literals.map((literal) => ({ literal })),
    ];
    const elsewhere = new Set<string>();
    for (const mode of written.slice(1)) {
      for (const member of mode.list ?? []) elsewhere.add(keyOf(member));
      for (const { sign, member } of mode.changes) if (sign === "+") elsewhere.add(keyOf(member));
    }
    return new Map(all.map((member) => [keyOf(member), member] as const).filter(([key]) => !elsewhere.has(key)));
  };

  const resolve = (mode: WrittenMode, path: readonly string[]): Map<string, Member> => {
    return getOrInsert(resolved, mode.name, () => {
      const members = startOf(mode, path);
      for (const { sign, member } of mode.changes) {
        const key = keyOf(member);
        if (sign === "+") members.set(key, member);
        else if (!members.delete(key)) {
          const message = `Leave \`- ${key}\` out: there is none to take away in the mode ${mode.name}.`;
          issues.push({ code: "mode", severity: "warning", ...placeOf(mode.at), message });
        }
      }
      return members;
    });
  };

  const startOf = (mode: WrittenMode, path: readonly string[]): Map<string, Member> => {
    if (mode.list === undefined) return everything();
    const members = new Map<string, Member>();
    for (const [i, member] of mode.list.entries()) {
      const other = i === 0 && typeof member === "string" && member !== mode.name ? byName.get(member) : undefined;
      if (other === undefined) members.set(keyOf(member), member);
      else if (path.includes(other.name)) {
        const message = `Start the mode ${mode.name} from tokens: it and the mode ${other.name} start from each other.`;
        issues.push({ code: "mode", severity: "error", ...placeOf(mode.at), message });
      } else for (const [key, each] of resolve(other, [...path, mode.name])) members.set(key, each);
    }
    return members;
  };

  return written.map((mode) => ({
    name: mode.name,
    members: [...resolve(mode, []).values()],
    ...lineOf(mode.at),
  }));
}

/** A text for a member of a mode, equal for equal members. */
export function keyOf(member: Member): string {
  return typeof member === "string" ? member : JSON.stringify(member.literal);
}
