import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";
import * as esbuild from "esbuild";
import { assembledModule } from "./assembled-module.mjs";
import { directImports } from "./direct-imports.mjs";
import { packedDictionary } from "./packed-dictionary.mjs";
import { spokenBy } from "./spoken-by.mjs";

const TARGET = "node22";

/**
 * Bundles one entry to CommonJS in `dist/<name>.js`, and every module of ours that it imports with `import()` to a
 * lazily required part of its own, `dist/<parts>/<path-of-the-module>.js`; code that several of them use is in
 * `dist/<parts>/shared-*.js`, once, so that a class is the same class in all of them.
 *
 * esbuild splits ES modules only. So it splits them first, and each piece is then turned into CommonJS by itself.
 *
 * @param {string} root
 * @param {{ name: string, entry: string, parts: string, language?: string }} bundle - `language`: the module that gives
 * the texts the language of the reader; without it they stay English
 */
export async function bundleInParts(root, { name, entry, parts, language }) {
  const options = splitting(root, parts, language === undefined ? [] : [spokenBy(join(root, language))]);
  const first = await esbuild.build({ ...options, entryPoints: { [name]: entry } });
  const lazy = lazyModules(first.metafile).map((path) => [`${parts}/${partName(path)}`, path]);
  const built = await esbuild.build({
    ...options,
    entryPoints: { [name]: entry, ...Object.fromEntries(lazy) },
  });
  const named = stableNames(built.metafile);
  /** @type {import("esbuild").Metafile} */
  const metafile = JSON.parse(named(JSON.stringify(built.metafile)));
  const pieces = new Map(
    built.outputFiles
      .filter(({ path }) => path.endsWith(".js"))
      .map(({ path, text }) => [named(relative(root, path)), named(text)]),
  );
  const eager = loadedWith(`dist/${name}.js`, metafile);
  await writeCommonJs(join(root, `dist/${name}.js`), await joined(pieces, eager));
  for (const [path, text] of pieces) {
    if (!eager.includes(path)) await writeCommonJs(join(root, path), text);
    else if (path !== eager[0]) writeFileSync(join(root, path), reference(path, eager, name));
  }
  return metafile;
}

const SHARED = /\bshared-[A-Z\d]{8}\b/g;

/**
 * Returns a function that names the shared pieces of a text by their modules. esbuild names them by a hash of their
 * text, whose minified names differ between two builds of the same sources. The length stays, for the source maps.
 *
 * @param {import("esbuild").Metafile} metafile
 * @returns {(text: string) => string}
 */
function stableNames({ outputs }) {
  const names = new Map(
    Object.entries(outputs).flatMap(([path, { inputs }]) => {
      const [old] = path.match(SHARED) ?? [];
      const hash = createHash("sha256").update(Object.keys(inputs).sort().join("\n")).digest("hex");
      return old === undefined || path.endsWith(".map") ? [] : [[old, `shared-${hash.slice(0, 8).toUpperCase()}`]];
    }),
  );
  return (text) => text.replaceAll(SHARED, (old) => names.get(old) ?? old);
}

/**
 * The pieces that are loaded with the entry, which comes first.
 *
 * @param {string} entry
 * @param {import("esbuild").Metafile} metafile
 */
function loadedWith(entry, { outputs }) {
  const seen = new Set([entry]);
  for (const piece of seen) {
    for (const { path, kind } of outputs[piece]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) seen.add(path);
    }
  }
  return [...seen];
}

/**
 * One ES module of all pieces that are loaded at once anyway: a scope of its own for each of them costs half a
 * kilobyte. Lazy parts find the shared ones in it by name.
 *
 * @param {Map<string, string>} pieces
 * @param {readonly string[]} eager
 */
async function joined(pieces, [entry = "", ...shared]) {
  const contents = [
    `export * from "./${entry}";`,
    ...shared.map((path) => `export * as ${exportName(path, [entry, ...shared])} from "./${path}";`),
  ].join("\n");
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: "/" },
    bundle: true,
    preserveSymlinks: true,
    format: "esm",
    platform: "node",
    target: TARGET,
    external: ["vscode"],
    sourcemap: "inline",
    sourcesContent: false,
    write: false,
    outfile: entry,
    logLevel: "warning",
    plugins: [fromPieces(pieces, [entry, ...shared])],
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * @param {Map<string, string>} pieces
 * @param {readonly string[]} eager
 * @returns {import("esbuild").Plugin}
 */
const fromPieces = (pieces, eager) => ({
  name: "pieces",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind }) => {
      const piece = normalize(join(dirname(importer), path));
      if (eager.includes(piece) && kind === "import-statement") return { path: piece, namespace: "piece" };
      // A lazy part is named as the entry has to name it, whichever piece asked for it.
      return { path: `./${relative(dirname(eager[0] ?? ""), piece)}`, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: "piece" }, ({ path }) => ({ contents: pieces.get(path) ?? "" }));
  },
});

/**
 * A short name for a shared piece: each of them stands in the entry several times.
 *
 * @param {string} path
 * @param {readonly string[]} eager
 */
const exportName = (path, eager) => {
  const index = eager.indexOf(path);
  return LETTERS[index] ?? `_${index.toString(36)}`;
};

/** Names of one letter; no entry exports one. */
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * What stands where a shared piece would, for the lazy parts that require it: by then the entry is loaded.
 *
 * @param {string} path
 * @param {readonly string[]} eager
 * @param {string} name
 */
const reference = (path, eager, name) => `module.exports=require("../${name}.js").${exportName(path, eager)}`;

/**
 * @param {string} root
 * @param {string} parts
 * @param {readonly import("esbuild").Plugin[]} plugins
 * @returns {import("esbuild").BuildOptions & { write: false, metafile: true }}
 */
function splitting(root, parts, plugins) {
  return {
    absWorkingDir: root,
    // Wherever the modules lie, they have the same paths, and the bundles the same bytes.
    preserveSymlinks: true,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // The CommonJS builds of some packages are what Node would load; ours is CommonJS in the end, too, but tree shaking
    // wants ESM.
    mainFields: ["module", "main"],
    target: TARGET,
    external: ["vscode"],
    // Also shortens the names by which parts import from each other: later each of them is minified alone.
    minify: true,
    chunkNames: `${parts}/shared-[hash]`,
    sourcemap: "inline",
    sourcesContent: false,
    write: false,
    metafile: true,
    logLevel: "warning",
    plugins: [
      oneParser,
      noNumberTable,
      noSchemaValidator,
      packedDictionary,
      assembledModule,
      directImports(root),
      ...plugins,
    ],
    // undici leaves its second, experimental HTTP parser out where it is bundled for Node itself; so do we.
    define: { esbuildDetection: "1" },
  };
}

/**
 * undici brings its HTTP parser twice: with and without SIMD. The form without it runs on every machine and is fast
 * enough for answers of a few kB; the other one would be 70 kB of WebAssembly more.
 *
 * @type {esbuild.Plugin}
 */
export const oneParser = {
  name: "one-parser",
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, resolveDir, kind }) =>
      build.resolve(path.replace("llhttp_simd-", "llhttp-"), { resolveDir, kind }),
    );
  },
};

/**
 * The MCP server loads a validator of JSON schemas for questions to the user of an agent. The tools ask none, and parse
 * their arguments themselves, so 130 kB are left out.
 *
 * @type {esbuild.Plugin}
 */
export const noSchemaValidator = {
  name: "no-schema-validator",
  setup(build) {
    build.onLoad({ filter: /modelcontextprotocol[/\\]sdk[/\\].*[/\\]ajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
        getValidator() {
          return () => ({ valid: false, data: undefined, errorMessage: "There is no validator." });
        }
      }`,
    }));
  },
};

/**
 * Without this, the library of instructions fills a table of 65,536 bigints when it is loaded: 2 MB, to convert texts
 * of two bytes.
 *
 * @type {esbuild.Plugin}
 */
export const noNumberTable = {
  name: "no-number-table",
  setup(build) {
    build.onLoad({ filter: /@ethereumjs[/\\]util[/\\]dist[/\\]esm[/\\]bytes\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        .replace(/^const BIGINT_CACHE = \[\];\nfor .*\n.*\n\}\n/m, "")
        .replaceAll(/BIGINT_CACHE\[bytes.*\];/g, "BigInt(hex);");
      if (contents.includes("BIGINT_CACHE[")) throw new Error("@ethereumjs/util fills its table in another way.");
      return { contents };
    });
  },
};

/**
 * The modules of ours that are imported lazily, anywhere below the entry.
 *
 * @param {import("esbuild").Metafile} metafile
 */
function lazyModules(metafile) {
  return Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(
      ({ kind, external, path }) => kind === "dynamic-import" && external !== true && /^(src|packages)\//.test(path),
    )
    .map(({ path }) => path);
}

/** @param {string} path */
const partName = (path) =>
  path
    .replace(/^src\/|^packages\/|\.[jt]s$/g, "")
    .replace("/src/", "/")
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
