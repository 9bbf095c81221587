/** Whether rows that look like fences are likely text of the file: Markdown and similar formats. */
export function isProseFile(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdc|rmd|qmd|rst|adoc|txt)$/i.test(path);
}
