/** One executed transfer: its txID, and its amount in sun, which names the payment. */
export interface ExecutedTransfer {
  readonly txId: string;
  readonly amount: number;
}

interface Block {
  readonly block_header: { readonly raw_data: { readonly number?: number } };
  readonly transactions?: readonly {
    readonly txID: string;
    readonly raw_data: {
      readonly contract: readonly { readonly parameter: { readonly value: Readonly<Record<string, unknown>> } }[];
    };
  }[];
}

/** Every transfer from an account in the solidified blocks of a chain, as the chain itself tells it. */
export async function executedTransfers(baseUrl: string, owner: string): Promise<readonly ExecutedTransfer[]> {
  const { block_header: newest } = await ask(baseUrl, "getnowblock", {});
  const found: ExecutedTransfer[] = [];
  for (let num = 1; num <= (newest.raw_data.number ?? 0); num++) {
    const { transactions = [] } = await ask(baseUrl, "getblockbynum", { num });
    for (const { txID, raw_data } of transactions) {
      const { owner_address, amount } = raw_data.contract[0]?.parameter.value ?? {};
      if (owner_address === owner) found.push({ txId: txID, amount: Number(amount) });
    }
  }
  return found;
}

async function ask(baseUrl: string, method: string, body: object): Promise<Block> {
  const answer = await fetch(`${baseUrl}/walletsolidity/${method}`, {
    method: "POST",
    body: JSON.stringify({ ...body, visible: true }),
  });
  return (await answer.json()) as Block;
}
