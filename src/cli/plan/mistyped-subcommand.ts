import { tryNearestName } from "../../config/index.ts";
import { badUsage } from "../terminal/failure.ts";

/**
 * Checks that a plan's instruction is not a subcommand that was mistyped, or another command of
 * Emend: a single word that is near one of `subcommands`, or one of `commands`. Throws a
 * `CommandFailure` that names what was probably meant, and how to use the word as an instruction.
 */
export function checkMistypedSubcommand(
  instruction: string,
  { subcommands, commands }: { readonly subcommands: readonly string[]; readonly commands: readonly string[] },
): void {
  const word = instruction.trim();
  if (!/^[\p{L}\d_-]+$/u.test(word)) return;
  const near = tryNearestName(word, subcommands);
  const meant = commands.includes(word) ? `emend ${word}` : near && `emend plan ${near}`;
  if (meant === undefined) return;
  const anyway = `As an instruction, write \`emend plan -- ${word}\` or a longer sentence.`;
  throw badUsage(`\`emend plan\` has no subcommand ${word}. Did you mean \`${meant}\`? ${anyway}`);
}
