import type { Address } from "@finality/tron/primitives";
import { type Account, isUsual, newAccount, usualOperations } from "./account.ts";
import type { Packing } from "./table.ts";

/** What an account has that others have not: what is not named is as a new account has it. */
type PackedAccount = Partial<Account> & { readonly operations?: Uint8Array };

const NO_OPERATIONS = new Uint8Array();
/** Accounts in solidified state have their tokens apart: that it is so need not be kept with each. */
const PLAIN: { readonly [field: string]: unknown } = {
  ...newAccount("" as Address, 0, NO_OPERATIONS),
  tokensApart: true,
};

/** A million accounts that have coins and nothing else take 250 MB so, and six times as much as they are used. */
export const accountPacking: Packing<Address, Account> = {
  pack: (account) => {
    const packed: { [field: string]: unknown } = {};
    for (const field in account) {
      const value = account[field as keyof Account];
      if (value !== PLAIN[field] && field !== "address" && !isUsual(value)) packed[field] = value;
    }
    const operations = usualOperations(account);
    return operations === undefined ? packed : { ...packed, operations };
  },

  unpack: (address, packed) => {
    const { operations = NO_OPERATIONS, ...own } = packed as PackedAccount;
    return { ...newAccount(address, 0, operations), tokensApart: true, ...own };
  },
};
