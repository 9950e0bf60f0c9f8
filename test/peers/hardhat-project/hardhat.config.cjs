require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-chai-matchers");
require("@openzeppelin/hardhat-tron");
require(process.env.CHAIN_PLUGIN);

module.exports = {
  solidity: { version: "0.8.26", settings: { evmVersion: "shanghai" } },
  defaultNetwork: "tre",
  networks: { tre: { url: `${process.env.CHAIN_URL}/jsonrpc`, tron: true, accounts: [process.env.PRIVATE_KEY] } },
  tre: { autoStart: false },
};
