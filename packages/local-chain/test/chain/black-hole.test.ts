import assert from "node:assert/strict";
import { contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { BLACK_HOLE } from "../../src/chain/account.ts";

const WINDOW = { window_size: 28_800_000, window_optimized: true };

describe("the black hole", () => {
  it("is the account without an id, as a node prints it, and an id that nobody has finds nothing", async () => {
    const { ask } = await contractFixture();
    const account = {
      account_name: "Blackhole",
      address: "THkYe2f9MJPt5eKcEdeM5Q8ESPdaRyG8PB",
      balance: -(2n ** 63n),
      net_window_size: WINDOW.window_size,
      net_window_optimized: true,
      account_resource: { energy_window_size: WINDOW.window_size, energy_window_optimized: true },
      owner_permission: {
        permission_name: "owner",
        threshold: 1,
        keys: [{ address: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", weight: 1 }],
      },
    };

    assert.deepEqual(await ask("getaccountbyid", { visible: true }), account);
    assert.deepEqual(await ask("getaccount", { address: account.address, visible: true }), account);
    assert.deepEqual(await ask("getaccountbyid", { account_id: "ab" }), {});
  });

  it("takes what is sent to it, and code sees its debt as 64 bits without a sign", async () => {
    const { install, call, chain } = await contractFixture();
    await chain.ask("/local/fund", { address: BLACK_HOLE, amount: 5 });
    const reader = await install(`73${BLACK_HOLE.slice(2)}315f5260205ff3`);

    const { returned } = await call(reader);

    assert.equal(BigInt(`0x${returned}`), 2n ** 63n + 5n);
  });
});
