import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import {
  authorizingKey,
  bech32,
  expandedKey,
  incomingViewingKey,
  nullifierKey,
  randomDiversifier,
  randomKey,
  randomScalar,
  spendSignature,
  transmissionKey,
} from "../chain/shielded-keys.ts";
import { badItem, JavaError, validateException } from "../http/java-error.ts";
import { looseHex, textValue } from "../http/java-values.ts";
import type { Fields, Values } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import {
  addressBytes,
  type BodyReader,
  bodyText,
  invokedOnNull,
  parameter,
  plainText,
  presentBody,
  queryNumber,
  queryVisible,
  type Route,
  readBody,
  type ServletRequest,
} from "./route.ts";

const KEY_LENGTH = 32;
const DIVERSIFIER_LENGTH = 11;
const MOST_BLOCKS = 1_000;
const ADDRESS_PREFIX = "ztron";

const VALUE: Fields = { value: "bytes" };
const SPENDING: Fields = { ask: "bytes", tx_hash: "bytes", alpha: "bytes" };
const RANGE: Fields = { start_block_index: "int64", end_block_index: "int64" };

/**
 * Shielded tokens: keys can be made, and nobody has a note. What needs the contract of such a token is refused as on a
 * chain that has none.
 */
export const shieldedRoutes: readonly Route[] = [
  ofKey("getexpandedspendingkey", "spendingKey", (key) => printed({ ...expandedKey(key) })),
  ofKey("getakfromask", "ask", (key) => printed({ value: authorizingKey(key) })),
  ofKey("getnkfromnsk", "nsk", (key) => printed({ value: nullifierKey(key) })),
  random("getspendingkey", () => printed({ value: randomKey() })),
  random("getnewshieldedaddress", newAddress),
  random("getdiversifier", () => printed({ d: randomDiversifier() })),
  { ...random("getrcm", () => printed({ value: randomScalar() })), post: () => printed({ value: randomScalar() }) },
  ofTexts("getincomingviewingkey", ["ak", "nk"], bodyText, viewingKey),
  ofTexts("getzenpaymentaddress", ["ivk", "d"], plainText, paymentAddress),
  shieldedRoute("createspendauthsig", {
    post: (request) => authorize(readBody(request, SPENDING).values),
    get: "empty",
  }),
  {
    ...refusing("isshieldedtrc20contractnotespent", {}, () => zksnark("paymentAddress format is wrong")),
    solidity: true,
  },
  refusing("createshieldedcontractparameters", {}, noShieldedContract, plainText),
  refusing("createshieldedcontractparameterswithoutask", {}, noShieldedContract),
  refusing("gettriggerinputforshieldedtrc20contract", {}, () => zksnark("invalid shielded TRC-20 parameters type")),
  scan("scanshieldedtrc20notesbyivk"),
  scan("scanshieldedtrc20notesbyovk"),
];

function shieldedRoute(name: string, handlers: Pick<Route, "get" | "post">): Route {
  return { name, servlet: `${name}Servlet`, solidity: false, ...handlers };
}

function ofKey(name: string, keyName: string, answer: (key: Uint8Array) => Reply): Route {
  const checked = (key: Uint8Array): Reply => {
    if (key.length !== KEY_LENGTH) throw badItem(`the length of ${keyName}'s hexString should be 64`);
    return answer(key);
  };
  return shieldedRoute(name, {
    post: (request) => checked(hexToBytes(String(readBody(request, VALUE).values.value ?? ""))),
    get: (request) => checked(looseHex(parameter(request, "value") ?? "")),
  });
}

function random(name: string, answer: () => Reply): Route {
  return shieldedRoute(name, {
    post: (request) => {
      presentBody(bodyText(request));
      return answer();
    },
    get: answer,
  });
}

function newAddress(): Reply {
  const sk = randomKey();
  const { ask, nsk, ovk } = expandedKey(sk);
  const [ak, nk] = [authorizingKey(ask), nullifierKey(nsk)];
  const [ivk, d] = [incomingViewingKey(ak, nk), randomDiversifier()];
  const pkD = transmissionKey(ivk, d) ?? new Uint8Array();
  return spaced({ ...hexOf({ sk, ask, nsk, ovk, ak, nk, ivk, d, pkD }), payment_address: encodeAddress(d, pkD) });
}

type OfTexts = (first: Uint8Array, second: Uint8Array) => Reply;

function ofTexts(name: string, names: readonly [string, string], read: BodyReader, answer: OfTexts): Route {
  const [first, second] = names;
  return shieldedRoute(name, {
    post: (request) => {
      const json = presentBody(read(request));
      if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getString(String)");
      return answer(looseHex(textValue(json, first) ?? ""), looseHex(textValue(json, second) ?? ""));
    },
    get: (request) => answer(looseHex(parameter(request, first) ?? ""), looseHex(parameter(request, second) ?? "")),
  });
}

function viewingKey(ak: Uint8Array, nk: Uint8Array): Reply {
  checkLength(ak, KEY_LENGTH);
  checkLength(nk, KEY_LENGTH);
  return printed({ ivk: incomingViewingKey(ak, nk) });
}

function paymentAddress(ivk: Uint8Array, d: Uint8Array): Reply {
  checkLength(d, DIVERSIFIER_LENGTH);
  const pkD = transmissionKey(ivk, d);
  if (pkD === undefined) throw badItem("d is not valid");
  checkLength(ivk, KEY_LENGTH);
  return spaced({ d: hexOf({ d }), ...hexOf({ pkD }), payment_address: encodeAddress(d, pkD) });
}

function encodeAddress(d: Uint8Array, pkD: Uint8Array): string {
  return bech32(ADDRESS_PREFIX, Uint8Array.of(...d, ...pkD));
}

function authorize(values: Values): Reply {
  const [ask, alpha, hash] = ["ask", "alpha", "tx_hash"].map((it) => hexToBytes(String(values[it] ?? "")));
  for (const it of [ask, alpha, hash]) checkLength(it ?? new Uint8Array(), KEY_LENGTH);
  const empty = new Uint8Array();
  return printed({ value: spendSignature(ask ?? empty, alpha ?? empty, hash ?? empty) });
}

function refusing(name: string, fields: Fields, refusal: () => Error, read: BodyReader = bodyText): Route {
  return shieldedRoute(name, {
    post: (request) => {
      readBody(request, fields, read);
      throw refusal();
    },
    get: "empty",
  });
}

function scan(name: string): Route {
  return {
    ...shieldedRoute(name, {
      post: (request) => {
        const { values } = readBody(request, RANGE);
        return scanned(Number(values.start_block_index ?? 0), Number(values.end_block_index ?? 0));
      },
      get: (request) => {
        const [start, end] = [queryNumber(request, "start_block_index"), queryNumber(request, "end_block_index")];
        readQueryKeys(request);
        return scanned(start, end);
      },
    }),
    solidity: true,
  };
}

/** @throws {JavaError} not hex, or no address */
function readQueryKeys(request: ServletRequest): void {
  addressBytes(parameter(request, "shielded_TRC20_contract_address"), queryVisible(request));
  for (const name of ["ivk", "ovk", "ak", "nk"]) looseHex(parameter(request, name) ?? "");
}

function scanned(start: number, end: number): Reply {
  if (start >= 0 && end > start && end - start <= MOST_BLOCKS) return compact({});
  throw badItem(
    "request requires start_block_index >= 0 && end_block_index > start_block_index " +
      `&& end_block_index - start_block_index <= ${MOST_BLOCKS}`,
  );
}

/** @throws {JavaError} */
function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length === 0) throw zksnark("param is null");
  if (bytes.length !== length) throw zksnark(`param length must be ${length}`);
}

function printed(fields: Readonly<Record<string, Uint8Array>>): Reply {
  return spaced(hexOf(fields));
}

function hexOf(fields: Readonly<Record<string, Uint8Array>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, bytes]) => [name, bytesToHex(bytes)]));
}

function zksnark(message: string): JavaError {
  return new JavaError("org.tron.core.exception.ZksnarkException", message);
}

function noShieldedContract(): JavaError {
  return validateException("No valid shielded TRC-20 contract address");
}
