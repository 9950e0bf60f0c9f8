import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

/**
 * The dictionary of signatures is 49 kB of text, of which 17 kB are left when it is packed. The source stays text that
 * people can read.
 *
 * @type {import("esbuild").Plugin}
 */
export const packedDictionary = {
  name: "packed-dictionary",
  setup(build) {
    build.onLoad({ filter: /[/\\]abi[/\\]gen[/\\]known-signatures\.ts$/ }, ({ path }) => ({
      contents: packed(readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

/** @param {string} source */
function packed(source) {
  return source
    .replace(/(knownSignatures = )`([^`\\$]*)`/, (_, before, text) => {
      const data = brotliCompressSync(Buffer.from(text, "utf8")).toString("base64");
      return `${before}unpack("${data}").toString("utf8")`;
    })
    .concat(`
import { brotliDecompressSync } from "node:zlib";
function unpack(data: string): Buffer {
  return brotliDecompressSync(Buffer.from(data, "base64"));
}
`);
}
