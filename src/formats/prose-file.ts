/** Whether rows that look like fences are likely to be text of the file: Markdown and its like. */
export function isProseFile(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdc|rmd|qmd|rst|adoc|txt)$/i.test(path);
}
