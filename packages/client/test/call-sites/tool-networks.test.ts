import assert from "node:assert/strict";
import { readToolConfiguration } from "../../src/call-sites/tool-networks.ts";

const KEY = "a1".repeat(32);

describe("networks of other tools", () => {
  it("reads the networks and keys of TronBox", () => {
    const { networks, privateKeys, computed } = readToolConfiguration(
      "tronbox.js",
      `const port = process.env.HOST_PORT || 9090 // fullHost: "https://comment.test"
       module.exports = {
         networks: {
           mainnet: { privateKey: process.env.PRIVATE_KEY_MAINNET, feeLimit: 1000 * 1e6, fullHost: 'https://api.trongrid.io', network_id: '1' },
           "nile": { privateKey: "${KEY}", fullHost: "https://nile.trongrid.io" },
           node: { fullNode: 'http://127.0.0.1:8090', solidityNode: 'http://127.0.0.1:8091', eventServer: "http://127.0.0.1:8092" },
           development: { privateKey: '0000', fullHost: 'http://127.0.0.1:' + port },
           compilers: { solc: { version: '0.8.23' } },
         },
       }`,
    );

    assert.deepEqual(networks, [
      { name: "mainnet", url: "https://api.trongrid.io" },
      { name: "nile", url: "https://nile.trongrid.io" },
      { name: "node", url: "http://127.0.0.1:8090", solidityUrl: "http://127.0.0.1:8091" },
    ]);
    assert.deepEqual(privateKeys, [KEY]);
    assert.deepEqual(computed, ["development"]);
  });

  it("reads the networks of Hardhat, in TypeScript too", () => {
    const { networks, privateKeys } = readToolConfiguration(
      "hardhat.config.ts",
      `import type { HardhatUserConfig } from "hardhat/config";
       const config: HardhatUserConfig = { networks: {
         tron: { url: \`https://api.trongrid.io/jsonrpc\`, accounts: ["0x${KEY}"] },
         local: { host: "127.0.0.1", port: 9090 },
       } };
       export default config;`,
    );

    assert.deepEqual(networks, [
      { name: "tron", url: "https://api.trongrid.io/jsonrpc" },
      { name: "local", url: "http://127.0.0.1:9090" },
    ]);
    assert.deepEqual(privateKeys, [`0x${KEY}`]);
  });

  it("reads only the endpoints of Foundry", () => {
    const { networks } = readToolConfiguration(
      "foundry.toml",
      `[profile.default]\nhomepage = "https://example.org"\n[rpc_endpoints]\nnile = "https://nile.trongrid.io/jsonrpc" # a test\nmain = "\${RPC}"\n[etherscan]\nurl = "https://scan.test"`,
    );

    assert.deepEqual(networks, [{ name: "nile", url: "https://nile.trongrid.io/jsonrpc" }]);
  });

  it("reads URLs and keys of .env by their names", () => {
    const { networks, privateKeys } = readToolConfiguration(
      ".env",
      `# PRIVATE_KEY=${"b2".repeat(32)}\nexport NILE_URL='https://nile.trongrid.io'\nPRIVATE_KEY=${KEY} # mine\nTX=${"c3".repeat(32)}\n`,
    );

    assert.deepEqual(networks, [{ name: "NILE_URL", url: "https://nile.trongrid.io" }]);
    assert.deepEqual(privateKeys, [KEY]);
  });

  it("reads a broken or endless configuration without running it", () => {
    const marker = globalThis as { ran?: boolean };
    const evil = `globalThis.ran = true; module.exports = { networks: { x: { fullHost: (globalThis.ran = true, "https://a.test") }, y: { fullHost: "https://b.test" } } }`;
    assert.deepEqual(readToolConfiguration("tronbox.js", evil).networks, [{ name: "y", url: "https://b.test" }]);
    assert.equal(marker.ran, undefined);
    for (const text of [
      "networks: {",
      "networks = { a: { fullHost: 'https://",
      "{".repeat(50_000),
      "networks:".repeat(20_000),
      "",
    ])
      assert.deepEqual(readToolConfiguration("tronbox.js", text).networks, []);
    const many = Array.from({ length: 500 }, (_, at) => `n${at}: { url: "https://n${at}.test" }`).join();
    assert.equal(
      readToolConfiguration("hardhat.config.js", `module.exports = { networks: {${many}} }`).networks.length,
      100,
    );
  });
});
