import { addedIssues, carryOver, type EditProposal } from "../../edit/index.ts";
import { readEditFiles } from "../../edit/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";

/**
 * Rebases a proposal over changes of its files on the disk. Returns `undefined` where lines of the
 * proposal have changed, or where both changes together would add a syntax error.
 */
export async function carryProposal<Proposal extends Pick<EditProposal, "edit" | "files">>(
  proposal: Proposal,
  root: string,
): Promise<Proposal | undefined> {
  const textNow = async (path: string) => (await readEditFiles(root, [path])).files[0]?.text;
  const carried = await carryOver(proposal.files, proposal.edit, textNow);
  if (carried.kind === "stale") return undefined;
  const { files, edit } = carried;
  const syntax = openSyntax();
  try {
    const issues = await addedIssues(files, edit, { syntax, known: new Map() });
    return issues.length === 0 ? { ...proposal, files, edit } : undefined;
  } finally {
    syntax[Symbol.dispose]();
  }
}
