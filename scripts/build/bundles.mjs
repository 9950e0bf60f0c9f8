import { existsSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { languages, textsOfSources } from "../words/bundles.mjs";
import { bundleInParts } from "./bundle-in-parts.mjs";
import { spokenBy } from "./spoken-by.mjs";
import { usedIconsOnly } from "./used-icons-only.mjs";

/**
 * Builds all bundles whose entry exists. Writes `.cache/build.json`, the metafiles by bundle, for the tests of the
 * bundles.
 *
 * @param {string} root
 */
export async function build(root) {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const bundles = [
    { name: "extension", entry: "src/extension.ts", parts: "parts", language: "./src/host/language.ts" },
    { name: "local-chain", entry: "packages/local-chain/src/main.ts", parts: "local-chain-parts" },
    { name: "agent-pipe", entry: "src/host/agents/agent-pipe.ts", parts: "agent-pipe-parts" },
    {
      name: "artifact-worker",
      entry: "src/host/artifacts/artifact-worker.ts",
      parts: "artifact-worker-parts",
      language: "./src/host/artifacts/worker-language.ts",
    },
  ];
  const present = bundles.filter(({ entry }) => existsSync(join(root, entry)));
  const metafiles = await Promise.all([
    ...present.map(async (bundle) => [bundle.name, await bundleInParts(root, bundle)]),
    ...pages(root).map(async (entry) => [`media/${basename(dirname(entry))}`, await bundlePage(root, entry)]),
  ]);
  writePageWords(root);
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(metafilePath(root), JSON.stringify(Object.fromEntries(metafiles)));
  return {
    notices: bundles.filter((one) => !present.includes(one)).map(({ entry }) => `${entry} is not there yet: left out`),
    sizes: Object.fromEntries(
      globSync("dist/**/*.{js,css}", { cwd: root })
        .sort()
        .map((file) => [file, statSync(join(root, file)).size]),
    ),
  };
}

/**
 * Builds only when a source, a dependency or the build itself is newer than the last build.
 *
 * @param {string} root
 */
export async function buildIfStale(root) {
  const built = modified(metafilePath(root));
  const inputs = globSync(
    ["src/**/*", "packages/*/src/**/*", "media/**/*", "l10n/*", "scripts/build/*", "package-lock.json"],
    { cwd: root },
  );
  if (inputs.every((file) => modified(join(root, file)) < built)) return;
  console.error("Building …");
  await build(root);
}

/**
 * A page cannot ask the editor for words: it loads a script with those of its language, of the texts of pages alone.
 *
 * @param {string} root
 */
function writePageWords(root) {
  const texts = textsOfSources(root, "media/**/*.ts");
  for (const { language, words } of languages(root)) {
    const shown = Object.fromEntries(texts.flatMap((text) => (words[text] === undefined ? [] : [[text, words[text]]])));
    writeFileSync(
      join(root, `dist/media/words.${language}.js`),
      `globalThis.finalityWords=${JSON.stringify(shown)};\n`,
    );
  }
}

/** @param {string} root */
export const metafilePath = (root) => join(root, ".cache", "build.json");

/** @param {string} file */
const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** @param {string} root */
const pages = (root) => globSync("media/*/main.ts", { cwd: root }).sort();

/**
 * A page of a webview: `media/decoder/main.ts` becomes `dist/media/decoder.js`, and the style sheets it imports
 * `decoder.css`.
 *
 * @param {string} root
 * @param {string} entry
 */
async function bundlePage(root, entry) {
  const result = await esbuild.build({
    absWorkingDir: root,
    preserveSymlinks: true,
    entryPoints: { [`media/${basename(dirname(entry))}`]: entry },
    outdir: "dist",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "chrome130",
    loader: { ".ttf": "file" },
    assetNames: "media/[name]",
    plugins: [usedIconsOnly(root), spokenBy(join(root, "media/shared/language.ts"))],
    minify: true,
    sourcemap: "external",
    metafile: true,
    logLevel: "warning",
  });
  return result.metafile;
}
