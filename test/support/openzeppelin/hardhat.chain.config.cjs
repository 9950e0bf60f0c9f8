// Configuration of a clone of OpenZeppelin Contracts that run-suite.ts copies there: the clone's own one, and the network
// `tre`, which is the local chain through hardhat-tron and the chain's plugin. CHAIN_PLUGIN is the file of the plugin.
process.env.EVM = "cancun";
const config = require("./hardhat.config.js");
require("@openzeppelin/hardhat-tron");
if (process.env.CHAIN_PLUGIN) require(process.env.CHAIN_PLUGIN);

const { task } = require("hardhat/config");
const { TASK_TEST_SETUP_TEST_ENVIRONMENT } = require("hardhat/builtin-tasks/task-names");
const { HDNodeWallet } = require("ethers");

const WORDS = "test test test test test test test test test test test junk";

// hardhat-predeploy asks the node for its name, and puts its contracts on Hardhat's own network only.
task(TASK_TEST_SETUP_TEST_ENVIRONMENT).setAction(async (_, hre, runSuper) => {
  await runSuper();
  if (!hre.network.config.tron) return;
  const { setCode } = require("@nomicfoundation/hardhat-network-helpers");
  for (const [address, { name, abi, bytecode }] of Object.entries(hre.config.predeploy ?? {})) {
    await setCode(address, bytecode);
    const path = name.split(".");
    const last = path.pop();
    const parent = path.reduce((object, key) => (object[key] ??= {}), hre.predeploy);
    parent[last] = await hre.ethers.getContractAt(abi, address);
  }
});

module.exports = {
  ...config,
  networks: {
    ...config.networks,
    hardhat: { ...config.networks.hardhat, hardfork: "prague" },
    tre: {
      url: `${process.env.CHAIN_URL}/jsonrpc`,
      tron: true,
      accounts: [...Array(10).keys()].map((i) => HDNodeWallet.fromPhrase(WORDS, "", `m/44'/60'/0'/0/${i}`).privateKey),
    },
  },
  mocha: process.env.RESULT ? { reporter: "./result-reporter.cjs", timeout: 60_000 } : { timeout: 60_000 },
  // The memory of the compiler holds a part of the library: INCLUDE names its sources.
  tre: {
    autoStart: false,
    compiler: { target: "tron", include: (process.env.INCLUDE ?? "").split(",").filter(Boolean) },
  },
};
