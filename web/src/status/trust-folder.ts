import type { TrustReport } from "../../../src/server/protocol/setup-protocol.ts";
import { errorMessage } from "../../../src/text/index.ts";
import type { PageServices } from "../page-services.ts";

/** What trust allows, for a person who decides about it. */
export const whatTrustAllows =
  "The settings of a trusted folder may choose the model servers that get your code, and may run commands on this machine. Its formatter, its configuration files with code and its git filters run, too. Trust a folder only if you trust its authors.";

/** Trusts the folder of the page in the user's own settings file, after a confirmation. */
export async function trustFolder(
  { server, showMessage }: Pick<PageServices, "server" | "showMessage">,
  root: string,
): Promise<void> {
  if (!confirm(`Trust ${root}?\n\n${whatTrustAllows}`)) return;
  try {
    showMessage(outcomeOf(await server.request<TrustReport>("emend/trust"), root));
  } catch (error) {
    showMessage(errorMessage(error), "error");
  }
}

function outcomeOf(report: TrustReport, root: string): string {
  switch (report.kind) {
    case "trusted":
      return `${root} is trusted. Its settings count from now on.`;
    case "already-trusted":
      return `${root} is trusted already.`;
    case "by-hand":
      return `Emend does not edit settings that are code. Add \`${report.line}\` to ${report.file}.`;
  }
}
