"use strict";

// Hardhat plugin: real ethers signers and contracts on networks with `tron: true`, in place of the imitations of
// `@openzeppelin/hardhat-tron` 0.1.0. Require it after that plugin, which still compiles and controls time and state.

const { dirname, join } = require("node:path");

const { extendEnvironment } = projectModule("hardhat/config");
const ethers = projectModule("ethers");
const { HardhatEthersProvider } = projectModule("@nomicfoundation/hardhat-ethers/internal/hardhat-ethers-provider");
const deployment = projectModule("@nomicfoundation/hardhat-ethers/internal/helpers");

/** Note of an internal transaction that creates a contract: "create" in hex. */
const CREATE_NOTE = "637265617465";

/** Energy that the creator of a contract pays at most for a call of others, where the caller's share is below 100 %. */
const ORIGIN_ENERGY_LIMIT = 10_000_000;

/** Largest fee that a transaction permits when it names no gas limit, in sun. */
const FEE_LIMIT = 1_000_000_000n;

/** Block time with which a test mines all blocks itself, in seconds. */
const BLOCKS_ON_DEMAND_S = 60;

/** Longest pause between two look-ups of a pending transaction. */
const LONGEST_PAUSE_MS = 1_000;

/** Transactions whose receipts are kept for later look-ups. */
const KEPT_RECEIPTS = 1_000;

/** First bytes of the data of a failure with a text: Error(string). */
const ERROR_SELECTOR = "0x08c379a0";

/** Returns the file of a package of the project that runs, wherever this package is installed. */
function projectFile(name) {
  return require.resolve(name, { paths: [process.cwd(), __dirname] });
}

function projectModule(name) {
  return require(projectFile(name));
}

/** Returns a module of hardhat-tron, of which `exports` names only some. */
function pluginModule(name) {
  return require(join(dirname(projectFile("@openzeppelin/hardhat-tron")), "runtime", name));
}

const { jsonStringifyWithBigInts, ...cheatcodes } = pluginModule("cheatcodes.js");
const { jsonParseBigSafe } = pluginModule("wait.js");
const { toEvmAddress, toBase58Address } = projectModule("@openzeppelin/tron-runtime");

extendEnvironment((hre) => {
  if (!hre.network.config.tron) return;
  const provider = new TronProvider(hre);
  const signers = new SignerList(hre, provider);
  const snapshots = new SnapshotList(provider);
  const methods = {
    evm_snapshot: () => snapshots.take(),
    evm_revert: (id) => snapshots.revert(id),
    evm_setAutomine: async (automatic) => {
      await cheatcodes.setBlockTime(hre.tre.makeTronWeb().tronWeb, automatic ? 0 : BLOCKS_ON_DEMAND_S);
      return true;
    },
  };
  replaceMethods(hre.network.provider, methods, snapshots);
  replaceLoadFixture(signers, snapshots);

  addBalanceFields();
  addWalletTransactions();
  hre.ethers.provider = provider;
  hre.ethers.getSigners = () => signers.all();
  hre.ethers.getSigner = (address) => signers.of(address);
  hre.ethers.getImpersonatedSigner = async (address) => {
    await cheatcodes.impersonateAccount(hre.tre.makeTronWeb().tronWeb, toBase58Address(address));
    return signers.of(address);
  };
  hre.ethers.getContractFactory = async (...args) => TronFactory.of(await deployment.getContractFactory(hre, ...args));
  hre.ethers.getContractAt = async (...args) => TronContract.of(await deployment.getContractAt(hre, ...args));
  hre.ethers.deployContract = async (name, args = [], options = undefined) => {
    if (!Array.isArray(args)) return hre.ethers.deployContract(name, [], args);
    const isSigner = options !== undefined && "getAddress" in options;
    const { signer: _, libraries: __, ...overrides } = isSigner ? {} : (options ?? {});
    const factory = await hre.ethers.getContractFactory(name, options ?? undefined);
    return factory.deploy(...args, overrides);
  };
  hre.ethers.getCreateAddress = ({ from, nonce }) =>
    provider.createdBy(from, Number(nonce)) ?? ethers.getCreateAddress({ from, nonce });
});

/** Provider of ethers over the HTTP interface of the node. */
class TronProvider extends HardhatEthersProvider {
  #url;
  #infos = new Map();
  #created = new Map();
  #energyPrice;
  #isLocalChain;

  constructor(hre) {
    super(hre.network.provider, hre.network.name);
    this.#url = hre.network.config.url.replace(/\/jsonrpc$/, "");
  }

  /** Calls the node's HTTP interface. Integers above 2^53 come back as text. */
  async post(path, body) {
    const response = await fetch(`${this.#url}/wallet/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: jsonStringifyWithBigInts(body),
    });
    return jsonParseBigSafe(await response.text());
  }

  /** Returns whether the node is the local chain, whose snapshots contain its blocks. */
  async isLocalChain() {
    this.#isLocalChain ??= fetch(`${this.#url}/local/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    return this.#isLocalChain;
  }

  /** Calls the chain's control interface. */
  async control(method, path, body) {
    const response = await fetch(`${this.#url}/local/${path}`, { method, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }

  async call(request) {
    const { constant_result, result } = await this.#trigger(request);
    const data = `0x${constant_result?.[0] ?? ""}`;
    if (result?.code || result?.message) throw callError("call", data, textOf(result.message));
    if (request.to) {
      const caller = tronHex(await this.addressOf(request.to));
      cheatcodes.recordStaticReturnAddress(caller, addressIn(data));
    }
    return data;
  }

  async estimateGas(request) {
    const { constant_result, result, energy_used } = await this.#trigger(request);
    if (result?.code || result?.message) {
      throw callError("estimateGas", `0x${constant_result?.[0] ?? ""}`, textOf(result.message));
    }
    return BigInt(energy_used);
  }

  async #trigger({ from, to, data, value }) {
    const target = to && (await this.addressOf(to));
    return this.post("triggerconstantcontract", {
      owner_address: tronHex(from ? await this.addressOf(from) : (target ?? ethers.ZeroAddress)),
      ...(target && { contract_address: tronHex(target) }),
      data: (data ?? "0x").slice(2),
      call_value: BigInt(value ?? 0),
      visible: false,
    });
  }

  /** Returns 0: TRON accounts have no nonce. */
  async getTransactionCount() {
    return 0;
  }

  async resolveName(name) {
    return /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(name) ? toEvmAddress(name) : null;
  }

  /** Returns the 20 bytes of an address. One that a static call predicted stands for the contract created later. */
  async addressOf(target) {
    const address = await ethers.resolveAddress(target, this);
    const actual = cheatcodes.lookupTvmActualBase58(address);
    return actual ? ethers.getAddress(toEvmAddress(actual)) : address;
  }

  async getCode(address, block) {
    return super.getCode(await this.addressOf(address), block);
  }

  async getBalance(address, block) {
    return super.getBalance(await this.addressOf(address), block);
  }

  /** Returns the receipt of a transaction, and waits while it is pending. */
  async getTransactionReceipt(hash) {
    let info = await this.#infoOf(hash);
    for (let pause = 10; info === undefined && this.#infos.has(hash); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      info = await this.#infoOf(hash);
    }
    return info === undefined ? null : receiptOf(hash, info);
  }

  /** Returns what the node recorded about a transaction, or undefined if no block has it yet. */
  async #infoOf(hash) {
    const stored = this.#infos.get(hash);
    if (stored) return stored;
    const info = await this.post("gettransactioninfobyid", { value: hash.slice(2) });
    if (info?.blockNumber === undefined) return undefined;
    if (this.#infos.size > KEPT_RECEIPTS) this.#infos.delete(this.#infos.keys().next().value);
    this.#infos.set(hash, info);
    this.#addCreated(info);
    return info;
  }

  #addCreated(info) {
    cheatcodes.registerCreateMappingsFromReceipt(info);
    const created = (info.internal_transactions ?? []).filter(
      ({ note, caller_address }) => note === CREATE_NOTE && caller_address === info.contract_address,
    );
    const addresses = created.map(({ transferTo_address }) => ethers.getAddress(`0x${transferTo_address.slice(2)}`));
    if (addresses.length > 0) this.#created.set(`0x${info.contract_address.slice(2)}`, addresses);
  }

  /** Returns the contract number `position`, from 1, that the constructor of a contract created, or undefined. */
  createdBy(creator, position) {
    return this.#created.get(creator.toLowerCase())?.[position - 1];
  }

  /** Broadcasts a signed transaction. Throws if it was refused, or if it failed in a block at once. */
  async broadcast({ txID, raw_data_hex }, signature, request) {
    const transaction = `0a${varint(raw_data_hex.length / 2)}${raw_data_hex}1241${signature.slice(2)}`;
    const answer = await this.post("broadcasthex", { transaction });
    if (!answer.result) throw new Error(`The node refused the transaction: ${answer.code} ${textOf(answer.message)}`);
    const hash = `0x${txID}`;
    this.#infos.set(hash, undefined);
    const info = await this.#infoOf(hash);
    const result = info?.receipt?.result ?? "SUCCESS";
    if (result !== "SUCCESS") {
      const data = `0x${info.contractResult?.[0] ?? ""}`;
      throw Object.assign(callError("sendTransaction", data, result), { transactionHash: hash });
    }
    const position = { hash, type: 0, nonce: 0, index: 0, blockNumber: info?.blockNumber ?? null, signature: null };
    return new ethers.TransactionResponse({ ...request, ...position }, this);
  }

  /** Returns the node's record of a transaction whose receipt was read, or undefined. */
  recorded(hash) {
    return this.#infos.get(hash);
  }

  /** Returns the fee limit in sun for a gas limit, which is energy here. */
  async feeLimit(gasLimit) {
    if (gasLimit === undefined || gasLimit === null) return FEE_LIMIT;
    this.#energyPrice ??= BigInt(await this.send("eth_gasPrice", []));
    const fee = BigInt(gasLimit) * this.#energyPrice;
    return fee > FEE_LIMIT ? FEE_LIMIT : fee;
  }
}

/** An account that the node accepts transactions of: its key signs, or any key does while it is impersonated. */
class TronSigner extends ethers.AbstractSigner {
  #wallet;

  constructor(address, wallet, provider) {
    super(provider);
    this.address = address;
    this.tronAddress = toBase58Address(address);
    this.#wallet = wallet;
  }

  async getAddress() {
    return this.address;
  }

  connect(provider) {
    return new TronSigner(this.address, this.#wallet, provider);
  }

  async getNonce() {
    return 0;
  }

  async call(request) {
    return this.provider.call({ from: this.address, ...request });
  }

  async estimateGas(request) {
    return this.provider.estimateGas({ from: this.address, ...request });
  }

  async signMessage(message) {
    return this.#wallet.signMessage(message);
  }

  async signTypedData(domain, types, value) {
    return this.#wallet.signTypedData(domain, types, value);
  }

  async sendTransaction(request) {
    if (request.authorizationList) throw new Error("TRON has no transactions with authorizations (EIP-7702).");
    const to = request.to ? await this.provider.addressOf(request.to) : null;
    const value = BigInt(request.value ?? 0);
    const transaction = await this.#build({ to, value, data: request.data, gasLimit: request.gasLimit });
    const { serialized } = this.#wallet.signingKey.sign(`0x${transaction.txID}`);
    const { data = "0x", gasLimit = 0n } = request;
    return this.provider.broadcast(transaction, serialized, { from: this.address, to, value, data, gasLimit });
  }

  async #build({ to, value, data, gasLimit }) {
    const owner_address = tronHex(this.address);
    const limits = { fee_limit: await this.provider.feeLimit(gasLimit), call_value: value, visible: false };
    if (to === null) {
      const contract = { owner_address, abi: "[]", bytecode: data.slice(2), name: "", ...limits };
      const share = { consume_user_resource_percent: 100, origin_energy_limit: ORIGIN_ENERGY_LIMIT };
      return accepted(await this.provider.post("deploycontract", { ...contract, ...share }));
    }
    // A TRON node refuses transfers to contracts and transfers of nothing: both are calls without data.
    const isCall = data !== undefined || value === 0n || (await this.provider.getCode(to)) !== "0x";
    if (!isCall) {
      const transfer = { owner_address, to_address: tronHex(to), amount: value, visible: false };
      return accepted(await this.provider.post("createtransaction", transfer));
    }
    const call = { owner_address, contract_address: tronHex(to), data: (data ?? "0x").slice(2), ...limits };
    const { transaction, result } = await this.provider.post("triggersmartcontract", call);
    return accepted(transaction ?? { Error: textOf(result?.message) });
  }
}

/** Contract whose address can be one that a static call predicted: TRON gives the created contract another one. */
class TronContract extends ethers.BaseContract {
  static of({ target, interface: abi, runner }) {
    return new TronContract(target, abi, runner);
  }

  async getAddress() {
    return this.runner.provider.addressOf(this.target);
  }

  connect(runner) {
    return new TronContract(this.target, this.interface, runner, this.deploymentTransaction());
  }

  attach(target) {
    return new TronContract(target, this.interface, this.runner);
  }
}

/** Contract factory whose contracts have the address that TRON gave them. */
class TronFactory extends ethers.ContractFactory {
  static of({ interface: abi, bytecode, runner }) {
    return new TronFactory(abi, bytecode, runner);
  }

  connect(runner) {
    return new TronFactory(this.interface, this.bytecode, runner);
  }

  attach(target) {
    return new TronContract(target, this.interface, this.runner);
  }

  async deploy(...args) {
    const response = await this.runner.sendTransaction(await this.getDeployTransaction(...args));
    const { contractAddress } = await response.wait();
    return new TronContract(contractAddress, this.interface, this.runner, response);
  }
}

/** The project's development accounts, which hardhat-tron derives and funds, and impersonated ones. */
class SignerList {
  #hre;
  #provider;
  #own;

  constructor(hre, provider) {
    this.#hre = hre;
    this.#provider = provider;
  }

  async all() {
    this.#own ??= (await pluginModule("signers.js").buildSigners(this.#hre)).map(
      ({ address, privateKey }) => new TronSigner(address, new ethers.Wallet(privateKey), this.#provider),
    );
    return [...this.#own];
  }

  /** Gives each development account its coins again. */
  async fund() {
    await this.all();
    await pluginModule("signers.js").refundSigners(this.#hre);
  }

  /** Returns the signer of an account. Transactions of an account without a key here need its impersonation. */
  async of(target) {
    const address = ethers.getAddress(await ethers.resolveAddress(target, this.#provider));
    const own = (await this.all()).find((signer) => signer.address === address);
    return own ?? new TronSigner(address, new ethers.Wallet(this.#hre.network.config.accounts[0]), this.#provider);
  }
}

/** Snapshots of the whole chain: blocks and time go back too, as on Hardhat's own network and unlike `tre_revert`. */
class SnapshotList {
  #provider;
  #ids = [];
  #taken = 0;

  constructor(provider) {
    this.#provider = provider;
  }

  /** Returns whether the node has such snapshots. Other nodes keep those of hardhat-tron. */
  async areSupported() {
    return this.#provider.isLocalChain();
  }

  async take() {
    this.#taken += 1;
    const { id } = await this.#provider.control("POST", "snapshot", { id: `hardhat-${process.pid}-${this.#taken}` });
    this.#ids.push(id);
    return id;
  }

  /** Goes back to a snapshot, which stays, and drops newer ones. */
  async restore(id) {
    await this.#provider.control("POST", "restore", { id });
    const newer = this.#ids.splice(this.#ids.indexOf(id) + 1);
    for (const other of newer) await this.#provider.control("DELETE", "snapshot", { id: other });
  }

  /** Goes back to a snapshot, and drops it and newer ones. Returns false if there is none. */
  async revert(id) {
    if (!this.#ids.includes(id)) return false;
    await this.restore(id);
    this.#ids.pop();
    await this.#provider.control("DELETE", "snapshot", { id });
    return true;
  }

  has(id) {
    return this.#ids.includes(id);
  }
}

/** Answers some JSON-RPC methods here, and leaves the others to the provider. */
function replaceMethods(provider, methods, snapshots) {
  const { send, request } = provider;
  const isReplaced = async (method) => method in methods && (await snapshots.areSupported());
  provider.send = async (method, params = []) =>
    (await isReplaced(method)) ? methods[method](...params) : send.call(provider, method, params);
  provider.request = async ({ method, params = [] }) =>
    (await isReplaced(method)) ? methods[method](...params) : request.call(provider, { method, params });
}

/** Replaces `loadFixture` of hardhat-network-helpers, if the project has it. */
function replaceLoadFixture(signers, snapshots) {
  let helpers;
  try {
    helpers = projectModule("@nomicfoundation/hardhat-network-helpers/dist/src/loadFixture");
  } catch {
    return;
  }
  const { loadFixture } = helpers;
  const loaded = new Map();
  helpers.loadFixture = async (fixture) => {
    if (!(await snapshots.areSupported())) return loadFixture(fixture);
    if (fixture.name === "") throw new Error("Name the function of a fixture: its results are stored by function.");
    const stored = loaded.get(fixture);
    if (stored !== undefined && snapshots.has(stored.id)) {
      await snapshots.restore(stored.id);
      return stored.data;
    }
    await signers.fund();
    const data = await fixture();
    loaded.set(fixture, { data, id: await snapshots.take() });
    return data;
  };
}

function tronHex(address) {
  return `41${address.slice(2).toLowerCase()}`;
}

/** Returns a length in protobuf's variable encoding, in hex. */
function varint(value) {
  const low = (value & 127) | (value > 127 ? 128 : 0);
  return low.toString(16).padStart(2, "0") + (value > 127 ? varint(value >> 7) : "");
}

function textOf(hex) {
  return Buffer.from(hex ?? "", "hex").toString();
}

function accepted(transaction) {
  if (transaction.txID) return transaction;
  throw new Error(`The node refused to build the transaction: ${transaction.Error ?? JSON.stringify(transaction)}`);
}

function callError(action, data, nodeMessage) {
  const [reason] = data.startsWith(ERROR_SELECTOR)
    ? ethers.AbiCoder.defaultAbiCoder().decode(["string"], `0x${data.slice(ERROR_SELECTOR.length)}`)
    : [nodeMessage || "no reason"];
  const message = `execution reverted: ${reason} (data=${data})`;
  return ethers.makeError(message, "CALL_EXCEPTION", { action, data, reason: null, invocation: null, revert: null });
}

/** Returns the address that the result of a call consists of, or undefined. */
function addressIn(data) {
  return /^0x0{24}[0-9a-f]{40}$/.test(data) && !/^0x0{40}/.test(data) ? `0x${data.slice(26)}` : undefined;
}

function receiptOf(hash, info) {
  const { blockNumber, receipt = {}, contract_address } = info;
  const gasUsed = BigInt(receipt.energy_usage_total ?? 0);
  return {
    hash,
    blockNumber,
    blockHash: null,
    index: 0,
    from: null,
    to: null,
    type: 0,
    status: (receipt.result ?? "SUCCESS") === "SUCCESS" ? 1 : 0,
    contractAddress: contract_address ? ethers.getAddress(`0x${contract_address.slice(2)}`) : null,
    gasUsed,
    cumulativeGasUsed: gasUsed,
    gasPrice: gasUsed === 0n ? 0n : BigInt(info.fee ?? 0) / gasUsed,
    logs: (info.log ?? []).map(({ address, topics = [], data = "" }, index) => ({
      address: ethers.getAddress(`0x${address}`),
      topics: topics.map((topic) => `0x${topic}`),
      data: `0x${data}`,
      index,
      transactionHash: hash,
      transactionIndex: 0,
      blockHash: null,
      blockNumber,
      removed: false,
    })),
  };
}

/** Adds the fields that hardhat-tron's assertions about balances read from each response. */
function addBalanceFields() {
  const fields = {
    valueSun: (response) => response.value,
    feeSun: ({ provider, hash }) => BigInt(provider.recorded(hash)?.fee ?? 0),
    internalTransactions: ({ provider, hash }) => provider.recorded(hash)?.internal_transactions ?? [],
  };
  for (const [name, read] of Object.entries(fields)) {
    Object.defineProperty(ethers.TransactionResponse.prototype, name, {
      configurable: true,
      get() {
        return this.provider instanceof TronProvider ? read(this) : undefined;
      },
    });
  }
}

/** Makes wallets of ethers on a TRON provider send TRON transactions. */
function addWalletTransactions() {
  const { sendTransaction } = ethers.BaseWallet.prototype;
  ethers.BaseWallet.prototype.sendTransaction = async function (request) {
    if (!(this.provider instanceof TronProvider)) return sendTransaction.call(this, request);
    return new TronSigner(this.address, this, this.provider).sendTransaction(request);
  };
}
