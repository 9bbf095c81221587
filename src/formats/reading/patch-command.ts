/**
 * Removes the command before a patch that begins in the same row, as in `apply_patch '*** Begin
 * Patch`.
 */
export function withoutPatchCommand(row: string): string {
  const at = row.indexOf("*** Begin Patch");
  return at > 0 && /\bapply_?patch\s+\$?["']$/i.test(row.slice(Math.max(0, at - 40), at)) ? row.slice(at) : row;
}

/** Whether a shell row begins a here-document, as in `apply_patch <<'EOF'`. */
export function opensHeredoc(row: string): boolean {
  return /(?<!<)<<-?\s*["']?\w/.test(row);
}

/** Whether a row begins a patch or a part of one, with any command before it in the row. */
export function beginsPatch(row: string): boolean {
  return /^\s*\*\*\* (?:Begin Patch\s*$|(?:Update|Add|Delete) File: )/.test(withoutPatchCommand(row));
}
