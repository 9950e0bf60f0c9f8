// Deploys every contract of the project with its internal functions exposed, and calls each function with values that do
// not depend on the network. Calls may fail: the coverage is compared, not the results.
const { ethers, artifacts } = require("hardhat");

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const GAS = 8_000_000n;
const LONGEST = 300;

/** Number of a text, the same in every run. */
function hashOf(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
}

function argumentOf(type, at, context) {
  const { baseType, arrayChildren, arrayLength, components = [] } = type;
  const pick = (values) => values[at % values.length];
  if (baseType === "array")
    return Array.from({ length: arrayLength < 0 ? at % 4 : arrayLength }, (_, index) =>
      argumentOf(arrayChildren, at + index, context),
    );
  if (baseType === "tuple") return components.map((it, index) => argumentOf(it, at + index, context));
  const [, kind, size] = /^([a-z]+)(\d*)$/.exec(baseType) ?? [];
  const bits = BigInt(size || 256);
  switch (kind) {
    case "uint":
      return pick([0n, 1n, 2n, 3n, 7n, 32n, 100n, 2n ** bits - 1n]) % 2n ** bits;
    case "int":
      return pick([0n, 1n, -1n, 5n, 100n, 2n ** (bits - 1n) - 1n, -(2n ** (bits - 1n))]);
    case "bool":
      return at % 2 === 0;
    case "address":
      return pick([context.signers[0], context.signers[1], context.self, ethers.ZeroAddress]);
    case "string":
      return pick(["", "a", "0x1f", "-12", "Text of more than thirty-two bytes, so that it has words of its own"]);
    case "bytes":
      return size
        ? ethers.hexlify(new Uint8Array(Number(size)).fill(pick([0, 1, 97])))
        : pick(["0x", "0x01", "0x6162", `0x${"c3".repeat(40)}`]);
    default:
      throw new Error(`There is no value of ${baseType}.`);
  }
}

function valuesOf(fragment, round, context) {
  return fragment.inputs.map((input, index) =>
    argumentOf(input, hashOf(fragment.name ?? "constructor") + round * (1 + (index % 3)) + index * 5, context),
  );
}

async function deploy(name, signers) {
  const factory = await ethers.getContractFactory(name);
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = { signers, self: signers[2] };
    try {
      const deployed = await factory.deploy(...valuesOf(factory.interface.deploy, round + 1, context), {
        gasLimit: GAS,
      });
      await deployed.waitForDeployment();
      return deployed;
    } catch {
      // The next values may fit.
    }
  }
  return undefined;
}

async function callAll(contract, signers) {
  const fragments = contract.interface.fragments.filter(({ type }) => type === "function");
  const context = { signers, self: await contract.getAddress() };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const fragment of fragments.slice(0, LONGEST)) {
      const method = contract.getFunction(fragment);
      const values = valuesOf(fragment, round, context);
      try {
        if (fragment.constant) await method.staticCall(...values, { gasLimit: GAS });
        else await (await method.send(...values, { gasLimit: GAS })).wait();
      } catch {
        // Many values are refused.
      }
    }
}

describe("contracts of the project", () => {
  let signers;

  before(async () => {
    signers = (await ethers.getSigners()).slice(0, 3).map((it) => it.address);
  });

  it("are called", async () => {
    const names = (await artifacts.getAllFullyQualifiedNames()).filter((it) => it.startsWith("contracts/exposed/"));
    for (const name of names.sort()) {
      const { bytecode } = await artifacts.readArtifact(name);
      if (bytecode === "0x") continue;
      const contract = await deploy(name, signers);
      if (contract !== undefined) await callAll(contract, signers);
    }
  });
});
