// Project with contracts of OpenZeppelin, whose coverage test/peers/hardhat-coverage.test.ts compares.
const { HDNodeWallet } = require("ethers");
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");

require("@nomicfoundation/hardhat-ethers");
if (process.env.EXPOSE !== undefined) require("hardhat-exposed");
require("solidity-coverage");
const isChain = process.env.CHAIN_URL !== undefined;
if (isChain) {
  require("@openzeppelin/hardhat-tron");
  require(process.env.CHAIN_PLUGIN);
}

// The compiler of the package, in place of a download.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD).setAction(async ({ solcVersion }) => {
  const longVersion = require("solc").version().replace(".Emscripten.clang", "");
  return { compilerPath: require.resolve("solc/soljson.js"), isSolcJs: true, version: solcVersion, longVersion };
});

const WORDS = "test test test test test test test test test test test junk";
const accounts = [...Array(3).keys()].map((i) => HDNodeWallet.fromPhrase(WORDS, "", `m/44'/60'/0'/0/${i}`).privateKey);

module.exports = {
  solidity: { version: "0.8.26", settings: { evmVersion: "cancun" } },
  networks: {
    hardhat: { allowUnlimitedContractSize: true },
    ...(isChain && { tre: { url: `${process.env.CHAIN_URL}/jsonrpc`, tron: true, accounts } }),
  },
  tre: { autoStart: false, compiler: { disabled: true } },
  mocha: { timeout: 3_600_000 },
};
