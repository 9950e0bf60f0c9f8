import { TronWeb } from "tronweb";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { bytesToHex, hexToBytes } from "../../../packages/tron/src/primitives/bytes.ts";
import { referenceTo, type Validity } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { ABISchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { Intent, IntentOf, PermissionIntent, Resource } from "../../../packages/tron/src/transaction/intent.ts";
import { readMessage } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { messageToJson } from "../../../packages/tron/src/transaction/transaction-json.ts";

/** A transaction that TronWeb built for an intent. */
interface TronWebTransaction {
  readonly txID: string;
  readonly raw_data_hex: string;
}

/** Nothing listens there: a call that is not local would fail at once. */
const builder = new TronWeb({ fullHost: "http://127.0.0.1:9" }).transactionBuilder;

/** The same intent built by TronWeb without a node: a second opinion that shares no code with ours. */
export async function buildWithTronWeb(intent: Intent, validity: Validity): Promise<TronWebTransaction> {
  const reference = referenceTo(validity.referenceBlock);
  const blockHeader = {
    ref_block_bytes: bytesToHex(reference.bytes),
    ref_block_hash: bytesToHex(reference.hash),
    expiration: validity.expiration,
    timestamp: validity.timestamp,
  };
  const common = intent.permissionId === undefined ? {} : { permissionId: intent.permissionId };
  const built = await build(intent, { blockHeader, ...common });
  if (intent.memo === undefined) return built;
  return builder.addUpdateData(built as never, intent.memo, "hex", { txLocal: true });
}

type Options = { readonly blockHeader: object; readonly permissionId?: number };

async function build(intent: Intent, options: Options): Promise<TronWebTransaction> {
  const { owner } = intent;
  const input = options as never;
  switch (intent.kind) {
    case "transfer":
      return builder.sendTrx(intent.to, Number(intent.amount), owner, input);
    case "token-transfer":
      return builder.sendToken(intent.to, Number(intent.amount), intent.tokenId, owner, input);
    case "contract-call":
      return call(intent, options);
    case "contract-creation":
      return builder.createSmartContract(creation(intent, options), owner);
    case "stake":
      return builder.freezeBalanceV2(Number(intent.amount), resourceOf(intent), owner, input);
    case "unstake":
      return builder.unfreezeBalanceV2(Number(intent.amount), resourceOf(intent), owner, input);
    case "withdraw":
      return builder.withdrawExpireUnfreeze(owner, input);
    case "cancel-unstakes":
      return builder.cancelUnfreezeBalanceV2(owner, input);
    case "other":
      throw new TypeError(`Nobody is asked to build ${intent.type}.`);
    case "claim-reward":
      return builder.withdrawBlockRewards(owner, input);
    case "account-creation":
      return builder.createAccount(intent.account, owner, input);
    case "account-name":
      return builder.updateAccount(intent.name, owner, input);
    case "contract-share":
      return builder.updateSetting(intent.contract, Number(intent.userPercent), owner, input);
    case "contract-limit":
      return builder.updateEnergyLimit(intent.contract, Number(intent.originEnergyLimit), owner, input);
    case "contract-abi-removal":
      return builder.clearABI(intent.contract, owner, input);
    case "delegate":
      return delegate(intent, input);
    case "undelegate":
      return builder.undelegateResource(Number(intent.amount), intent.receiver, intent.resource, owner, input);
    case "permission-update":
      return permissionUpdate(intent, input);
    case "vote":
      return builder.vote(Object.fromEntries(intent.votes.map((it) => [it.witness, Number(it.count)])), owner, input);
  }
}

/** TronWeb types no other; at another one it throws. */
function resourceOf({ resource }: IntentOf<"stake" | "unstake">): Resource {
  return resource as Resource;
}

async function call(intent: IntentOf<"contract-call">, options: Options): Promise<TronWebTransaction> {
  const details = {
    ...options,
    txLocal: true,
    input: intent.data,
    feeLimit: Number(intent.feeLimit),
    callValue: Number(intent.callValue),
    tokenId: Number(intent.tokenId ?? 0n),
    tokenValue: Number(intent.tokenValue ?? 0n),
  };
  const { contract, owner } = intent;
  return (await builder.triggerSmartContract(contract, "", details as never, [], owner)).transaction;
}

function creation(intent: IntentOf<"contract-creation">, options: Options): never {
  const { entrys = [] } = messageToJson(ABISchema, readMessage(ABISchema, hexToBytes(intent.abi), "abi"), false);
  return {
    ...options,
    abi: { entrys: (entrys as readonly { type: string }[]).map((it) => ({ ...it, type: it.type.toLowerCase() })) },
    bytecode: intent.bytecode,
    rawParameter: "0x",
    name: intent.name,
    feeLimit: Number(intent.feeLimit),
    callValue: Number(intent.callValue),
    userFeePercentage: Number(intent.userPercent),
    originEnergyLimit: Number(intent.originEnergyLimit),
  } as never;
}

function delegate(intent: IntentOf<"delegate">, options: never): Promise<TronWebTransaction> {
  const { owner, amount, receiver, resource, lockPeriod } = intent;
  const locked = lockPeriod !== undefined;
  const period = locked ? Number(lockPeriod) : undefined;
  return builder.delegateResource(Number(amount), receiver, resource, owner, locked, period as never, options);
}

function permissionUpdate(intent: IntentOf<"permission-update">, options: never): Promise<TronWebTransaction> {
  const { owner, ownerPermission, witnessPermission, activePermissions } = intent;
  return builder.updateAccountPermissions(
    owner,
    permission(0, ownerPermission),
    witnessPermission === undefined ? (undefined as never) : permission(1, witnessPermission),
    activePermissions.map((it) => permission(2, it)),
    options,
  );
}

function permission(type: number, { name, threshold, keys, operations }: PermissionIntent): never {
  return {
    type,
    permission_name: name,
    threshold: Number(threshold),
    keys: keys.map(({ address, weight }: { address: Address; weight: bigint }) => ({
      address,
      weight: Number(weight),
    })),
    ...(operations === undefined ? {} : { operations }),
  } as never;
}

interface ClientOptions {
  readonly fullHost: string;
  readonly privateKey: string;
}

/** Members that have named methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set([
  "trx",
  "transactionBuilder",
  "utils",
  "abi",
  "address",
  "read",
  "write",
]);

/** TronWeb as it is published, and a list of whatever was called of it. */
export class TronWebMethods {
  readonly #tried = new Set<string>();

  client(options: ClientOptions): TronWeb {
    return this.#watched(new TronWeb({ ...options, disablePlugins: true }), "");
  }

  /** A contract that a client made. */
  contract<Contract extends object>(contract: Contract): Contract {
    return this.#watched(contract, "contract().");
  }

  /** Prints the called methods in alphabetical order. */
  print(): void {
    const names = [...this.#tried].sort();
    process.stdout.write(`      TronWeb methods tried (${names.length}): ${names.join(", ")}\n`);
  }

  #watched<Target extends object>(target: Target, path: string): Target {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (name === "methods" && typeof value === "object" && value !== null) return this.#calls(value);
        if (typeof value === "object" && value !== null && PARTS.has(name)) {
          return this.#watched(value, `${path}${String(name)}.`);
        }
        if (typeof value !== "function" || typeof name === "symbol" || /^[A-Z]/.test(name)) return value;
        return (...values: readonly unknown[]): unknown => {
          this.#tried.add(`${path}${name}`);
          return Reflect.apply(value, object, values);
        };
      },
    });
  }

  /** A contract's own methods go by names of their own; what they offer is the same for all of them. */
  #calls(methods: object): object {
    return new Proxy(methods, {
      get: (object, name) => {
        const make: unknown = Reflect.get(object, name);
        if (typeof make !== "function") return make;
        return (...values: readonly unknown[]): unknown =>
          this.#watched(Reflect.apply(make, object, values) as object, "contract().methods.x().");
      },
    });
  }
}
