import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { installSampleProjects } from "../../scripts/install/on-demand.mjs";
import { SAMPLE_PACKAGES, writeCompilerCaches } from "../support/samples/compiler-caches.ts";

const root = join(import.meta.dirname, "..", "..");
const projects = join(root, "samples", "projects");

/** Minutes for the first run, which downloads 490 MB. */
const INSTALL_MS = 600_000;
const PROJECT_MS = 120_000;

interface Project {
  readonly folder: string;
  readonly testFile: string;
}

const all: readonly Project[] = [
  { folder: "hardhat", testFile: "test/vault.test.cjs" },
  { folder: "tronbox", testFile: "test/token.test.js" },
  { folder: "tronweb", testFile: "test/poll.test.js" },
  { folder: "foundry", testFile: "test/counter.test.js" },
];

describe("sample projects", () => {
  let scratch: string;
  let compilers: Readonly<Record<string, string>>;
  let chain: LocalChain;

  before(async function () {
    this.timeout(INSTALL_MS);
    await installSampleProjects();
    scratch = mkdtempSync(join(tmpdir(), "finality-projects-"));
    compilers = writeCompilerCaches(join(scratch, "home"));
    chain = await startLocalChain({ tre: true, port: 0 });
  });
  after(async () => {
    await chain?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  for (const { folder, testFile } of all) {
    it(`runs the tests of ${folder} from a clean folder`, async () => {
      const copy = join(scratch, folder);
      cpSync(join(projects, folder), copy, { recursive: true });
      symlinkSync(SAMPLE_PACKAGES, join(copy, "node_modules"));

      const output = await npmTest(copy, { ...compilers, CHAIN_URL: chain.baseUrl });

      const tests = readFileSync(join(copy, testFile), "utf8").match(/^ {2}it\(/gm)?.length ?? 0;
      assert.ok(tests >= 3, `${testFile} has ${tests} tests`);
      assert.match(output, new RegExp(`^ {2}${tests} passing`, "m"));
    }).timeout(PROJECT_MS);

    it(`installs the packages that ${folder} names`, () => {
      const { devDependencies } = JSON.parse(readFileSync(join(projects, folder, "package.json"), "utf8"));
      const installed = Object.keys(devDependencies).map((name) => [
        name,
        JSON.parse(readFileSync(join(SAMPLE_PACKAGES, name, "package.json"), "utf8")).version,
      ]);

      assert.deepEqual(Object.fromEntries(installed), devDependencies);
    });
  }

  it("runs ethers of a Hardhat project by the plugin of the package", async () => {
    const copy = join(scratch, "plugin");
    cpSync(join(import.meta.dirname, "hardhat-project"), copy, { recursive: true });
    symlinkSync(SAMPLE_PACKAGES, join(copy, "node_modules"));
    const plugin = join(root, "packages", "local-chain", "hardhat.cjs");
    const [{ privateKey } = { privateKey: "" }] = chain.ready.accounts;

    const output = await npmTest(copy, {
      ...compilers,
      CHAIN_URL: chain.baseUrl,
      CHAIN_PLUGIN: plugin,
      PRIVATE_KEY: `0x${privateKey}`,
    });

    const tests = readFileSync(join(copy, "test", "maker.test.cjs"), "utf8").match(/^ {2}it\(/gm)?.length;
    assert.match(output, new RegExp(`^ {2}${tests} passing`, "m"));
  }).timeout(PROJECT_MS);

  it("leaves fixtures to hardhat-tron on a node without the chain's snapshots", async () => {
    await using node = await startOtherNode(chain.baseUrl);
    const copy = join(scratch, "other-node");
    cpSync(join(projects, "hardhat"), copy, { recursive: true });
    symlinkSync(SAMPLE_PACKAGES, join(copy, "node_modules"));
    const config = join(copy, "hardhat.config.cjs");
    const plugin = JSON.stringify(join(root, "packages", "local-chain", "hardhat.cjs"));
    writeFileSync(config, `${readFileSync(config, "utf8")}\nrequire(${plugin});\n`);

    const output = await npmTest(copy, { ...compilers, CHAIN_URL: node.url });

    assert.match(output, /^ {2}4 passing/m);
    assert.ok(node.methods.has("tre_revert"));
  }).timeout(PROJECT_MS);

  it("leaves out no project", () => {
    const folders = globSync("*/package.json", { cwd: projects }).map((file) => file.split("/")[0]);

    assert.deepEqual(folders.sort(), all.map(({ folder }) => folder).sort());
  });
});

interface OtherNode extends AsyncDisposable {
  readonly url: string;
  /** Methods that were called under `/tre`. */
  readonly methods: ReadonlySet<string>;
}

/** Starts a server that serves all of a chain but its control interface, as Docker's TRE does. */
async function startOtherNode(chainUrl: string): Promise<OtherNode> {
  const methods = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await text(request);
    if (path === "/tre") methods.add(JSON.parse(body).method);
    if (path.startsWith("/local")) return void response.writeHead(404).end();
    const hasBody = request.method === "POST" && { body, headers: { "content-type": "application/json" } };
    const answer = await fetch(chainUrl + path, { method: request.method ?? "GET", ...hasBody });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = promisify(server.close.bind(server));
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await close();
    },
  };
}

/** Runs the test command of a project and returns its output. Throws with the output if the command fails. */
async function npmTest(folder: string, variables: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...variables };
  const { stdout, stderr } = await promisify(execFile)("npm", ["test"], { cwd: folder, env });
  return `${stdout}${stderr}`;
}
