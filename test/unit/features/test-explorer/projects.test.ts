import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandText, offsetOfTest, runnerCommand } from "../../../../src/features/test-explorer/projects.ts";

const samples = join(import.meta.dirname, "../../../../samples/projects");
const sample = (path: string): string => readFileSync(join(samples, path), "utf8");
const config = (text: string, name = "hardhat.config.js") => ({ name, text });

describe("runnerCommand", () => {
  it("runs the sample projects on a network whose URL is CHAIN_URL", () => {
    assert.deepEqual(
      runnerCommand(
        "hardhat",
        "test/vault.test.cjs",
        config(sample("hardhat/hardhat.config.cjs"), "hardhat.config.cjs"),
      ),
      { program: "hardhat", arguments: ["test", "test/vault.test.cjs", "--network", "tre"], port: 0 },
    );
    assert.deepEqual(
      runnerCommand("tronbox", "test/token.test.js", config(sample("tronbox/tronbox-config.js"), "tronbox-config.js")),
      { program: "tronbox", arguments: ["test", "test/token.test.js", "--network", "development"], port: 0 },
    );
    assert.deepEqual(runnerCommand("foundry", "test/Counter.t.sol", config("", "foundry.toml")), {
      ...{ program: "forge", arguments: ["test", "--json", "--match-path", "test/Counter.t.sol"], port: 0 },
    });
  });

  it("uses the port of a network of this computer", () => {
    const text = `module.exports = { networks: {
      mainnet: { url: "https://api.example" }, here: { url: "http://127.0.0.1:9090/jsonrpc" } } };`;

    const command = runnerCommand("hardhat", "test/a.js", config(text));

    assert.deepEqual(typeof command === "object" && [command.port, command.arguments.at(-1)], [9090, "here"]);
  });

  for (const [what, text] of [
    ["a public network", `networks: { mainnet: { url: "https://api.example" } }`],
    ["a host that begins like this computer", `networks: { dev: { url: "http://127.0.0.1.evil.example" } }`],
    ["a computed network of another name", "networks: { mainnet: { url: process.env.URL } }"],
    ["no network", ""],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.match(
        String(runnerCommand("hardhat", "test/a.js", config(`module.exports = { ${text} };`))),
        /no network/,
      );
    });
});

describe("commandText", () => {
  it("quotes arguments with other characters", () => {
    const words = ["test", "test/a b.js; rm", "--network", "tre"];

    assert.equal(
      commandText({ program: "hardhat", arguments: words, port: 0 }),
      'hardhat test "test/a b.js; rm" --network tre',
    );
  });
});

describe("offsetOfTest", () => {
  it("finds a title in any quotes, and a function", () => {
    assert.equal(offsetOfTest("hardhat", `it('a "b"', () => {})`, 'a "b"'), 3);
    assert.equal(offsetOfTest("hardhat", 'it("adds", () => {})', "adds"), 3);
    assert.equal(offsetOfTest("foundry", "function test_A() public", "test_A()"), 0);
    assert.equal(offsetOfTest("foundry", "function test_AB() public", "test_A()"), undefined);
    assert.equal(offsetOfTest("tronbox", "it(title)", "adds"), undefined);
  });
});
