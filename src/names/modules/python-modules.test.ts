import { expect, test } from "vitest";
import { pythonModuleFiles } from "./python-modules.ts";

/** The files that a module means in another file; all lists are separated by spaces. */
function found(files: string, from: string, module: string): string {
  const paths = files.split(" ");
  const endingWith = (ending: string) => paths.filter((path) => `/${path}`.endsWith(`/${ending}`));
  return pythonModuleFiles({ has: (path) => paths.includes(path), endingWith }, module, from).join(" ");
}

test.each([
  ["beside the file", "a/b.py b.py", "a/c.py", "b", "a/b.py"],
  ["in a folder above it", "b.py d/b.py", "a/x/c.py", "b", "b.py"],
  ["a package", "a/b/__init__.py", "a/c.py", "a.b", "a/b/__init__.py"],
  ["a module before a package", "b.py b/__init__.py", "c.py", "b", "b.py"],
  ["below a folder of sources", "src/shop/cart.py", "tests/t.py", "shop.cart", "src/shop/cart.py"],
  ["several below other folders", "x/b.py y/b.py y/b/__init__.py", "a/c.py", "b", "x/b.py y/b.py y/b/__init__.py"],
  ["whole names only", "x/ab.py", "a/c.py", "b", ""],
  ["a stub", "a/b.pyi", "a/c.py", "b", "a/b.pyi"],
  ["no stub of a source", "x/b.py x/b.pyi", "a/c.py", "b", "x/b.py"],
  ["relative", "a/b.py b.py", "a/c.py", ".b", "a/b.py"],
  ["relative, not in a folder above", "b.py", "a/c.py", ".b", ""],
  ["relative to the folder above", "a/b.py b.py", "a/c.py", "..b", "b.py"],
  ["the package itself", "a.py a/__init__.py", "a/c.py", ".", "a/__init__.py"],
  ["no module", "__init__.py", "c.py", "", ""],
])("files of a Python module: %s", (_, files, from, module, expected) => {
  expect(found(files, from, module)).toBe(expected);
});
