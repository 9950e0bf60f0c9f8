import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path/posix";
import * as esbuild from "esbuild";

const TARGET = "node22";

/**
 * Bundles one entry to CommonJS in `dist/<name>.js`, and every module of ours that it imports with `import()` to a lazily required
 * part of its own, `dist/<parts>/<path-of-the-module>.js`; code that several of them use is in `dist/<parts>/shared-*.js`, once,
 * so that a class is the same class in all of them.
 *
 * esbuild splits ES modules only. So it splits them first, and each piece is then turned into CommonJS by itself.
 *
 * @param {string} root
 * @param {{ name: string, entry: string, parts: string }} bundle
 */
export async function bundleInParts(root, { name, entry, parts }) {
  const options = splitting(root, parts);
  const first = await esbuild.build({ ...options, entryPoints: { [name]: entry } });
  const lazy = lazyModules(first.metafile).map((path) => [`${parts}/${partName(path)}`, path]);
  const { outputFiles, metafile } = await esbuild.build({
    ...options,
    entryPoints: { [name]: entry, ...Object.fromEntries(lazy) },
  });
  const pieces = outputFiles.filter((file) => file.path.endsWith(".js"));
  await Promise.all(pieces.map((file) => writeCommonJs(file.path, file.text)));
  return metafile;
}

/**
 * @param {string} root
 * @param {string} parts
 * @returns {import("esbuild").BuildOptions & { write: false, metafile: true }}
 */
function splitting(root, parts) {
  return {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // The CommonJS builds of some packages are what Node would load; ours is CommonJS in the end, too, but tree shaking wants ESM.
    mainFields: ["module", "main"],
    target: TARGET,
    external: ["vscode"],
    chunkNames: `${parts}/shared-[hash]`,
    sourcemap: "inline",
    sourcesContent: false,
    write: false,
    metafile: true,
    logLevel: "warning",
  };
}

/**
 * The modules of ours that are imported lazily, anywhere below the entry.
 *
 * @param {import("esbuild").Metafile} metafile
 */
function lazyModules(metafile) {
  return Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external, path }) => kind === "dynamic-import" && external !== true && path.startsWith("src/"))
    .map(({ path }) => path);
}

/** @param {string} path */
const partName = (path) =>
  relative("src", path)
    .replace(/\.[jt]s$/, "")
    .replaceAll("/", "-");

/**
 * @param {string} file
 * @param {string} text
 */
async function writeCommonJs(file, text) {
  const { code, map } = await esbuild.transform(text, {
    format: "cjs",
    platform: "node",
    target: TARGET,
    // `import()` becomes a lazy `require`: it is faster, and it works in every extension host.
    supported: { "dynamic-import": false },
    define: {
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
      "import.meta.main": "isMainProgram",
    },
    banner: text.includes("import.meta.main") ? "const isMainProgram=require.main===module;" : "",
    minify: true,
    sourcemap: "external",
    sourcefile: file,
    logLevel: "warning",
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
  writeFileSync(`${file}.map`, map);
}
