/** The exit codes of all commands, for scripts. They are stable. */
export const exitCodes = {
  /** Success. No suggestion from a model is an ordinary answer too. */
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  outsideText: 4,
  notSource: 5,
  noPermission: 6,
  emptyWorkspace: 7,
  /** There is a change, but writing it was not confirmed. */
  notWritten: 8,
  /** A text is incomplete, and can be completed. */
  unfinished: 9,
  /**
   * A text cannot become a program of the language, whatever follows; or nothing fits in a hole.
   */
  refused: 10,
  /** With `--fail-on missed`: a change leaves likely affected blocks unchanged. */
  missed: 11,
  /** A plan left steps to a person, or stopped at a limit. */
  obligations: 12,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each code, for `--help`. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "success; also when there is no suggestion",
  1: "failure, such as a full disk, an unreachable model, an unusable answer, or settings with errors",
  2: "usage error, such as an unknown option",
  3: "the file or folder does not exist, or is of the other kind",
  4: "the position is outside of the text",
  5: "the file is not read: binary, not UTF-8, too large, generated, secret or excluded from models",
  6: "no permission to read the file",
  7: "the workspace has no source files",
  8: "a change was not written, because it was not confirmed",
  9: "the text is incomplete, and can be completed",
  10: "the grammar refuses the text, or nothing fits in the hole",
  11: "impact --fail-on missed: a likely affected block was not changed",
  12: "plan: steps are left to a person, or a limit was reached",
  129: "the terminal was closed",
  130: "interrupted by Ctrl-C",
  143: "ended by a termination signal, such as that of `kill`",
};
