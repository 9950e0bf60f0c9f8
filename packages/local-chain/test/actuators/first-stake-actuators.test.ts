import assert from "node:assert/strict";
import { addressAt, refusalOf } from "../../../../test/support/chain/build-and-send.ts";
import { contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

const COIN = 1_000_000;
const UNKNOWN_ADDRESS = `41${"12".repeat(20)}`;

describe("Stake 1.0", () => {
  it("is closed, which is reported after all other errors", async () => {
    const contracts = await contractFixture();
    const { chain } = contracts;
    const contract = await contracts.install("00");
    const freeze = (changes: JsonObject): JsonObject => ({ frozen_balance: COIN, frozen_duration: 3, ...changes });
    const duration = "frozenDuration must be less than 3 days and more than 3 days";
    const same = "receiverAddress must not be the same as ownerAddress";
    const refusals: readonly [JsonObject, string][] = [
      [{ owner_address: "41" }, "Invalid address"],
      [{ owner_address: UNKNOWN_ADDRESS }, `Account[${UNKNOWN_ADDRESS}] not exists`],
      [{ frozen_balance: COIN - 1 }, "frozenBalance must be greater than or equal to 1 TRX"],
      [{ frozen_balance: 20_000 * COIN }, "frozenBalance must be less than or equal to accountBalance"],
      [{ frozen_duration: 4 }, duration],
      [
        { resource: "TRON_POWER", receiver_address: UNKNOWN_ADDRESS },
        "TRON_POWER is not allowed to delegate to other accounts.",
      ],
      [{ receiver_address: addressAt(chain, 0) }, same],
      [{ receiver_address: "41" }, "Invalid receiverAddress"],
      [{ receiver_address: UNKNOWN_ADDRESS }, `Account[${UNKNOWN_ADDRESS}] not exists`],
      [{ receiver_address: contract }, "Do not allow delegate resources to contract addresses"],
      [{ receiver_address: addressAt(chain, 1) }, "freeze v2 is open, old freeze is closed"],
      [{}, "freeze v2 is open, old freeze is closed"],
    ];
    for (const [changes, text] of refusals)
      assert.equal(await refusalOf(chain, "freezebalance", freeze(changes)), text);
  });

  it("has no stake to unfreeze", async () => {
    const { chain } = await contractFixture();
    const refusals: readonly [JsonObject, string][] = [
      [{ owner_address: UNKNOWN_ADDRESS }, `Account[${UNKNOWN_ADDRESS}] does not exist`],
      [{}, "no frozenBalance(BANDWIDTH)"],
      [{ resource: "ENERGY" }, "no frozenBalance(Energy)"],
      [{ resource: "TRON_POWER" }, "no frozenBalance(TronPower)"],
      [{ receiver_address: addressAt(chain, 0) }, "receiverAddress must not be the same as ownerAddress"],
      [{ receiver_address: "41" }, "Invalid receiverAddress"],
      [{ receiver_address: addressAt(chain, 1) }, "delegated Resource does not exist"],
    ];
    for (const [changes, text] of refusals) assert.equal(await refusalOf(chain, "unfreezebalance", changes), text);
  });

  it("does not delegate where delegation is off", async () => {
    const { chain } = await contractFixture({ getAllowDelegateResource: 0, getAllowNewResourceModel: 0 });
    const body = { receiver_address: UNKNOWN_ADDRESS };
    assert.equal(await refusalOf(chain, "unfreezebalance", body), "no frozenBalance(BANDWIDTH)");
    const power = await refusalOf(chain, "unfreezebalance", { resource: "TRON_POWER" });
    assert.equal(power, "ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]");
  });
});
