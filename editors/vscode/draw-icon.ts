import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

// Draws `icon.png`: a line of code, its cursor, and ghost text after it. Run by hand with
// `npx tsx`, after a change.

/** A rectangle with round corners, in a square of 64. */
interface Bar {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly radius: number;
  readonly colour: readonly [red: number, green: number, blue: number];
}

const [blue, white, amber, green] = [
  [22, 50, 79],
  [242, 245, 248],
  [255, 180, 84],
  [127, 209, 174],
] as const;

const bars: readonly Bar[] = [
  { left: 2, top: 2, right: 62, bottom: 62, radius: 12, colour: blue },
  { left: 11, top: 15, right: 41, bottom: 21, radius: 3, colour: white },
  { left: 11, top: 29, right: 26, bottom: 35, radius: 3, colour: white },
  { left: 29, top: 26, right: 31.5, bottom: 38, radius: 1.2, colour: amber },
  { left: 34, top: 29, right: 53, bottom: 35, radius: 3, colour: green },
  { left: 16, top: 43, right: 45, bottom: 49, radius: 3, colour: green },
];

const size = 256;
const rows = Buffer.alloc(size * (1 + 4 * size));
for (let y = 0; y < size; y++) {
  for (let x = 0; x < size; x++) {
    const [scaledX, scaledY] = [((x + 0.5) * 64) / size, ((y + 0.5) * 64) / size];
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (const bar of bars) {
      const share = Math.min(1, Math.max(0, 0.5 - (distance(bar, scaledX, scaledY) * size) / 64));
      [red, green, blue] = [red, green, blue].map((old, i) =>
        alpha === 0 ? bar.colour[i]! : old + (bar.colour[i]! - old) * share,
      ) as [number, number, number];
      alpha = Math.max(alpha, share);
    }
    rows.set([red, green, blue, alpha * 255].map(Math.round), y * (1 + 4 * size) + 1 + 4 * x);
  }
}

const header = Buffer.alloc(13);
header.writeUInt32BE(size, 0);
header.writeUInt32BE(size, 4);
// Eight bits for each of red, green, blue and alpha.
header.set([8, 6, 0, 0, 0], 8);
const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
writeFileSync(join(import.meta.dirname, "icon.png"), Buffer.concat([signature, ...chunks]));

/** The distance of a point from a bar; negative inside. */
function distance({ left, top, right, bottom, radius }: Bar, x: number, y: number): number {
  const dx = Math.abs(x - (left + right) / 2) - (right - left) / 2 + radius;
  const dy = Math.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, check]);
}
