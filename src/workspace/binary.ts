import { extensionOf } from "./workspace-path.ts";

/**
 * The extension, in lower case with its dot, by which `path` is a binary file; `undefined` for all
 * other paths. `.ts` and `.bin` are not decided by name but by their bytes, see {@link decodeText}.
 */
export function tryBinaryPath(path: string): string | undefined {
  const extension = extensionOf(path);
  return extensions.has(extension) ? `.${extension}` : undefined;
}

/**
 * The text that a file's bytes encode, or why they are none. A byte order mark stays in the text.
 */
export type DecodedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly detail: string }
  | { readonly kind: "not-utf-8"; readonly detail: string };

/**
 * Decodes bytes as UTF-8; never throws.
 *
 * `binary`: there is a NUL among the first 8,000 bytes, which is where git looks too, or more than
 * a tenth of them are other control characters. `not-utf-8`: UTF-16 or UTF-32, recognized by their
 * byte order mark, or an invalid sequence.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { kind: "not-utf-8", detail: `it is ${mark}` };
  const head = bytes.subarray(0, 8000);
  if (head.includes(0)) return { kind: "binary", detail: "it holds a NUL" };
  let controls = 0;
  for (const byte of head) {
    // Tab, line ends, form feed and escape occur in text files.
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  }
  if (controls * 10 > head.length) return { kind: "binary", detail: "it is full of control characters" };
  try {
    return { kind: "text", text: decoder.decode(bytes) };
  } catch {
    return { kind: "not-utf-8", detail: "it has bytes that no UTF-8 text has" };
  }
}

// Despite its name, `ignoreBOM: true` keeps the byte order mark in the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16";
  if (a === 0xfe && b === 0xff) return "UTF-16";
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? "UTF-32" : undefined;
}

const extensions = new Set(
  [
    // Images, audio, video, fonts.
    "png jpg jpeg jpe gif bmp ico icns webp avif heic heif tif tiff psd ai eps raw cr2 nef xcf sketch fig",
    "mp3 wav ogg oga flac aac m4a wma aiff mid midi mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp",
    "ttf otf woff woff2 eot ttc pfb",
    // Archives and packages.
    "zip gz tgz bz2 tbz xz txz 7z rar tar zst lz4 lzma br cab iso dmg img deb rpm apk ipa msi whl egg jar war ear nupkg vsix crx xpi gem phar",
    // Programs and the output of compilers.
    "exe dll so dylib a o obj lib pdb ilk exp class pyc pyo pyd elc beam wasm node rlib rmeta bc hi cmi cmo cmx cmxa dex ko sys nib",
    // Documents, data and models.
    "pdf doc docx xls xlsx xlsm ppt pptx odt ods odp pages numbers epub mobi",
    "sqlite sqlite3 db db3 mdb accdb frm myd ibd parquet avro orc feather arrow npy npz mat h5 hdf5 rds rdata pkl pickle joblib",
    "onnx safetensors gguf ggml pt pth ckpt tflite pb caffemodel mlmodel",
    "blend fbx glb stl 3ds max dwg swf fla unitypackage uasset umap pak",
  ].flatMap((line) => line.split(" ")),
);
