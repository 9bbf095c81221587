/** What the resolution of names without a type checker knows of a language. */
export interface BinderSupport {
  /**
   * Which reader of the layer `names` finds the names of a file with its classes, types and
   * modules. Default: blocks are declarations, and every other identifier is a mention, by name
   * alone.
   */
  readonly reader?: "python" | "csharp";
  /**
   * Whether files are modules, and unqualified names are those of the file and its imports.
   * Default: names are looked up in the classes around them, then among the types that are nearest.
   */
  readonly hasModules?: boolean;
  /** Whether unqualified names outside of classes are types only. */
  readonly hasTopLevelTypesOnly?: boolean;
  /** Whether values of a library have no members of the workspace but extension methods. */
  readonly hasExtensions?: boolean;
  /** The name of constructors, and whether a class has those of its base class. */
  readonly constructors?: { readonly name: string; readonly areInherited: boolean };
  /**
   * Members of the language's built-in objects: strings, lists, maps, files. If the class of an
   * object is unknown, such a name doesn't identify a member of the workspace, because most objects
   * that have it are built-in.
   */
  readonly commonMembers?: ReadonlySet<string>;
}
