import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..");
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

describe("the package of the chain", () => {
  let folder: string;
  let installed: string;

  before(function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), "finality-chain-test-"));
    installed = join(folder, "node_modules", "@finality", "local-chain");
    const pack = [join(root, "scripts", "package-chain.mjs"), folder];
    const archive = execFileSync(process.execPath, pack, {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "project", private: true }));
    const install = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", archive.trim()];
    execFileSync("npm", install, { cwd: folder, env, stdio: "ignore" });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("runs as finality-chain, and answers", async () => {
    const program = join(folder, "node_modules", ".bin", "finality-chain");
    const child = spawn(program, ["--port", "0"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    const health = await (await fetch(`${baseUrl}/healthcheck`)).text();
    child.kill("SIGTERM");

    assert.equal(health, "OK");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  it("starts a chain in the process that imports it", () => {
    const script = `
      import { startLocalChain } from "@finality/local-chain";
      const chain = await startLocalChain({ port: 0, accounts: 1 });
      const response = await fetch(chain.baseUrl + "/wallet/getnowblock", { method: "POST", body: "{}" });
      console.log(JSON.stringify({ status: response.status, accounts: chain.ready.accounts.length }));
      await chain.close();`;
    writeFileSync(join(folder, "start.mjs"), script);
    const output = execFileSync(process.execPath, ["start.mjs"], { cwd: folder, encoding: "utf8", env });

    assert.deepEqual(JSON.parse(output), { status: 200, accounts: 1 });
  });

  it("has types that fit such a script", () => {
    const script = `
      import { startLocalChain, type LocalChain } from "@finality/local-chain";
      import "@finality/local-chain/hardhat";
      const chain: LocalChain = await startLocalChain({ port: 0, tre: true });
      const address: string | undefined = chain.ready.accounts[0]?.address;
      console.log(chain.baseUrl, address);
      await chain.close();`;
    writeFileSync(join(folder, "start.mts"), script);
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024", "start.mts"];
    const output = execFileSync(process.execPath, [tsc, ...flags, "--lib", "es2024,dom"], {
      cwd: folder,
      encoding: "utf8",
    });

    assert.equal(output, "");
  }).timeout(60_000);

  it("has the Hardhat plugin, which reports the package that a project lacks", () => {
    const script = `try { require("@finality/local-chain/hardhat"); } catch ({ code, message }) { console.log(code, message); }`;
    const output = execFileSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8", env });

    assert.match(output, /^MODULE_NOT_FOUND .*hardhat\/config/);
  });

  it("has the flags in its help that its README names", () => {
    const program = join(installed, "local-chain.js");
    const help = execFileSync(process.execPath, [program, "--help"], { encoding: "utf8", env });
    const readme = readFileSync(join(installed, "README.md"), "utf8");

    const flags = new Set(readme.match(/(?<![\w-])--[a-z][a-z-]+/g));
    const foreign = ["--save-dev", "--silent", "--retry", "--retry-connrefused", "--retry-delay", "--network"];
    const named = [...flags].filter((flag) => !foreign.includes(flag));

    assert.ok(named.includes("--tre"));
    assert.deepEqual(
      named.filter((flag) => !new RegExp(`^ +.*${flag}\\b`, "m").test(help)),
      [],
    );
  });
});
