// Public development key of TronBox's runtime environment, which `finality-chain --tre` funds. Not for other networks.
const DEVELOPMENT_KEY = "dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5";

module.exports = {
  networks: {
    development: {
      privateKey: process.env.PRIVATE_KEY || DEVELOPMENT_KEY,
      fullHost: process.env.CHAIN_URL || "http://127.0.0.1:9090",
      feeLimit: 1_000_000_000,
      userFeePercentage: 100,
      network_id: "9",
    },
  },
  compilers: { solc: { version: "0.8.26" } },
  solc: { optimizer: { enabled: true, runs: 200 }, evmVersion: "shanghai" },
};
