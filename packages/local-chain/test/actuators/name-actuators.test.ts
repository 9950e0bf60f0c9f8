import assert from "node:assert/strict";
import { addressAt, done, refusalOf, textAsHex } from "../../../../test/support/chain/build-and-send.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";

const UNKNOWN_ADDRESS = `41${"12".repeat(20)}`;
const name = (text: string): JsonObject => ({ account_name: textAsHex(text) });
const id = (text: string): JsonObject => ({ account_id: textAsHex(text) });

describe("updateaccount", () => {
  it("sets a unique name once, for bandwidth only", async () => {
    const chain = await testChain();
    const { fee } = await done(chain, "updateaccount", name("Ada"));
    assert.equal(fee, undefined);
    assert.equal((await account(chain, 0)).account_name, textAsHex("Ada"));
    assert.equal((await account(chain, 0, true)).account_name, "Ada");
    assert.equal(await refusalOf(chain, "updateaccount", name("Bob")), "This account name is already existed");
    assert.equal(await refusalOf(chain, "updateaccount", name("Ada"), 1), "This name is existed");
  });

  it("allows changed and shared names if the chain does", async () => {
    const chain = await testChain({ parameters: { getAllowUpdateAccountName: 1 } });
    await done(chain, "updateaccount", name("Ada"));
    await done(chain, "updateaccount", name("Ada"), 1);
    await done(chain, "updateaccount", name("Bob"), 1);
    assert.equal((await account(chain, 1, true)).account_name, "Bob");
  });

  it("accepts 0 to 200 bytes of any value", async () => {
    const chain = await testChain();
    assert.equal(await refusalOf(chain, "updateaccount", name("a".repeat(201))), "Invalid accountName");
    assert.equal(
      await refusalOf(chain, "updateaccount", { ...name("a"), owner_address: "41" }),
      "Invalid ownerAddress",
    );
    assert.equal(
      await refusalOf(chain, "updateaccount", { ...name("a"), owner_address: UNKNOWN_ADDRESS }),
      "Account does not exist",
    );
    await done(chain, "updateaccount", name("é ".repeat(60)));
    await done(chain, "updateaccount", name(""), 1);
    assert.equal(await refusalOf(chain, "updateaccount", name(""), 2), "This name is existed");
  });
});

describe("setaccountid", () => {
  it("sets an id once, which finds the account on both sides, ignoring case", async () => {
    const chain = await testChain();
    await done(chain, "setaccountid", id("Ada-Lovelace"));
    assert.equal((await account(chain, 0)).account_id, textAsHex("Ada-Lovelace"));
    assert.equal(await refusalOf(chain, "setaccountid", id("Somebody-else")), "This account id already set");
    assert.equal(await refusalOf(chain, "setaccountid", id("ada-lovelace"), 1), "This id has existed");

    const found = await chain.ask("/wallet/getaccountbyid", { account_id: "ADA-LOVELACE", visible: true });
    assert.equal(found.account_id, "Ada-Lovelace");
    assert.deepEqual(await chain.ask("/wallet/getaccountbyid", id("Ada-LOVELACE")), await account(chain, 0));
    assert.deepEqual(await chain.ask("/walletsolidity/getaccountbyid", id("Ada-Lovelace")), {});
    chain.mine(10);
    const solid = await chain.ask("/walletsolidity/getaccountbyid", id("Ada-Lovelace"));
    assert.equal(solid.address, addressAt(chain, 0));
  });

  it("accepts 8 to 32 printable characters", async () => {
    const chain = await testChain();
    for (const text of ["", "1234567", "a".repeat(33), "with blank", "ééééé"]) {
      assert.equal(await refusalOf(chain, "setaccountid", id(text)), "Invalid accountId", text);
    }
    assert.equal(
      await refusalOf(chain, "setaccountid", { ...id("12345678"), owner_address: UNKNOWN_ADDRESS }),
      "Account has not existed",
    );
    await done(chain, "setaccountid", id("~".repeat(32)));
  });

  it("finds no account for an unknown id, and the last genesis account for an empty one", async () => {
    const chain = await testChain();
    assert.deepEqual(await chain.ask("/wallet/getaccountbyid", id("nobody-has")), {});
    const { address } = await chain.ask("/wallet/getaccountbyid", {});
    assert.notEqual(address, undefined);
  });
});

function account(chain: TestChain, index: number, visible = false): Promise<JsonObject> {
  const { hex = "", address = "" } = chain.accounts[index] ?? {};
  return chain.ask("/wallet/getaccount", { address: visible ? address : hex, visible });
}
