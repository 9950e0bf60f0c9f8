import assert from "node:assert/strict";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { createSimulation, faucetTransfer, type Simulation } from "../../src/simulation/simulation.ts";

describe("the producer of blocks", () => {
  const send = ({ chain, node, faucet, accounts }: Simulation): void => {
    const [to] = accounts;
    assert.ok(to);
    node.submit(faucetTransfer(chain, hexToBytes(faucet.privateKey), to.hex, { amount: 1n }));
  };

  it("gives each transaction a block of its own at once, however many come together", async () => {
    const simulation = await createSimulation({ seed: "instant", blockTimeMs: "instant", witnesses: 1 });
    const { number } = simulation.chain.head.header;

    for (let sent = 0; sent < 3; sent += 1) send(simulation);

    const blocks = [1, 2, 3].map((it) => simulation.chain.block(number + it)?.transactions.length);
    assert.deepEqual([blocks, simulation.chain.pool.size], [[1, 1, 1], 0]);
    assert.deepEqual(
      [simulation.chain.head.header.number, simulation.chain.solid.header.number],
      [number + 3, number + 3],
    );
  });

  it("makes those too that solidify it, where others have to build on it", async () => {
    const simulation = await createSimulation({ seed: "instant", blockTimeMs: "instant" });
    const { number } = simulation.chain.head.header;

    send(simulation);

    assert.ok(simulation.chain.solid.header.number > number);
    assert.equal(simulation.chain.block(number + 1)?.transactions.length, 1);
  });

  it("makes none on a chain that waits for it", async () => {
    const simulation = await createSimulation({ seed: "manual", blockTimeMs: 0 });
    const { number } = simulation.chain.head.header;

    send(simulation);

    assert.deepEqual([simulation.chain.head.header.number, simulation.chain.pool.size], [number, 1]);
  });
});
