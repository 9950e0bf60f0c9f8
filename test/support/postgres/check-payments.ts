import pg from "pg";

/** Result of the check: what the chain and the database have, and nothing that a worker reported. */
export interface PaymentCheck {
  readonly rows: number;
  readonly attempts: number;
  /** Rows that the chain executed more than once. */
  readonly twice: number;
  /** Rows that the chain did not execute, although their run is finished. */
  readonly lost: number;
  /** Transactions of the payer that belong to no row. */
  readonly foreign: number;
  /** Rows whose journal does not say that they are solidified. */
  readonly untracked: number;
}

interface BlockJson {
  readonly transactions?: readonly {
    readonly txID: string;
    readonly ret?: readonly { readonly contractRet?: string }[];
    readonly raw_data: {
      readonly contract: readonly {
        readonly parameter: {
          readonly value: { readonly owner_address: string; readonly to_address?: string; readonly amount?: number };
        };
      }[];
    };
  }[];
}

const BLOCKS_AT_ONCE = 50;

/**
 * Compares all solidified blocks with the rows of the database: SQL and the blocks of the node only, without code of the
 * product. The rows have different amounts, so a payment is recognized whatever its txID.
 */
export async function checkPayments(chainUrl: string, database: pg.ClientConfig): Promise<PaymentCheck> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<{
      row: number;
      owner: string;
      intent: string;
      tx_ids: string[];
      solid: boolean;
    }>(
      `SELECT r."row", r.owner, r.intent, array_agg(a.tx_id) AS tx_ids,
         bool_or(EXISTS (SELECT FROM finality.journal AS j WHERE j.tx_id = a.tx_id AND j.kind = 'solidified')) AS solid
       FROM finality.rows AS r LEFT JOIN finality.attempts AS a ON a.run = r.run AND a."row" = r."row"
       GROUP BY r.run, r."row", r.owner, r.intent`,
    );
    const executed = await executedPayments(chainUrl, new Set(rows.map(({ owner }) => owner)));
    const byPayment = Map.groupBy(executed, ({ payment }) => payment);
    const payments = new Set<string>();
    let [twice, lost] = [0, 0];
    for (const { owner, intent, tx_ids } of rows) {
      const { to, amount } = JSON.parse(intent) as { to: string; amount: string };
      const payment = `${owner} ${to} ${amount}`;
      payments.add(payment);
      const found = byPayment.get(payment) ?? [];
      if (found.length > 1) twice++;
      if (found.length === 0 || !found.every(({ txId }) => tx_ids.includes(txId))) lost++;
    }
    const {
      rows: [counted],
    } = await client.query<{ attempts: number }>("SELECT count(*)::int AS attempts FROM finality.attempts");
    return {
      rows: rows.length,
      attempts: counted?.attempts ?? 0,
      twice,
      lost,
      foreign: executed.filter(({ payment }) => !payments.has(payment)).length,
      untracked: rows.filter(({ solid }) => !solid).length,
    };
  } finally {
    await client.end();
  }
}

async function executedPayments(chainUrl: string, owners: ReadonlySet<string>) {
  const ask = async <T>(path: string, body: object): Promise<T> =>
    (await (await fetch(`${chainUrl}/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
  const { block_header: head } = await ask<{ block_header: { raw_data: { number: number } } }>(
    "walletsolidity/getnowblock",
    {},
  );
  const executed: { readonly txId: string; readonly payment: string }[] = [];
  for (let from = 1; from <= head.raw_data.number; from += BLOCKS_AT_ONCE) {
    const endNum = Math.min(from + BLOCKS_AT_ONCE, head.raw_data.number + 1);
    const { block = [] } = await ask<{ block?: BlockJson[] }>("walletsolidity/getblockbylimitnext", {
      startNum: from,
      endNum,
    });
    for (const { txID, ret, raw_data } of block.flatMap(({ transactions = [] }) => transactions)) {
      const { owner_address, to_address, amount } = raw_data.contract[0]?.parameter.value ?? { owner_address: "" };
      if (owners.has(owner_address) && (ret?.[0]?.contractRet ?? "SUCCESS") === "SUCCESS")
        executed.push({ txId: txID, payment: `${owner_address} ${to_address} ${amount}` });
    }
  }
  return executed;
}
