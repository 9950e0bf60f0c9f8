// `npm run visit [-- URL]`: an evening at the tea house. Each line that ends in send or call is a transaction or a question.

import { artifactOf, deployments } from "./deploy.mjs";
import { people, receiptOf } from "./local-chain.mjs";

/**
 * @param {string} baseUrl
 * @param {{ contracts: Record<string, { address: string }> }} deployed
 * @param {(line: string) => void} say
 */
export async function visit(baseUrl, { contracts }, say) {
  const { Bob, Dave } = await people(baseUrl);
  const leaf = Bob.tronWeb.contract(artifactOf("Leaf").abi, contracts.Leaf.address);
  const house = Bob.tronWeb.contract(artifactOf("TeaHouse").abi, contracts.TeaHouse.address);
  const told = async (what, txId) => {
    const lines = linesOf(what, await receiptOf(baseUrl, Bob.tronWeb, txId));
    for (const line of lines) say(line);
  };

  // A first leaf costs more than the next ones: Dave has none yet.
  await told("Bob gives Dave a leaf", await leaf.methods.transfer(Dave.address, 1_000_000).send({ feeLimit: 15_000_000 }));
  await told("… and another one", await leaf.methods.transfer(Dave.address, 1_000_000).send({ feeLimit: 15_000_000 }));
  say(`Dave has ${Number(await leaf.methods.balanceOf(Dave.address).call()) / 1e6} leaves.`);

  // Coins on the way, and a list of structs.
  const lines = [["Sencha", 2], ["Oolong", 1]];
  await told("Bob orders three cups", await house.methods.order(lines).send({ feeLimit: 50_000_000, callValue: 6_000_000 }));
  await told("Bob pays a cup in leaves", await house.methods.orderWithLeaves("Matcha", 1).send({ feeLimit: 50_000_000 }));
  say(`Bob has had ${await house.methods.cupsOf(Bob.address).call()} cups.`);

  // These fail on purpose. Hover over the hex that they print.
  const failed = await house.methods.order(lines).send({ feeLimit: 50_000_000, callValue: 5_000_000 });
  await told("Bob pays too little", failed);
  await told("Bob changes the price", await house.methods.setPrice(1).send({ feeLimit: 10_000_000 }));
  await told("Bob wants fifty seats", await house.methods.reserve(50).send({ feeLimit: 10_000_000 }));
  await told("Bob brings back ten cups", await house.methods.bringBack(10).send({ feeLimit: 10_000_000 }));

  // And this one burns all that it may: steeping for so long costs more than fee_limit pays for.
  await told("Tea that steeps too long", await house.methods.steep(2_000).send({ feeLimit: 5_000_000 }));
  const taken = await Bob.tronWeb.trx.getUnconfirmedBalance(contracts.TeaHouse.address);
  say(`The house has taken ${taken / 1e6} coins.`);
}

function linesOf(what, { id, fee = 0, receipt, contractResult: [result = ""] }) {
  const energy = `${receipt.energy_usage_total ?? 0} energy, ${fee / 1e6} coins`;
  const line = `${what.padEnd(25)} ${receipt.result.padEnd(14)} ${energy.padEnd(30)} ${id}`;
  return receipt.result === "REVERT" ? [line, `  0x${result}`] : [line];
}

if (process.argv[1] === import.meta.filename) {
  const record = deployments();
  await visit(process.argv[2] ?? record.baseUrl, record, console.log);
}
