/** How a command ends, as numbers for scripts. They are stable. */
export const exitCodes = {
  /** It did what was asked. A model that has nothing to say is an ordinary answer too. */
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  outsideText: 4,
  notSource: 5,
  noPermission: 6,
  emptyWorkspace: 7,
  /** There is a change, and nobody said that it should be written. */
  notWritten: 8,
  /** A text is not whole, and can be completed. */
  unfinished: 9,
  /** A text belongs to its language in no way, however it goes on; or nothing fits where something should go. */
  refused: 10,
  /** A change leaves blocks as they are that it is likely to affect, and `--fail-on missed` was said. */
  missed: 11,
  /** A plan left steps to a person, or stopped at a limit before all was done. */
  obligations: 12,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What each code means, for `--help`. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "done; also when the model has nothing to say",
  1: "failed for a reason of its own, such as a full disk, or a model or answer that cannot be used",
  2: "the command line is wrong: an unknown option, or not FILE:LINE:COL",
  3: "the file or folder is missing, or is the other of the two",
  4: "the position lies outside the text",
  5: "the file is not read: binary, not UTF-8, too large, generated or secret",
  6: "the system does not allow reading it",
  7: "the workspace has no source files",
  8: "a change was not written, since nobody said yes",
  9: "the text is not whole, and can be completed",
  10: "the grammar refuses the text, or nothing fits there",
  11: "impact --fail-on missed: a block that is likely to be affected was not changed",
  12: "plan: steps are left to a person, or a limit was reached",
  129: "ended since its terminal was closed",
  130: "interrupted by Ctrl-C",
  143: "ended by a termination signal, such as that of `kill`",
};
