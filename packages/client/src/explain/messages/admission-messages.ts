import type { BroadcastCode } from "@finality/tron/node-messages";
import { t } from "@vscode/l10n";
import { type CatalogueEntry, group } from "./template.ts";

/**
 * Messages of a broadcast that do not come from the validation of one kind of contract (protocol reference §4.4, §5,
 * §7.2).
 */
export const admissionMessages = [
  ...group({ category: "validation", source: "gateway document, Errors 2; protocol reference §7.2" }, [
    [
      "transaction-expired",
      [
        "Transaction expired",
        "Transaction expiration time is {expiration}, but next slot time is {next}",
        "Transaction expiration, transaction expiration time is {expiration}, but headBlockTime is {head}",
      ],
      t`The transaction expired, or its expiration is too far ahead`,
      t`The node tests the expiration against the chain's own time: it has to be later than the next block and at most 24 hours after the head.`,
      t`Compare the expiration with the time of the head.`,
    ],
    [
      "duplicate-pending-or-included",
      ["Dup transaction.", "dup trans", "dup trans : {txId}"],
      t`The node holds this transaction already`,
      t`It is in the pool of this node or in a block. Nothing was done a second time.`,
      t`Another synchronised node shows what became of it.`,
    ],
    [
      "duplicate-in-cache",
      "Transaction already exists.",
      t`The node remembers this transaction`,
      t`A cache knows the txID. It also remembers transactions that were refused, so the node may hold nothing.`,
      t`Look the txID up. The first answer names the reason.`,
    ],
    [
      "tapos",
      ["Tapos check error.", "Tapos failed, different block hash, {rest}", "Tapos failed, block not found, {rest}"],
      t`The reference block is not on this chain`,
      t`The node knows no recent block with the reference of this transaction: another network, a fork, or a node that is behind.`,
      t`Compare the network of the transaction with that of the node.`,
    ],
    [
      "account-resource-insufficient",
      [
        "Account resource insufficient error.",
        "account resource insufficient",
        "account [{account}] has insufficient bandwidth[{bandwidth}] and balance[{balance}] to create new account",
        "account {account} insufficient balance[{balance}] to {what}",
      ],
      t`Not enough bandwidth, or too few coins to pay for it`,
      t`The account cannot pay what is due before execution: bandwidth, 0.1 coins for a new account, the fee of several signatures, or the fee of a memo. The node does not say which.`,
      t`Add coins or stake for bandwidth.`,
    ],
    [
      "too-big",
      [
        "Too big transaction with result, TxId {txId}, the size is {size} bytes, maxTxSize {maximum}",
        "Too big transaction, TxId {txId}, the size is {size} bytes, maxTxSize {maximum}",
      ],
      t`The transaction is too big`,
      t`It has {size} bytes; {maximum} are allowed, with 128 kept for the result.`,
      t`Shorten the memo or the data.`,
    ],
    [
      "too-big-new-account",
      "Too big new account transaction, TxId {txId}, the size is {size} bytes, maxTxSize {maximum}",
      t`Too big for a transaction that creates an account`,
      t`It has {size} bytes without its signatures; {maximum} are allowed where an account is created.`,
      t`Leave the memo out, or activate the account with a transaction of its own first.`,
    ],
    [
      "too-big-result",
      "Too big transaction result, TxId {txId}{rest}",
      t`The result of the transaction is too big`,
      t`The result of the execution exceeds the size that a transaction may have.`,
      t`Look the txID up first. When it is nowhere and can no longer be executed, let the contract return or log less.`,
    ],
    [
      "server-busy",
      ["Server busy.", "failed, too many pending{rest}"],
      t`The node is busy`,
      t`Too many transactions wait in its pool. It did not keep this one.`,
      t`Wait a little, or use another node.`,
    ],
    [
      "no-connection",
      "No connection.",
      t`The node has no peers`,
      t`It is connected to no other node, so it takes no transactions.`,
      t`Wait, or use another node. A lone development node needs minEffectiveConnection = 0.`,
    ],
    [
      "too-few-peers",
      "Effective connection:{connections} lt minEffectiveConnection:{minimum}",
      t`The node has too few synchronised peers`,
      t`It has {connections} where its configuration asks for {minimum}, and did not keep the transaction.`,
      t`Wait, or use another node.`,
    ],
    [
      "not-relayed",
      "P2P broadcast failed.",
      t`The node keeps the transaction, but told no other node`,
      t`It is in the pool of this node, and no peer took it. It may be executed.`,
      t`Follow the txID, and use another node.`,
    ],
    [
      "other-null",
      "Error: null",
      t`The node failed and does not say why`,
      t`It met an exception without a text. It is not known whether it kept the transaction.`,
      t`Look the txID up. Use another node if it happens again.`,
    ],
    [
      "block-unsolidified",
      "Block unsolidified.",
      t`The chain does not solidify at present`,
      t`The head is too far ahead of the last solidified block, so this node takes no transactions.`,
      t`Wait until blocks are solidified again.`,
    ],
    [
      "no-contract",
      "No contract!",
      t`The node found no contract in the transaction`,
      t`Mostly the field visible is missing or differs from how the addresses are written, so that the node could not read them.`,
      t`Send visible as it was when the transaction was built: true with T… addresses, false with 41….`,
    ],
    [
      "not-one-contract",
      "tx {txId} contract size should be exactly 1, this is extend feature ,actual :{count}",
      t`A transaction holds exactly one contract`,
      t`This one holds {count}.`,
      t`Make a transaction of each.`,
    ],
    [
      "wrong-contract-type",
      "contract type error, expected type [{expected}], real type [{actual}]",
      t`The contract is of another type than it says`,
      t`{expected} was announced, {actual} is inside.`,
      t`Let type and parameter.type_url name the same contract.`,
    ],
    [
      "account-unknown-here",
      [
        "account [{account}] does not exist",
        "account does not exist",
        "account has not been activated",
        "account is not activated",
        "account not activated",
      ],
      t`The account does not exist`,
      t`The sender, or the recipient that the transaction names, was never activated: an address exists on the chain once it received something.`,
      t`Look both addresses up, and send a small amount of coins to the one without an account.`,
    ],
    [
      "balance-insufficient",
      ["balance is not sufficient", "could not deploy due to insufficient funds"],
      t`Balance is not sufficient`,
      t`The sender cannot pay the amount and what comes with it.`,
      t`Top up the account and check the fee budget. Do not rebuild.`,
    ],
    [
      "contract-error",
      ["Validate {contract} contract error, {rest}", "Validate {contract}Contract error, {rest}"],
      t`The contract failed its validation`,
      t`The node refuses the {contract} contract: {rest}. Often a parameter is encoded in another way than it expects.`,
      t`Read the rest of the message and check how the parameters are encoded.`,
    ],
  ]),
  ...group(
    { category: "validation", retry: "sign-again", source: "gateway document, Errors 2; protocol reference §4.4" },
    [
      [
        "signature-error",
        [
          "signature error",
          "Validate signature error",
          "{transaction} transaction signature validate failed",
          "trans sig validate failed, id: {transaction}",
        ],
        t`The signature is not valid`,
        t`The check failed: the encoding differs (such as a mixed use of visible), or raw_data changed after it was built.`,
        t`Correct the encoding (visible alike in all requests). Leave raw_data as it is, and use the right key. Never send this signature again.`,
      ],
      [
        "signature-missing",
        "miss sig or contract",
        t`There is no signature`,
        t`The node received the transaction without a signature, or without a contract.`,
        t`Sign it, and send the list signature with it.`,
      ],
      [
        "too-many-signatures",
        "too many signatures",
        t`Too many signatures`,
        t`More than five were sent.`,
        t`Send only signatures that the permission needs.`,
      ],
      [
        "permission-unknown",
        ["permission isn't exit", "Permission for this, does not exist", "Account is not exist!"],
        t`The account has no such permission`,
        t`Permission_id names a permission that the account does not have.`,
        t`Use a permission of the account: 0 is owner, 2 the first active one.`,
      ],
      [
        "permission-type",
        ["Permission type is error", "Permission type is wrong"],
        t`This permission cannot sign transactions`,
        t`Permission_id names a permission that is not active, such as that of a witness.`,
        t`Use 0 (owner), or 2 and above (active).`,
      ],
      [
        "permission-operations-size",
        "operations size must be 32",
        t`The permission is damaged`,
        t`Its list of operations does not have 32 bytes.`,
        t`Update the permissions of the account.`,
      ],
      [
        "permission-denied",
        "Permission denied",
        t`The permission does not allow this contract`,
        t`Its operations leave out this type of contract.`,
        t`Sign with another permission, or add the type to the operations.`,
      ],
      [
        "too-many-signatures-for-permission",
        "Signature count is {count} more than key counts of permission : {keys}",
        t`More signatures than keys`,
        t`{count} signatures were sent, the permission has {keys}.`,
        t`Send each signature once.`,
      ],
      [
        "signature-size",
        "Signature size is {size}",
        t`A signature has the wrong size`,
        t`It has {size} bytes; 65 belong to it.`,
        t`Sign again; r, s and v make 65 bytes.`,
      ],
      [
        "signature-unreadable",
        [
          "java.security.SignatureException: Header byte out of range: {value}",
          "java.lang.IllegalArgumentException: Invalid point compression",
          "java.security.SignatureException: Could not recover public key from signature",
          "Header byte out of range: {value}",
          "Invalid point compression",
          "Could not recover public key from signature",
          "Signature truncated, expected 65 bytes and got {size}",
          "Could not decode base64",
        ],
        t`The signature cannot be read`,
        t`No key can be recovered from it: its bytes were changed, or it was made for another curve.`,
        t`Sign the raw data again.`,
      ],
      [
        "signed-by-a-stranger",
        [
          "{signature} is signed by {address} but it is not contained of permission.",
          "{signature}'s address is {address} but it is not contained of permission.",
        ],
        t`Signed by a key that the permission does not hold`,
        t`The signature belongs to {address}. A random address means that raw_data changed after signing.`,
        t`Sign the unchanged raw data with a key of the permission. The node hashes what it reads in raw_data: send it as it was built.`,
      ],
      [
        "signed-twice",
        ["{address} has signed twice!", "{address} had signed!"],
        t`One key signed twice`,
        t`{address} signed already; each key counts once.`,
        t`Let another key of the permission sign.`,
      ],
      [
        "weight-below-threshold",
        "sig error",
        t`Too few signatures`,
        t`The weight of the keys that signed is below the threshold of the permission.`,
        t`Add signatures of further keys; the ones that are there stay valid.`,
      ],
    ],
  ),
];

type DiagnosisTexts = Pick<CatalogueEntry, "title" | "cause" | "fix">;

/** Text for a code whose message adds nothing (gateway document, Errors 2; protocol reference §7.2 to §7.4). */
export const broadcastCodeMessages: { readonly [C in BroadcastCode]: DiagnosisTexts } = {
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
