const Token = artifacts.require("Token");

contract("Token", ([owner]) => {
  const receiver = tronWeb.utils.accounts.generateAccount().address.base58;
  let token;

  before(async () => {
    token = await Token.deployed();
  });

  it("gives the supply to its owner", async () => {
    assert.equal(String(await token.balanceOf(owner)), "1000000");
    assert.equal(String(await token.totalSupply()), "1000000");
  });

  it("moves an amount to an address without an account", async () => {
    await token.transfer(receiver, 300);

    assert.equal(String(await token.balanceOf(receiver)), "300");
    assert.equal(String(await token.balanceOf(owner)), "999700");
  });

  it("stores an allowance", async () => {
    await token.approve(receiver, 50);

    assert.equal(String(await token.allowance(owner, receiver)), "50");
  });

  it("reverts if the balance is too low", async () => {
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      token.address,
      "transfer(address,uint256)",
      { feeLimit: 100_000_000 },
      [
        { type: "address", value: receiver },
        { type: "uint256", value: 2_000_000 },
      ],
      owner,
    );
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));

    const { receipt } = await tronWeb.trx.getUnconfirmedTransactionInfo(transaction.txID);
    assert.equal(receipt.result, "REVERT");
    assert.equal(String(await token.balanceOf(receiver)), "300");
  });
});
