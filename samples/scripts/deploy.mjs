// `npm run deploy [-- URL]`: puts Leaf and TeaHouse on the local chain and writes deployments/local.json.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_URL, mine, people, receiptOf } from "./local-chain.mjs";

const root = join(import.meta.dirname, "..");
const FEE_LIMIT = 1_000_000_000;
const SUPPLY = "1000000000000";
const PRICE_OF_A_CUP = "2000000";

/**
 * Deploys both contracts as Alice. Bob and Carol get some leaves, Bob lets Carol and the tea house take his, and he has had a first cup.
 *
 * @param {string} baseUrl
 */
export async function deploy(baseUrl) {
  const { Alice, Bob, Carol } = await people(baseUrl);
  const leaf = await create(baseUrl, Alice, { name: "Leaf", parameters: [SUPPLY] });
  const house = await create(baseUrl, Alice, { name: "TeaHouse", parameters: [leaf.address, PRICE_OF_A_CUP] });
  const { abi } = artifactOf("Leaf");
  const ofAlice = Alice.tronWeb.contract(abi, leaf.address);
  await ofAlice.methods.transfer(Bob.address, "100000000").send({ feeLimit: 30_000_000 });
  await ofAlice.methods.transfer(Carol.address, "50000000").send({ feeLimit: 30_000_000 });
  const ofBob = Bob.tronWeb.contract(abi, leaf.address);
  await ofBob.methods.approve(Carol.address, "5000000").send({ feeLimit: 30_000_000 });
  await ofBob.methods.approve(house.address, "20000000").send({ feeLimit: 30_000_000 });
  const tables = Bob.tronWeb.contract(artifactOf("TeaHouse").abi, house.address);
  await tables.methods.order([["Sencha", 1]]).send({ feeLimit: 50_000_000, callValue: 2_000_000 });
  await mine(baseUrl);
  const { blockID: genesis } = await Alice.tronWeb.trx.getBlock(0);
  return { network: "Local chain", baseUrl, genesis, contracts: { Leaf: leaf, TeaHouse: house } };
}

/** What the compiler made of a contract. */
export function artifactOf(name) {
  return JSON.parse(readFileSync(join(root, "build", "contracts", `${name}.json`), "utf8"));
}

/** Where the contracts are, by the last deployment. */
export function deployments() {
  return JSON.parse(readFileSync(join(root, "deployments", "local.json"), "utf8"));
}

/**
 * @template {object} Deployments
 * @param {Deployments} record
 */
export function writeDeployments(record) {
  mkdirSync(join(root, "deployments"), { recursive: true });
  writeFileSync(join(root, "deployments", "local.json"), `${JSON.stringify(record, undefined, 2)}\n`);
  return record;
}

async function create(baseUrl, { address: owner, tronWeb }, { name, parameters }) {
  const { abi, bytecode } = artifactOf(name);
  const options = { abi, bytecode, name, parameters, feeLimit: FEE_LIMIT, userFeePercentage: 100, originEnergyLimit: 10_000_000 };
  const unsigned = await tronWeb.transactionBuilder.createSmartContract(options, owner);
  await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
  const { receipt, contract_address: address } = await receiptOf(baseUrl, tronWeb, unsigned.txID);
  if (receipt.result !== "SUCCESS") throw new Error(`${name} was not deployed: ${receipt.result}.`);
  return {
    address: tronWeb.address.fromHex(address),
    artifact: `build/contracts/${name}.json`,
    arguments: parameters,
    transaction: unsigned.txID,
  };
}

if (process.argv[1] === import.meta.filename) {
  const record = writeDeployments(await deploy(process.argv[2] ?? DEFAULT_URL));
  for (const [name, { address }] of Object.entries(record.contracts)) console.log(`${name.padEnd(9)} ${address}`);
}
