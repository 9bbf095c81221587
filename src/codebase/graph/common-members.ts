/**
 * Members of a language's built-in objects: strings, lists, maps, files. If the class of an object
 * is unknown, such a name doesn't identify a member of the workspace, because most objects that
 * have it are built-in. Source: the methods of Python's built-in types, and of C#'s `object`,
 * `string`, collections, tasks and LINQ.
 */
const common: Readonly<Record<string, ReadonlySet<string>>> = {
  python: words(
    "append add clear close copy count decode discard encode endswith extend find flush format get index insert items join keys " +
      "lower lstrip open pop popitem read readline readlines remove replace reverse rstrip seek setdefault sort split splitlines " +
      "startswith strip title update upper values write name mean sum min max item shape size type data",
  ),
  csharp: words(
    "Add AddRange All Any Append Clear Close Contains ContainsKey Copy Count Dispose Equals Find First FirstOrDefault Format GetHashCode " +
      "GetType IndexOf Insert Invoke Join Key Keys Last Length Max Message Min Name Remove Replace Result Select Single " +
      "SingleOrDefault Sort Split Start Stop Substring Sum ToArray ToList ToString Trim TryGetValue Value Values Where Id Type",
  ),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Whether built-in objects of the language have a member with this name. */
export function isCommonMember(language: string, name: string): boolean {
  return common[language]?.has(name) ?? false;
}
