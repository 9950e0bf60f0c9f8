import assert from "node:assert/strict";
import { addressVectors } from "../../../../test/support/recorded/vectors.ts";
import { parseAddress } from "../../src/primitives/address.ts";
import { hexToBytes, type TxId } from "../../src/primitives/bytes.ts";
import {
  create2ContractAddress,
  createdContractAddress,
  deployedContractAddress,
} from "../../src/transaction/contract-types.ts";

describe("contract addresses", () => {
  it("vector 6: of a deployment follow from its txID and owner", () => {
    const { txId, owner, address } = addressVectors.deployed;

    assert.equal(deployedContractAddress(txId as TxId, parseAddress(owner)), address);
  });

  it("vector 6: of CREATE follow from root txID and nonce", () => {
    for (const { txId, nonce, address } of addressVectors.created)
      assert.equal(createdContractAddress(txId as TxId, BigInt(nonce)), address);
  });

  it("vector 6: of CREATE2 follow from sender, salt and code", () => {
    const { sender, salt, initCode, address } = addressVectors.create2;

    assert.equal(create2ContractAddress(parseAddress(sender), hexToBytes(salt), hexToBytes(initCode)), address);
  });
});
