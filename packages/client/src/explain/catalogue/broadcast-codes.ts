import type { BroadcastCode } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import type { CatalogueEntry } from "./entry.ts";

type Words = Pick<CatalogueEntry, "title" | "cause" | "fix">;

/** Text for a code whose message adds nothing (gateway document, Errors 2; protocol reference §7.2 to §7.4). */
export const broadcastCodeWords: { readonly [C in BroadcastCode]: Words } = {
  SUCCESS: {
    title: t`Accepted into the pool`,
    cause: t`The node keeps the transaction. That is not yet a success: it is not in a block.`,
    fix: t`Follow the txID until it is solidified.`,
  },
  SIGERROR: {
    title: t`The signature is not valid`,
    cause: t`The signature does not fit the raw data and the permission of the account.`,
    fix: t`Check the key, the algorithm (ECDSA on secp256k1, of the SHA-256 of raw_data) and the permission.`,
  },
  CONTRACT_VALIDATE_ERROR: {
    title: t`The contract was refused`,
    cause: t`The data of the transaction or the state of the chain failed the validation.`,
    fix: t`Read the message, and correct the parameters or the state of the account.`,
  },
  CONTRACT_EXE_ERROR: {
    title: t`The contract could not be executed`,
    cause: t`The execution failed before the transaction reached the pool.`,
    fix: t`Read the message, and correct the call or its budget.`,
  },
  BANDWITH_ERROR: {
    title: t`Not enough bandwidth, or too few coins to pay for it`,
    cause: t`The account cannot pay what is due before execution: bandwidth, the creation of an account, several signatures, or a memo.`,
    fix: t`Stake for bandwidth or add coins. Check whether it creates an account, has more than one signature or a memo.`,
  },
  DUP_TRANSACTION_ERROR: {
    title: t`The node has seen this transaction before`,
    cause: t`The same txID is in its pool, in a block, or in its cache. The cache remembers refused transactions too, so this proves no success.`,
    fix: t`Look the txID up: another node may show it.`,
  },
  TAPOS_ERROR: {
    title: t`The reference block is not on this chain`,
    cause: t`The node does not know the block that the transaction refers to: another network, a fork, or a node behind.`,
    fix: t`Compare the network of the transaction with that of the node.`,
  },
  TOO_BIG_TRANSACTION_ERROR: {
    title: t`The transaction is too big`,
    cause: t`Its bytes exceed what a transaction may have (512,000, or less for one that creates an account).`,
    fix: t`Shorten the memo or the data.`,
  },
  TRANSACTION_EXPIRATION_ERROR: {
    title: t`The expiration is over, or too far ahead`,
    cause: t`The expiration has to lie between the time of the next block and 24 hours after the head.`,
    fix: t`Compare the expiration with the time of the head.`,
  },
  SERVER_BUSY: {
    title: t`The node is busy`,
    cause: t`Too many transactions wait in its pool. It did not keep this one.`,
    fix: t`Wait a little, or use another node.`,
  },
  NO_CONNECTION: {
    title: t`The node has no peers`,
    cause: t`It is connected to no other node, so it takes no transactions.`,
    fix: t`Wait, or use another node. A lone development node needs minEffectiveConnection = 0.`,
  },
  NOT_ENOUGH_EFFECTIVE_CONNECTION: {
    title: t`The node has too few synchronised peers`,
    cause: t`It could not, or not surely, hand the transaction on to other nodes.`,
    fix: t`Use another node.`,
  },
  BLOCK_UNSOLIDIFIED: {
    title: t`The chain does not solidify at present`,
    cause: t`The head is too far ahead of the last solidified block, so the node takes no transactions.`,
    fix: t`Wait until blocks are solidified again.`,
  },
  OTHER_ERROR: {
    title: t`The node failed for another reason`,
    cause: t`An error that has no code of its own. For a broadcast it does not tell whether the node kept the transaction.`,
    fix: t`Read the message. Look the txID up before anything new is built.`,
  },
};
