/** A model's name without the address of its server, which says little to a person: what stands behind the `#`. */
export function shortModelName(name: string): string {
  return name.replace(/^[^#]*:\/\/[^#]*#/, "");
}
