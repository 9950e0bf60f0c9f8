import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import type { ScenarioNames, Step } from "./scenario.ts";

const LONG_HEX = 4096;

/** An answer without what is absent. */
function present(fields: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[];
}

/** The text of a message: it is hex, or text already. */
export function messageText(message: Json | undefined): string | undefined {
  if (message === undefined) return undefined;
  const text = String(message);
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, "hex").toString("utf8") : text;
}

/** Answers in the form that scenarios keep them in. */
export class ScenarioViews {
  readonly #names: ScenarioNames;

  constructor(names: ScenarioNames) {
    this.#names = names;
  }

  text(message: Json | undefined): string | undefined {
    const text = messageText(message);
    return text === undefined ? undefined : this.#names.maskText(text);
  }

  refusal(answer: JsonObject): JsonObject {
    return present({ result: answer.result, code: answer.code, message: this.text(answer.message) });
  }

  /** An answer to a constant call or an estimate. */
  constant(answer: JsonObject, step: Step): JsonObject {
    const results = answer.constant_result as readonly string[] | undefined;
    this.#save(step, results);
    const internal = this.#internal(answer.internal_transactions, step);
    const log = this.#logs(answer.logs, step);
    const transaction = answer.transaction as JsonObject | undefined;
    return present({
      result: this.refusal(answer.result as JsonObject),
      ret: objects(transaction?.ret)[0]?.ret,
      energy_used: answer.energy_used,
      energy_penalty: answer.energy_penalty,
      energy_required: answer.energy_required,
      constant_result: results?.map((it) => this.#hex(it)),
      log,
      internal,
    });
  }

  /** The information of a transaction. */
  info(info: JsonObject, step: Step): JsonObject {
    const results = info.contractResult as readonly string[];
    this.#save(step, results);
    const internal = this.#internal(info.internal_transactions, step);
    const log = this.#logs(info.log, step);
    const contract = info.contract_address;
    return present({
      result: info.result,
      receipt: info.receipt,
      fee: info.fee,
      contractResult: results.map((it) => this.#hex(it)),
      resMessage: this.text(info.resMessage),
      contract: contract === undefined ? undefined : this.#names.reference(String(contract)),
      unfreeze_amount: info.unfreeze_amount,
      log,
      internal,
    });
  }

  account(answer: JsonObject): JsonObject {
    const exists = answer.address !== undefined;
    return present({ exists, balance: exists ? (answer.balance ?? 0) : undefined, type: answer.type });
  }

  contract(answer: JsonObject): JsonObject {
    const exists = answer.contract_address !== undefined;
    const { consume_user_resource_percent: percent = 0, abi } = answer;
    return present({
      exists,
      name: answer.name,
      consume_user_resource_percent: exists ? percent : undefined,
      origin_energy_limit: answer.origin_energy_limit,
      version: answer.version,
      abiEntries: ((abi as JsonObject | undefined)?.entrys as readonly Json[] | undefined)?.length,
    });
  }

  #hex(hex: string): string {
    const masked = this.#names.mask(hex);
    if (masked.length <= LONG_HEX) return masked;
    const digits = masked.replaceAll(/<[^>]*>/g, "a".repeat(40)).length;
    return `bytes:${digits / 2} sha256:${createHash("sha256").update(masked).digest("hex")}`;
  }

  #save({ save = {} }: Step, results: readonly string[] | undefined): void {
    for (const [name, { word = 0, index = 0 }] of Object.entries(save)) {
      const found = results?.[index]?.slice(64 * word, 64 * word + 64) ?? "";
      if (found.length === 64 && !/^0+$/.test(found)) this.#names.set(name, found.slice(24));
    }
  }

  #logs(list: Json | undefined, { id }: Step): Json | undefined {
    const logs = objects(list);
    if (logs.length === 0) return undefined;
    for (const [index, { address }] of logs.entries()) this.#names.learn(String(address), `new.${id}.log${index}`);
    return logs.map(({ address, topics, data }) =>
      present({
        address: this.#names.reference(String(address)),
        topics: ((topics ?? []) as readonly string[]).map((it) => this.#names.mask(it)),
        data: data === undefined ? undefined : this.#hex(String(data)),
      }),
    );
  }

  #internal(list: Json | undefined, { id }: Step): Json | undefined {
    const transactions = objects(list);
    if (transactions.length === 0) return undefined;
    let met = 0;
    for (const it of transactions) {
      if (this.#names.learn(String(it.caller_address), `new.${id}.${met}`)) met += 1;
      if (this.#names.learn(String(it.transferTo_address), `new.${id}.${met}`)) met += 1;
    }
    return {
      count: transactions.length,
      rejected: transactions.filter((it) => it.rejected).length,
      list: transactions.map((it) =>
        present({
          note: messageText(it.note),
          rejected: it.rejected,
          from: this.#names.reference(String(it.caller_address)),
          to: this.#names.reference(String(it.transferTo_address)),
          value: valueText(objects(it.callValueInfo)),
        }),
      ),
    };
  }
}

function valueText(values: readonly JsonObject[]): string {
  const text = ({ callValue = 0, tokenId }: JsonObject): string =>
    tokenId === undefined ? String(callValue) : `${String(callValue)} of ${String(tokenId)}`;
  return values.map(text).join("+");
}
