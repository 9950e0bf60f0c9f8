import assert from "node:assert/strict";
import type { TronWeb, Types } from "tronweb";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import type { FundedAccount, LocalChainOptions } from "../../packages/local-chain/src/simulation/simulation.ts";
import { TronWebMethods } from "../support/samples/tronweb-builder.ts";

/** An embedded chain with TronWeb, an independent client, for its accounts. */
export class TronWebChain {
  readonly chain: LocalChain;
  readonly methods = new TronWebMethods();

  private constructor(chain: LocalChain) {
    this.chain = chain;
  }

  static async start(options: LocalChainOptions): Promise<TronWebChain> {
    return new TronWebChain(await startLocalChain({ blockTimeMs: 0, ...options }));
  }

  async close(): Promise<void> {
    await this.chain.close();
    this.methods.print();
  }

  account(index: number): FundedAccount {
    return this.chain.ready.accounts[index] ?? assert.fail(`There is no account ${index}.`);
  }

  client(privateKey = this.account(0).privateKey): TronWeb {
    return this.methods.client({ fullHost: this.chain.baseUrl, privateKey });
  }

  async control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.chain.baseUrl}/local/${path}`, { method: "POST", body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
  }

  mine(blocks: number): Promise<void> {
    return this.control("mine", { blocks });
  }

  /** Signs with the client's key, broadcasts, and mines blocks. Returns the receipt. */
  async send(client: TronWeb, unsigned: Types.Transaction, blocks = 6): Promise<Types.TransactionInfo> {
    const sent = await client.trx.sendRawTransaction(await client.trx.sign(unsigned));
    assert.equal(sent.result, true, JSON.stringify(sent));
    await this.mine(blocks);
    return client.trx.getTransactionInfo(unsigned.txID);
  }
}
