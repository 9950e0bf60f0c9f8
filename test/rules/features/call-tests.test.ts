import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callSitesInCallFile } from "../../../packages/client/src/call-sites/find-call-sites.ts";
import { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { summarise } from "../../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex } from "../../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { readArtifact } from "../../../packages/tron/src/abi/artifacts/read-artifact.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../src/features/energy-hints/call-tests.ts");
const { runCallTests } = await loadWithEditor<TestedModule>("src/features/energy-hints/call-tests.ts");

const root = join(import.meta.dirname, "../../..");
const TESTS = readFileSync(join(root, "samples/tests/leaf.finality.jsonc"), "utf8");
const PATH = "build/contracts/Leaf.json";

function leaf() {
  const artifact = readArtifact(readFileSync(join(root, "samples", PATH), "utf8"), PATH);
  assert.ok(artifact.kind === "artifact");
  const index = new ArtifactIndex();
  index.put(summarise(PATH, artifact.contents, new Map()));
  return { index, bytecode: artifact.contents.contracts[0]?.bytecode };
}

/** Runs all calls of a call file. Returns the results, and the URLs of the chains that answered. */
async function run(text: string) {
  const { index, bytecode } = leaf();
  const urls: string[] = [];
  const at = async (network: NetworkProfile) => {
    urls.push(network.baseUrl);
    return createHttpGateway(network, { clock: new FakeClock(), random: () => 0 });
  };
  const services = {
    chainProgram: join(root, "packages/local-chain/src/main.ts"),
    networks: { active: undefined, find: () => undefined, list: () => [] },
    chains: { known: () => undefined },
    transactions: { ready: async () => undefined },
    artifacts: { get: async () => ({ bytecodeOf: async () => bytecode }) },
    gateways: { at, for: at },
  };
  const hints = { open: async () => undefined, index, contextOf: () => undefined };
  const indexes = callSitesInCallFile(text).map((_, at) => at);
  const results = [];
  for await (const finished of runCallTests(
    services as never,
    hints as never,
    text,
    indexes,
    new AbortController().signal,
  ))
    results.push(finished.result);
  return { results, urls };
}

describe("runCallTests", () => {
  it("deploys the setup on a chain of its own, which ends with the run", async () => {
    const { results, urls } = await run(TESTS);

    assert.deepEqual(
      results.map((result) => (result.kind === "failed" ? result.differences : result.kind)),
      ["passed", "passed", "passed", "passed"],
    );
    assert.equal(urls.length, 1);
    await assert.rejects(fetch(`${urls[0]}/local/status`));
  }).timeout(20_000);

  it("reports each value that differs", async () => {
    const { results } = await run(TESTS.replace('"result": 300', '"result": 299'));

    const [first] = results;
    assert.ok(first?.kind === "failed");
    assert.deepEqual([first.differences[0]?.expected, first.differences[0]?.actual], ["299", "300"]);
  }).timeout(20_000);

  it("names the step of the setup that fails, for each test", async () => {
    const { results } = await run(TESTS.replace('"arguments": ["Bob", "300"]', '"arguments": ["Bob", "30000000"]'));

    assert.equal(results.length, 4);
    for (const result of results)
      assert.match(result.kind === "unusable" ? result.reason : "", /^step 2 of the setup: it fails: NotEnoughLeaves/);
  }).timeout(20_000);

  it("starts no chain for a file that names another network", async () => {
    const { results, urls } = await run(TESTS.replace('"setup"', '"network": "Nile", "setup"'));

    assert.deepEqual(urls, []);
    assert.match(results[0]?.kind === "unusable" ? results[0].reason : "", /no network "Nile"/);
  });
});
