/**
 * Makes a 64-bit ELF program start through another dynamic loader:
 * `node scripts/set-interpreter.mjs PROGRAM LOADER`.
 *
 * The absolute path of the loader is appended to the file, and the program header `PT_INTERP`
 * refers to it there. So `/proc/self/exe` is the program, which may start itself again, and not the
 * loader. Source: the ELF-64 object file format, program header.
 */
import { readFileSync, writeFileSync } from "node:fs";

const [program, loader] = process.argv.slice(2);
const bytes = readFileSync(program);
if (bytes.toString("latin1", 0, 6) !== "\x7fELF\x02\x01")
  throw new Error(`${program} is no 64-bit little-endian ELF file`);
const path = Buffer.from(`${loader}\0`);
const interp = 3;
const [start, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
const header = Array.from({ length: count }, (_, i) => start + i * size).find(
  (at) => bytes.readUInt32LE(at) === interp,
);
if (header === undefined) throw new Error(`${program} has no PT_INTERP`);
bytes.writeBigUInt64LE(BigInt(bytes.length), header + 8);
// The sizes in the file and in memory.
for (const field of [32, 40]) bytes.writeBigUInt64LE(BigInt(path.length), header + field);
writeFileSync(program, Buffer.concat([bytes, path]));
