import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { ChainId } from "../../../packages/client/src/gateway/network.ts";
import { PostgresRunStore } from "../../../packages/postgres/src/postgres-run-store.ts";
import { parseStoreUrl } from "../../../packages/postgres/src/store-url.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { checkPayments, type PaymentCheck } from "./check-payments.ts";
import { type CutProxy, openCutProxy } from "./cut-proxy.ts";
import { type FaultyGateway, type GatewayFaults, openFaultyGateway } from "./faulty-gateway.ts";
import { DATABASE_PASSWORD, type PostgresServer, startPostgres } from "./server.ts";
import { type ChainProcess, type Started, startChain, startWorker } from "./worker-fleet.ts";

const LEASE_S = 3;
const LOOK_MS = 200;
/** The chain solidifies a block after two thirds of its witnesses have built on it, so that blocks can be reorganized. */
const CHAIN = ["--block-time", "500", "--witnesses", "5", "--accounts", "6", "--max-pending", "100000"];
/** Sun for fees. */
const FUNDS = "100000000000";

/** Workers of one store in processes of their own, with one chain, one database and the proxies in front of both. */
export class PaymentFleet {
  readonly server: PostgresServer;
  readonly chain: ChainProcess;
  readonly database: CutProxy;
  /** Gateway of the workers that pay. */
  readonly gateway: FaultyGateway;
  /** Gateway of the worker that tracks: it has the key of another account, so it claims nothing. */
  readonly tracking: FaultyGateway;
  readonly store: PostgresRunStore;
  readonly workers: Started[] = [];
  readonly #config: pg.ClientConfig;
  readonly #sql: pg.Pool;
  readonly #url: string;
  readonly #chainId: ChainId;
  #amount = 1_000;

  private constructor(parts: {
    server: PostgresServer;
    chain: ChainProcess;
    database: CutProxy;
    gateways: readonly [FaultyGateway, FaultyGateway];
    store: PostgresRunStore;
    config: pg.ClientConfig;
    url: string;
    chainId: ChainId;
  }) {
    this.server = parts.server;
    this.chain = parts.chain;
    this.database = parts.database;
    [this.gateway, this.tracking] = parts.gateways;
    this.store = parts.store;
    this.#config = parts.config;
    this.#sql = new pg.Pool({ ...parts.config, max: 2 });
    this.#sql.on("error", () => undefined);
    this.#url = parts.url.replace(`:${parts.server.port}`, `:${parts.database.port}`);
    this.#chainId = parts.chainId;
  }

  static async start(random: () => number): Promise<PaymentFleet> {
    const [server, chain] = await Promise.all([startPostgres(), startChain(...CHAIN)]);
    const database = await openCutProxy(server.port);
    const gateways = [await openFaultyGateway(chain.url, random), await openFaultyGateway(chain.url, random)] as const;
    const url = server.createDatabase();
    const settings = parseStoreUrl(url, {}, DATABASE_PASSWORD);
    if (settings.kind === "refused") throw new Error(settings.reason);
    const store = await PostgresRunStore.open(settings);
    const ask = async (path: string, body: object): Promise<{ blockID?: string }> =>
      (await (await fetch(chain.url + path, { method: "POST", body: JSON.stringify(body) })).json()) as {
        blockID?: string;
      };
    const genesis = await ask("/wallet/getblockbynum", { num: 0 });
    await ask("/local/fund", { address: chain.accounts[0]?.hex ?? "", amount: FUNDS });
    const chainId = genesis.blockID as ChainId;
    return new PaymentFleet({ server, chain, database, gateways, store, config: settings.config, url, chainId });
  }

  get payer(): ChainProcess["accounts"][number] {
    const [payer] = this.chain.accounts;
    if (payer === undefined) throw new Error("The chain has no accounts.");
    return payer;
  }

  /** Starts a worker that pays, or one that can only track. */
  startWorker(role: "pay" | "track" = "pay"): Started {
    const account = role === "pay" ? this.payer : this.chain.accounts[1];
    const gateway = role === "pay" ? this.gateway : this.tracking;
    const args = ["--network", gateway.url, "--store", this.#url, "--lease", String(LEASE_S)];
    const worker = startWorker(args, { password: DATABASE_PASSWORD, privateKey: account?.privateKey ?? "" });
    this.workers.push(worker);
    return worker;
  }

  /** Stores a run whose rows have amounts that no other row has. */
  async createRun(id: string, count: number): Promise<void> {
    const owner = parseAddress(this.payer.hex);
    const recipients: readonly Address[] = this.chain.accounts.slice(2).map(({ hex }) => parseAddress(hex));
    const rows = Array.from({ length: count }, (_, index) => {
      const to = recipients[index % recipients.length] ?? owner;
      return {
        row: index + 1,
        key: `${id} ${index}`,
        intent: { kind: "transfer", owner, to, amount: sun(BigInt(this.#amount++)) } as const,
      };
    });
    const network = { network: "test", chain: this.#chainId };
    const run = { id, network, owner, title: id, fileHash: "ab".repeat(32), version: 1, createdAt: Date.now() };
    await this.store.create(run, rows);
  }

  /** Number of rows of a run with an answered, or a solidified transaction. */
  async progress(run: string): Promise<{ readonly answered: number; readonly solidified: number }> {
    const count = (kind: string): string =>
      `count(*) FILTER (WHERE EXISTS (SELECT FROM finality.journal AS j WHERE j.tx_id = a.tx_id AND j.kind = '${kind}'))::int`;
    const { rows } = await this.#sql.query<{ answered: number; solidified: number }>(
      `SELECT ${count("broadcast-answered")} AS answered, ${count("solidified")} AS solidified
       FROM finality.attempts AS a WHERE a.run = $1`,
      [run],
    );
    return rows[0] ?? { answered: 0, solidified: 0 };
  }

  /** Calls a function with the number of answered rows until all rows of a run are solidified. */
  async settle(
    run: string,
    rows: number,
    each: (answered: number) => void | Promise<void> = () => undefined,
  ): Promise<void> {
    for (;;) {
      const { answered, solidified } = await this.progress(run).catch(() => ({ answered: 0, solidified: 0 }));
      if (solidified >= rows) return;
      await each(answered);
      await wait(LOOK_MS);
    }
  }

  /** Payments in a second, from the first committed attempt to the last answer, by the clock of the database. */
  async rate(run: string): Promise<number> {
    const { rows } = await this.#sql.query<{ rate: number }>(
      `SELECT (count(DISTINCT a.tx_id) / extract(epoch FROM max(j.written_at) - min(a.committed_at)))::float8 AS rate
       FROM finality.attempts AS a JOIN finality.journal AS j ON j.tx_id = a.tx_id AND j.kind = 'broadcast-answered'
       WHERE a.run = $1`,
      [run],
    );
    return rows[0]?.rate ?? 0;
  }

  /** Replaces the newest blocks of the chain. */
  async reorganize(transactions: "return" | "lost"): Promise<void> {
    await fetch(`${this.chain.url}/local/fork`, { method: "POST", body: JSON.stringify({ blocks: 2, transactions }) });
  }

  async height(): Promise<number> {
    const answer = await fetch(`${this.chain.url}/local/status`);
    return ((await answer.json()) as { solidHeight: number }).solidHeight;
  }

  setFaults(faults: GatewayFaults): void {
    this.gateway.faults = faults;
  }

  check(): Promise<PaymentCheck> {
    return checkPayments(this.chain.url, this.#config);
  }

  /** Ends all workers in order. @returns their exit codes */
  async endWorkers(): Promise<readonly (number | null)[]> {
    for (const { child } of this.workers) child.kill("SIGTERM");
    return await Promise.all(this.workers.map(({ ended }) => ended));
  }

  async close(): Promise<void> {
    for (const { child } of this.workers) child.kill("SIGKILL");
    this.chain.child.kill("SIGKILL");
    await Promise.all([...this.workers, this.chain].map(({ ended }) => ended));
    await this.#sql.end();
    await this.store.close();
    await Promise.all([this.gateway.close(), this.tracking.close(), this.database.close()]);
    this.server.stop();
  }
}
