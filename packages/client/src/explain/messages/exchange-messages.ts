import { t } from "@vscode/l10n";
import { group } from "./template.ts";

/**
 * Refusals of withdrawals by exchanges, of swaps, and of orders by services that rent energy. `EXCHANGE_FORMS` and
 * `SERVICE_KEYS` have their texts and codes.
 */
export const exchangeMessages = [
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of exchanges" }, [
    [
      "withdrawal-asset",
      [],
      t`The exchange does not support the coin or its network`,
      t`The exchange uses a different name for the coin or its chain, or does not offer this pair. The exchange sent nothing to the chain.`,
      t`List the coins and networks of the exchange (TRC20, TRX and TRON are different names), and use its names.`,
    ],
    [
      "withdrawal-address",
      [],
      t`The exchange does not accept the address`,
      t`It does not fit the network of the withdrawal, or is not on the list of allowed addresses of the account. The exchange sent nothing to the chain.`,
      t`Name the network of the withdrawal (TRC20 for T…), and allow the address in the settings of the exchange.`,
    ],
    [
      "withdrawal-limit",
      [],
      t`The exchange does not accept the amount`,
      t`It is below the minimum, above a limit of the account, has too many decimals, or does not cover the fee. The exchange sent nothing to the chain.`,
      t`Compare the amount with the minimum, the fee and the limits that the exchange lists for this coin and network.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of swap services" }, [
    [
      "swap-amount",
      [],
      t`The swap service does not take an amount this small`,
      t`The amount that remains after the fees of both chains is below the minimum of the route, or the route has no quote. Nothing was signed or sent.`,
      t`Raise the amount. If every amount is refused, choose another route, asset or service: the route may be out of order.`,
    ],
  ]),
  ...group({ category: "validation", retry: "request-after-fix", source: "the words of energy rental services" }, [
    [
      "service-balance",
      [],
      t`Your credit at the service is not sufficient`,
      t`The balance of your account at the service is too low, so the service refused the order. Your account on the chain is not affected.`,
      t`Top up the account at the service, then place the order again.`,
    ],
    [
      "service-auth",
      [],
      t`The service does not accept the token or the signature of the request`,
      t`The API token is missing or wrong, or the signature of the request (HMAC of its body) does not match. This is not the signature of a transaction. The order was not accepted.`,
      t`Check the token and the secret, and sign exactly the bytes of the body that is sent.`,
    ],
    [
      "service-order",
      [],
      t`The service does not accept a field of the order`,
      t`The address, the amount of energy, the duration or the kind of the order is not one that the service offers. The order was not taken.`,
      t`Compare the fields with the documentation of the service: addresses as T…, and the amounts and durations that it lists.`,
    ],
    [
      "service-inactive",
      [],
      t`The recipient is not activated on the chain`,
      t`Energy can only be delegated to an account that exists. The order was not taken.`,
      t`Activate the address first (send it some TRX), then place the order again.`,
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of exchanges" }, [
    [
      "withdrawal-paused",
      [],
      t`The exchange has paused transfers of this coin or network`,
      t`Withdrawals or deposits are suspended, under maintenance, or held back because the network is congested.`,
      t`Wait, or use another network that the exchange offers. Check the list of withdrawals first: an accepted one may still be executed.`,
    ],
  ]),
];

/** Names of exchanges and of their common library, and the fields of a withdrawal. */
const EXCHANGE =
  /\b(?:ccxt|mexc|binance|okx|okex|kucoin|bybit|gate\.?io|huobi|htx|bitget|poloniex|kraken|coinbase ?(?:pro|exchange|advanced)|bitfinex|bitmart|lbank|hitbtc|upbit|whitebit|coinex|phemex|bingx|ExchangeError|ExchangeNotAvailable)\b|"(?:currency|coin)"\s?:\s?"(?:USDT|USDC|USDD|TUSD|TRX|BTT|JST|SUN)"|\bcheck (?:the )?coin name and chain\b/i;

/** Returns whether a text names an exchange. */
export function namesExchange(text: string): boolean {
  return EXCHANGE.test(text.slice(0, MAX_TEXT));
}

const MAX_TEXT = 32_768;

/** Entries by the answers of exchanges to a withdrawal; the first match counts. */
export const EXCHANGE_FORMS = [
  [
    "withdrawal-paused",
    /\b(?:withdraw(?:al|als|ing)?|deposits?|transfers?|network|chain|coin|currency|wallet)\b[^\n]{0,60}\b(?:suspended|paused|congest(?:ed|ion)|under(?:going)? maintenance|in maintenance|maintained|temporarily (?:closed|disabled|unavailable|stopped))\b/i,
  ],
  [
    "withdrawal-asset",
    /\b(?:coin|currency|asset|chain|network) (?:name )?(?:does |is |do )?(?:not|n't) (?:exists?|found|supported|support|available|valid)\b|\b(?:invalid|unknown|unsupported) (?:coin|currency|asset|chain|network)\b|\bcheck (?:the )?coin name and chain\b/i,
  ],
  [
    "withdrawal-address",
    /\baddress verification failed\b|\b(?:withdraw(?:al)? )?address\b[^\n]{0,60}(?:\bwhite ?list|(?:\bnot|n't) (?:on|in) the (?:\w{1,20} )?(?:address )?(?:list|book)|\bis not (?:allowed|verified|whitelisted))\b|\b(?:invalid|incorrect|illegal) (?:withdraw(?:al)? )?address\b/i,
  ],
  [
    "withdrawal-limit",
    /\b(?:withdraw(?:al|als)?|amount|quantity)\b[^\n]{0,60}\b(?:(?:less|lower|smaller) than (?:the )?min\w*|below (?:the )?min\w*|(?:min|max)imum withdraw\w*|exceed\w* (?:the )?(?:\w{1,12} )?(?:limit|quota)|precision)\b/i,
  ],
] as const satisfies readonly (readonly [entry: string, form: RegExp])[];

/** Entries by the codes of services that rent energy, in lower case. */
export const SERVICE_KEYS = {
  auth: "service-auth",
  insufficient_balance: "service-balance",
  insufficient_funds: "service-balance",
  invalid_service_or_params: "service-order",
  invalid_energy_amount: "service-order",
  invalid_duration: "service-order",
  invalid_address: "service-order",
  invalid_tron_address: "service-order",
  address_not_activated: "service-inactive",
} as const satisfies { readonly [key: string]: string };

/** Code of each entry. */
export const codeOfWithdrawal = {
  "swap-amount": "SWAP_REFUSED",
  "withdrawal-asset": "EXCHANGE_REFUSED",
  "withdrawal-address": "EXCHANGE_REFUSED",
  "withdrawal-limit": "EXCHANGE_REFUSED",
  "withdrawal-paused": "EXCHANGE_PAUSED",
} as const;
