import { hexToBytes, isJsonObject } from "@finality/tron/primitives";
import { JavaError } from "../http/java-error.ts";
import type { Fields, Values } from "../http/json-format.ts";
import { type Reply, spaced } from "../http/message.ts";
import { type Route, readBody, type View } from "./route.ts";

const BLOCK: Fields = { hash: "bytes", number: "int64" };
const ACCOUNT_AND_BLOCK: Fields = {
  account_identifier: { fields: { address: "address" } },
  block_identifier: { fields: BLOCK },
};
const HASH_LENGTH = 32;

/** Balances of the past, as a node answers that does not keep them (`storage.balance.history.lookup`, usually off). */
export const balanceHistoryRoutes: readonly Route[] = [
  {
    name: "getaccountbalance",
    servlet: "GetAccountBalanceServlet",
    solidity: false,
    post: (request, view) => accountBalance(view, readBody(request, ACCOUNT_AND_BLOCK).values),
    get: "refused",
  },
  {
    name: "getblockbalance",
    servlet: "GetBlockBalanceServlet",
    solidity: false,
    post: (request, view) => blockBalance(view, readBody(request, BLOCK).values),
    get: "refused",
  },
];

function accountBalance(view: View, values: Values): Reply {
  const account = inner(values, "account_identifier");
  if (account === undefined) throw illegalArgument("account_identifier is null");
  if ((account.address ?? "") === "") throw illegalArgument("account_identifier address is null");
  const block = inner(values, "block_identifier");
  if (block === undefined) throw illegalArgument("block_identifier null");
  const { number, hash } = checkBlock(view, block);
  return spaced({ balance: 0, block_identifier: { hash, number } });
}

function blockBalance(view: View, values: Values): Reply {
  checkBlock(view, values);
  throw notFound("This block does not exist");
}

/** @throws {JavaError} it names no block, or two */
function checkBlock(view: View, values: Values): { readonly number: number; readonly hash: string } {
  const [number, hash] = [Number(values.number ?? 0), String(values.hash ?? "")];
  if (number < 0) throw illegalArgument("block_identifier number less than 0");
  if (hexToBytes(hash).length !== HASH_LENGTH) throw illegalArgument("block_identifier hash length not equals 32");
  const block = view.block(number);
  if (block === undefined) throw notFound(`number: ${values.number} is not found!`);
  if (block.id !== hash) throw illegalArgument("number and hash do not match");
  return { number, hash };
}

function inner(values: Values, name: string): Values | undefined {
  const value = values[name];
  return isJsonObject(value) ? (value as Values) : undefined;
}

function illegalArgument(message: string): JavaError {
  return new JavaError("java.lang.IllegalArgumentException", message);
}

function notFound(message: string): JavaError {
  return new JavaError("org.tron.core.exception.ItemNotFoundException", message);
}
