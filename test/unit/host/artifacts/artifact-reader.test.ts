import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selectorOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { ArtifactIndex } from "../../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { ArtifactReader, MAXIMUM_BYTES } from "../../../../src/host/artifacts/artifact-reader.ts";
import { generatedArtifact } from "../../../support/samples/generated-artifacts.ts";

const WORKER = join(import.meta.dirname, "../../../../src/host/artifacts/artifact-worker.ts");

describe("ArtifactReader", () => {
  const folder = mkdtempSync(join(tmpdir(), "finality-reader-"));
  const index = new ArtifactIndex();
  const reader = new ArtifactReader(WORKER);
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return { path: `artifacts/${name}`, file };
  };

  after(async () => {
    await reader.close();
    rmSync(folder, { recursive: true });
  });

  it("adds the names of a file to the index", async () => {
    const intake = await reader.takeIn(write("G1.json", generatedArtifact(1, 20_000)), index);

    assert.deepEqual(intake, { kind: "names" });
    assert.equal(index.lookup(selectorOf("Error1x0(address)"))[0]?.origin, "Generated1 (artifacts/G1.json)");
  });

  it("F8: reads a UTF-16 file", async () => {
    const bytes = Buffer.from(`\uFEFF${generatedArtifact(8, 2_000)}`, "utf16le");

    assert.deepEqual(await reader.takeIn({ path: "artifacts/G8.json", file: "", bytes }, index), { kind: "names" });
    assert.equal(index.lookup(selectorOf("Error8x0(address)")).length, 1);
    index.remove("artifacts/G8.json");
  });

  it("reads given bytes of a virtual folder", async () => {
    const bytes = Buffer.from(generatedArtifact(2, 20_000));

    await reader.takeIn({ path: "artifacts/G2.json", file: "", bytes }, index);

    assert.equal(index.lookup(selectorOf("Error2x0(address)")).length, 1);
  });

  it("replaces earlier names by those of a large build", async () => {
    const abi = JSON.parse(generatedArtifact(3, 20_000)).abi;
    const contracts = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`C${at}`, { abi }]));
    const build = JSON.stringify({ contracts: { "a.sol": contracts } });

    await reader.takeIn(write("G1.json", build), index);

    assert.equal(index.contractsNamed("C119").length, 1);
    assert.equal(index.contracts.length, 121);
    assert.deepEqual(index.lookup(selectorOf("Error1x0(address)")), []);
  });

  it("reports a broken or missing file, and removes its names", async () => {
    await reader.takeIn(write("G4.json", generatedArtifact(4, 20_000)), index);

    const broken = await reader.takeIn(write("G4.json", '{"abi":['), index);
    const gone = await reader.takeIn({ path: "artifacts/none.json", file: join(folder, "none.json") }, index);

    assert.equal(broken.kind, "broken");
    assert.equal(gone.kind, "broken");
    assert.deepEqual(index.lookup(selectorOf("Error4x0(address)")), []);
  });

  it("skips large files", async () => {
    const large = write("large.json", "");
    truncateSync(large.file, MAXIMUM_BYTES + 1);

    const intake = await reader.takeIn(large, index);

    assert.match(intake.kind === "broken" ? intake.reason : "", /^it has 33554433 bytes, more than 33554432$/);
  });

  it("ignores other JSON", async () => {
    assert.deepEqual(await reader.takeIn(write("package.json", '{"name":"x"}'), index), { kind: "foreign" });
  });

  it("reads the bytecode of a contract", async () => {
    const artifact = { contractName: "Leaf", abi: [], bytecode: "0x6001" };
    const leaf = write("Leaf.json", JSON.stringify(artifact));

    assert.equal(await reader.bytecode(leaf, "Leaf"), "6001");
    assert.equal(await reader.bytecode(leaf, "Other"), undefined);
  });

  it("L5: rejects deeply nested JSON and continues with other files", async () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const abi = `[{"type":"error","name":"Deep","inputs":[],"x":${deep(100_000)}}]`;

    for (const content of [`{"contractName":"D","abi":${abi}}`, deep(1_000_000), `{"abi":${"[".repeat(1_000_000)}`]) {
      const intake = await reader.takeIn(write("Deep.json", content), index);
      assert.deepEqual(intake, { kind: "broken", reason: "its brackets are nested more than 256 deep" });
    }
    assert.deepEqual(await reader.takeIn(write("G7.json", generatedArtifact(7, 20_000)), index), { kind: "names" });
  });

  it("L6: reads no pipe, device or folder", async () => {
    const pipe = join(folder, "Pipe.json");
    execFileSync("mkfifo", [pipe]);

    for (const file of [pipe, "/dev/zero", folder]) {
      const intake = await reader.takeIn({ path: "artifacts/X.json", file }, index);
      assert.deepEqual(intake, { kind: "broken", reason: "it is not a regular file but a pipe, a device or a folder" });
    }
  });

  it("L6: follows links only inside the workspace", async () => {
    const [root, outside] = [join(folder, "workspace"), join(folder, "workspace-elsewhere")];
    for (const it of [root, outside]) mkdirSync(it);
    const content = generatedArtifact(8, 20_000);
    for (const it of [root, outside]) writeFileSync(join(it, "Real.json"), content);
    symlinkSync(join(outside, "Real.json"), join(root, "Out.json"));
    symlinkSync(outside, join(root, "folder"));
    symlinkSync(join(root, "Real.json"), join(root, "In.json"));
    const read = (name: string) => reader.takeIn({ path: name, file: join(root, name), root }, index);

    for (const name of ["Out.json", "folder/Real.json"]) {
      assert.deepEqual(await read(name), { kind: "broken", reason: "it is a link to a file outside of the workspace" });
    }
    assert.deepEqual(await read("In.json"), { kind: "names" });
  });
});
