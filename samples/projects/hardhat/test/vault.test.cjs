const { expect } = require("chai");
const { ethers } = require("hardhat");
const { loadFixture, time } = require("@nomicfoundation/hardhat-network-helpers");

const DAY = 86_400;

describe("Vault", () => {
  async function deployVault() {
    const [owner] = await ethers.getSigners();
    const vault = await ethers.deployContract("Vault", [DAY]);
    await vault.deposit({ value: 5_000_000n });
    return { vault, owner };
  }

  it("stores a deposit and its unlock time", async () => {
    const { vault, owner } = await loadFixture(deployVault);

    const { amount, unlockTime } = await vault.deposits(owner.address);
    expect(amount).to.equal(5_000_000n);
    expect(unlockTime).to.equal((await time.latest()) + DAY);
  });

  it("emits an event for another deposit", async () => {
    const { vault, owner } = await loadFixture(deployVault);

    await expect(vault.deposit({ value: 1_000_000n })).to.emit(vault, "Deposited");
    expect((await vault.deposits(owner.address)).amount).to.equal(6_000_000n);
  });

  it("refuses a withdrawal before the unlock time", async () => {
    const { vault } = await loadFixture(deployVault);

    await expect(vault.withdraw()).to.be.revertedWithCustomError(vault, "Locked");
  });

  it("pays out once the unlock time has passed", async () => {
    const { vault, owner } = await loadFixture(deployVault);

    await time.increase(DAY);
    await expect(vault.withdraw()).to.emit(vault, "Withdrawn").withArgs(owner.address, 5_000_000n);
    expect(await ethers.provider.getBalance(vault.target)).to.equal(0n);
  });
});
