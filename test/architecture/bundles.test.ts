import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Metafile } from "esbuild";
import { ArtifactIndex } from "../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { ArtifactReader } from "../../src/host/artifacts/artifact-reader.ts";

const root = join(import.meta.dirname, "..", "..");
const kB = 1000;

/** Returns the metafiles of the last build. */
const metafiles = (): Record<string, Metafile> => JSON.parse(readFileSync(join(root, ".cache", "build.json"), "utf8"));
const size = (file: string): number => statSync(join(root, file)).size;
const shipped = globSync(["dist/**/*.js", "dist/**/*.css", "dist/**/*.ttf"], { cwd: root });

/** Returns a file and the files that it loads eagerly. */
function loadedWith(file: string, { outputs }: Metafile, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind !== "dynamic-import" && path in outputs && !seen.has(path))
      loadedWith(path, { inputs: {}, outputs }, seen);
  }
  return seen;
}

/** Returns the sources that contribute code to some bundles. */
function contents(files: Iterable<string>, { outputs }: Metafile): string[] {
  return [...files].flatMap((file) =>
    Object.entries(outputs[file]?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
  );
}

function metafile(name: string): Metafile {
  const found = metafiles()[name];
  assert.ok(found, `the bundle ${name} was not built`);
  return found;
}

/**
 * Returns true for the file of a shared part that is inside the entry. Lazy parts find it by this file; nothing loads the
 * file at activation.
 */
function isReference(file: string): boolean {
  return readFileSync(join(root, file), "utf8").startsWith('module.exports=require("../extension.js")');
}

describe("bundles", () => {
  it("load at most 127 kB at activation", () => {
    const files = [...loadedWith("dist/extension.js", metafile("extension"))].filter((file) => !isReference(file));
    const sizes = files.map(size);

    assert.ok(sizes.reduce((sum, one) => sum + one, 0) <= 127 * kB, `${files} have ${sizes} bytes`);
  });

  it("load network, keys, schema and chain lazily", () => {
    const built = metafile("extension");

    const eager = contents(loadedWith("dist/extension.js", built), built).filter((file) =>
      /node_modules\/(undici|jose|@noble|@bufbuild)\/|^src\/local-chain\//.test(file),
    );

    assert.deepEqual(eager, []);
  });

  it("exclude the local chain from the extension", () => {
    const built = metafile("extension");

    assert.deepEqual(
      contents(Object.keys(built.outputs), built).filter((file) => /^src\/local-chain\/|@ethereumjs/.test(file)),
      [],
    );
  });

  it("have at most 3.2 MB without the local chain, and 4.15 MB with it", () => {
    metafile("local-chain");
    const weight = (files: readonly string[]) => files.reduce((sum, file) => sum + size(file), 0);

    const withoutChain = weight(shipped.filter((file) => !file.startsWith("dist/local-chain")));
    assert.ok(withoutChain > 0 && withoutChain <= 3200 * kB, `${withoutChain} bytes without the chain`);
    assert.ok(weight(shipped) <= 4150 * kB, `${weight(shipped)} bytes in all`);
  });

  it("contain ASCII only where they are loaded at each start, which V8 stores in half of the memory", () => {
    const started = globSync(["dist/*.js", "dist/local-chain-parts/*.js"], { cwd: root });

    const others = started.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(root, file), "utf8")));
    assert.ok(started.length > 3, "the bundles were not built");
    assert.deepEqual(others, []);
  });

  it("fill no table of 65,536 bigints when code of a contract runs first", () => {
    const filled = globSync("dist/local-chain-parts/*.js", { cwd: root }).filter((file) =>
      readFileSync(join(root, file), "utf8").includes("256*256-1"),
    );
    assert.deepEqual(filled, []);
  });

  it("contain every output of the last build", () => {
    const missing = Object.values(metafiles())
      .flatMap(({ outputs }) => Object.keys(outputs))
      .filter((file) => !file.endsWith(".map") && !existsSync(join(root, file)));

    assert.deepEqual(missing, []);
  });

  it("require only files that exist", () => {
    const scripts = globSync("dist/**/*.js", { cwd: root });
    const required = scripts.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/require\("(\.\.?\/[^"]+)"\)/g)].map(([, path = ""]) =>
        join(dirname(file), path),
      ),
    );

    assert.ok(required.length > 0, "no file is required");
    assert.deepEqual(
      required.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  it("report the artifact worker's errors in the display language", async () => {
    const program = join(root, "dist", "artifact-worker.js");
    const bytes = Buffer.from("{");
    const reasons = [];
    for (const words of [undefined, { "it is not JSON ({0})": "它不是 JSON（{0}）" }]) {
      const reader = new ArtifactReader(program, words);
      const intake = await reader.takeIn({ path: "build/A.json", file: "", bytes }, new ArtifactIndex());
      reasons.push(intake.kind === "broken" ? intake.reason.slice(0, 8) : intake.kind);
      await reader.close();
    }

    assert.deepEqual(reasons, ["it is no", "它不是 JSON"]);
  });
});
