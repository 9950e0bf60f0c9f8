const { expect } = require("chai");
const { ethers, network } = require("hardhat");
const { impersonateAccount, loadFixture, mine, setBalance, time } = require("@nomicfoundation/hardhat-network-helpers");

describe("hardhat plugin of the local chain", () => {
  async function deployMaker() {
    const [owner, other] = await ethers.getSigners();
    const maker = await ethers.deployContract("Maker", [owner], { value: 5n });
    return { maker, owner, other };
  }

  it("sends the coins and resolves the accounts of a deployment", async () => {
    const { maker, owner } = await loadFixture(deployMaker);

    await expect(maker.deploymentTransaction()).to.emit(maker, "Received").withArgs(owner, 5n);
    expect(await ethers.provider.getBalance(maker)).to.equal(5n);
  });

  it("returns the address of a contract that a constructor created", async () => {
    const { maker } = await loadFixture(deployMaker);

    expect(ethers.getCreateAddress({ from: maker.target, nonce: 1 })).to.equal(await maker.first());
  });

  it("calls the contract that was created for a predicted address", async () => {
    const { maker } = await loadFixture(deployMaker);
    const child = await ethers.getContractAt("Child", await maker.make.staticCall());

    await expect(maker.make()).to.emit(maker, "Made").withArgs(child);
    expect(await child.maker()).to.equal(maker);
  });

  it("encodes a deployment for another deployer", async () => {
    const { owner } = await loadFixture(deployMaker);
    const factory = await ethers.getContractFactory("Maker");

    const { data } = await factory.getDeployTransaction(owner);

    expect(data).to.equal(factory.bytecode + ethers.zeroPadValue(owner.address, 32).slice(2).toLowerCase());
  });

  it("calls functions as the signer, also without a transaction", async () => {
    const { maker, other } = await loadFixture(deployMaker);

    expect(await maker.connect(other).caller()).to.equal(other);
    expect(await maker.connect(other).caller.staticCall()).to.equal(other);
  });

  it("sends coins to contracts and to accounts", async () => {
    const { maker, owner, other } = await loadFixture(deployMaker);

    const paid = owner.sendTransaction({ to: maker, value: 42n });
    await expect(paid).to.emit(maker, "Received").withArgs(owner, 42n);
    await expect(paid).to.changeEtherBalances([owner, maker], [-42n, 42n]);
    await expect(owner.sendTransaction({ to: other, value: 7n })).to.changeEtherBalance(other, 7n);
  });

  it("sends amounts above 2^53 exactly", async () => {
    const { owner } = await loadFixture(deployMaker);
    const target = ethers.Wallet.createRandom().address;

    await owner.sendTransaction({ to: target, value: 2n ** 53n + 1n });

    expect(await ethers.provider.getBalance(target)).to.equal(2n ** 53n + 1n);
  });

  it("reports the data of an error, of calls and of transactions", async () => {
    const { maker } = await loadFixture(deployMaker);

    await expect(maker.refuse(3)).to.be.revertedWithCustomError(maker, "Refused").withArgs(3);
    await expect(maker.refuse.staticCall(4)).to.be.revertedWithCustomError(maker, "Refused").withArgs(4);
    await expect(maker.refuse.estimateGas(5)).to.be.revertedWithCustomError(maker, "Refused").withArgs(5);
  });

  it("reports the text of an error in its message", async () => {
    const { maker } = await loadFixture(deployMaker);

    await expect(maker.refuseWithText()).to.be.revertedWith("made by another");
    const { message } = await maker.refuseWithText().catch((error) => error);
    expect(message).to.include("execution reverted: made by another");
  });

  it("limits the energy of a transaction to its gas limit", async () => {
    const { maker } = await loadFixture(deployMaker);

    await expect(maker.burnEnergy({ gasLimit: 50_000 })).to.be.revertedWithoutReason();

    const [hash] = (await ethers.provider.getBlock("latest")).transactions;
    expect((await ethers.provider.getTransactionReceipt(hash)).gasUsed).to.equal(50_000n);
  });

  it("goes back to the block and the time of a fixture", async () => {
    await loadFixture(deployMaker);
    const [number, timestamp] = [await time.latestBlock(), await time.latest()];
    await time.increase(86_400);
    await mine(20);

    await loadFixture(deployMaker);

    expect([await time.latestBlock(), await time.latest()]).to.deep.equal([number, timestamp]);
  });

  it("runs a fixture again once a restored one has dropped its snapshot", async () => {
    async function deployOther() {
      return { made: await deployMaker() };
    }
    async function deployThird() {
      return { third: await deployMaker() };
    }
    await loadFixture(deployMaker);
    await loadFixture(deployOther);
    await loadFixture(deployMaker);
    await loadFixture(deployThird);

    const { made } = await loadFixture(deployOther);

    expect(await ethers.provider.getCode(made.maker)).to.not.equal("0x");
  });

  it("goes back once to a snapshot and to none after it", async () => {
    const { maker, owner } = await loadFixture(deployMaker);
    const first = await network.provider.send("evm_snapshot");
    await owner.sendTransaction({ to: maker, value: 1n });
    const second = await network.provider.send("evm_snapshot");

    expect(await network.provider.send("evm_revert", [first])).to.equal(true);

    expect(await ethers.provider.getBalance(maker)).to.equal(5n);
    for (const id of [first, second]) expect(await network.provider.send("evm_revert", [id])).to.equal(false);
  });

  it("puts the transactions of a test into one block", async () => {
    const { maker, owner, other } = await loadFixture(deployMaker);
    await network.provider.send("evm_setAutomine", [false]);

    const sent = await Promise.all([owner, other].map((signer) => signer.sendTransaction({ to: maker, value: 1n })));
    await mine();
    const receipts = await Promise.all(sent.map((response) => response.wait()));
    await network.provider.send("evm_setAutomine", [true]);

    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).to.equal(1);
  });

  it("sends as an impersonated account", async () => {
    const { maker } = await loadFixture(deployMaker);
    const child = await maker.first();
    await impersonateAccount(child);
    await setBalance(child, 1_000_000_000n);

    const signer = await ethers.getSigner(child);

    await expect(signer.sendTransaction({ to: maker, value: 9n }))
      .to.emit(maker, "Received")
      .withArgs(child, 9n);
  });

  it("sends from a wallet that the provider does not know", async () => {
    const { maker, owner } = await loadFixture(deployMaker);
    const wallet = ethers.Wallet.createRandom(ethers.provider);
    await owner.sendTransaction({ to: wallet, value: 1_000_000_000n });

    await expect(wallet.sendTransaction({ to: maker, value: 3n }))
      .to.emit(maker, "Received")
      .withArgs(wallet, 3n);
    await expect(maker.connect(wallet).refuse(0)).to.emit(maker, "Received").withArgs(wallet, 0n);
  });

  it("refuses what no TRON transaction has", async () => {
    const { maker, owner } = await loadFixture(deployMaker);
    const wallet = ethers.Wallet.createRandom(ethers.provider);

    const sent = owner.sendTransaction({ to: wallet, authorizationList: [await wallet.authorize({ address: maker })] });

    await expect(sent).to.be.rejectedWith("EIP-7702");
  });

  it("accepts addresses in base58", async () => {
    const { owner } = await loadFixture(deployMaker);

    expect(await ethers.provider.getBalance(owner.tronAddress)).to.equal(await ethers.provider.getBalance(owner));
    const copy = await ethers.deployContract("Maker", [owner.tronAddress]);
    await expect(copy.deploymentTransaction()).to.emit(copy, "Received").withArgs(owner, 0n);
  });
});
