/** Response codes of a broadcast (api.proto, Return.response_code). */
export type ResponseCode =
  | "SUCCESS"
  | "SIGERROR"
  | "CONTRACT_VALIDATE_ERROR"
  | "CONTRACT_EXE_ERROR"
  | "BANDWITH_ERROR"
  | "DUP_TRANSACTION_ERROR"
  | "TAPOS_ERROR"
  | "TOO_BIG_TRANSACTION_ERROR"
  | "TRANSACTION_EXPIRATION_ERROR"
  | "SERVER_BUSY"
  | "NO_CONNECTION"
  | "BLOCK_UNSOLIDIFIED"
  | "OTHER_ERROR";

/** Refusal of a transaction, with the node's message without the prefix of its code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ResponseCode;

  constructor(code: ResponseCode, message: string) {
    super(message);
    this.code = code;
  }
}

const PREFIXES: { readonly [code in ResponseCode]?: string } = {
  SIGERROR: "Validate signature error: ",
  CONTRACT_VALIDATE_ERROR: "Contract validate error : ",
  CONTRACT_EXE_ERROR: "Contract execute error : ",
  OTHER_ERROR: "Error: ",
};

/** Returns the message of a broadcast response; builders print `message` alone. */
export function broadcastMessage(refusal: Refusal): string {
  return `${PREFIXES[refusal.code] ?? ""}${refusal.message}`;
}

export function invalidContract(message: string): Refusal {
  return new Refusal("CONTRACT_VALIDATE_ERROR", message);
}

export function insufficientResources(): Refusal {
  return new Refusal("BANDWITH_ERROR", "Account resource insufficient error.");
}

export function expired(): Refusal {
  return new Refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
}
