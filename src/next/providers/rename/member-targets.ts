/** A name in the text of a file; `start` is its offset. */
export interface MemberPlace {
  readonly path: string;
  readonly start: number;
}

/** Where a renamed member was named: its declaration or a use. */
export interface MemberOrigin extends MemberPlace {
  readonly isUse: boolean;
}

/**
 * Which names in one file refer to a renamed member. Offsets refer to the text before the edits.
 */
export interface MemberTarget {
  /** The number of renamed members; a member and what it overrides count as one. */
  readonly renamedCount: number;
  /**
   * Whether the name that begins at `start` refers to a renamed member; `undefined` where the type
   * checker cannot tell.
   */
  of(start: number): boolean | undefined;
}

/** The input of {@link MemberTargets.targetIn}. */
export interface MemberQuestion {
  readonly name: string;
  /** Where members of this name were renamed, all to the same new name. */
  readonly origins: readonly MemberOrigin[];
  /** The file whose names are resolved. */
  readonly path: string;
  /** The texts of the edited files before the edits. */
  readonly past: ReadonlyMap<string, string>;
}

/** Decides by a type checker which members of a name are the renamed one. */
export interface MemberTargets {
  /**
   * Resolves to `undefined` where the checker does not know the file or does not answer. Rejects
   * with the signal's reason.
   */
  targetIn(question: MemberQuestion, options: { readonly signal?: AbortSignal }): Promise<MemberTarget | undefined>;
}
