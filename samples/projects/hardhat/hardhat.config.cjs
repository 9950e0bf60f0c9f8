require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-chai-matchers");
require("@openzeppelin/hardhat-tron");

// Public development key of TronBox's runtime environment, which `finality-chain --tre` funds. Not for other networks.
const DEVELOPMENT_KEY = "0xdd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5";

module.exports = {
  solidity: { version: "0.8.26", settings: { evmVersion: "shanghai", optimizer: { enabled: true, runs: 200 } } },
  defaultNetwork: "tre",
  networks: {
    tre: {
      url: `${process.env.CHAIN_URL ?? "http://127.0.0.1:9090"}/jsonrpc`,
      tron: true,
      accounts: [process.env.PRIVATE_KEY ?? DEVELOPMENT_KEY],
    },
  },
  tre: { autoStart: false },
};
