import { type Address, addressIn, foreignText, nameText, parseTxId, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Parts of a URI as VS Code hands them over: decoded, without the slash of the authority. */
export interface LinkUri {
  readonly path: string;
  readonly query: string;
}

/** Content of a link to this extension. `network` is a name that only the link claims. */
export type Link =
  | { readonly kind: "transaction"; readonly txId: TxId; readonly network: string | undefined }
  | { readonly kind: "account"; readonly address: Address; readonly network: string | undefined }
  | { readonly kind: "decoder"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/** A link has one parameter at most. VS Code decodes the query, so an ampersand in a value cannot be told apart. */
const PARAMETER = /^(network|text)=([\s\S]*)$/;

/** Reads `/transaction/TXID`, `/account/ADDRESS` and `/decoder?text=…`. Total: anything else is refused. */
export function readLink({ path, query }: LinkUri): Link {
  const [, page = "", subject = "", ...rest] = path.replace(/\/$/, "").split("/");
  const [, name, value = ""] = PARAMETER.exec(query) ?? [];
  if (rest.length > 0) return refused(t`its path has too many parts`);
  if (query !== "" && name !== (page === "decoder" ? "text" : "network"))
    return refused(t`it has a parameter that Finality does not know`);
  const network = name === undefined ? undefined : value;
  switch (page) {
    case "transaction": {
      const txId = parseTxId(subject);
      return txId === undefined
        ? refused(t`it names no txID of 64 hex digits`)
        : { kind: "transaction", txId, network };
    }
    case "account": {
      const address = addressIn(subject);
      return address === undefined ? refused(t`it names no address`) : { kind: "account", address, network };
    }
    case "decoder":
      if (subject !== "") return refused(t`its path has too many parts`);
      return value.trim() === "" ? refused(t`it has no text to decode`) : { kind: "decoder", text: value };
    default:
      return refused(t`it names no page of Finality. Pages are transaction, account and decoder`);
  }
}

function refused(reason: string): Link {
  return { kind: "refused", reason };
}

/** Returns the question before a transaction that only a link names is requested. */
export function lookUpQuestion(txId: TxId, network: string, isNamedByLink: boolean) {
  const source = isNamedByLink ? t`named by the link` : t`your active network`;
  const lines = [
    t`Network: ${nameText(foreignText(network))} (${source})`,
    t`txID, as the link claims: ${txId}`,
    "",
    t`The transaction is not in your list. Finality requests it from this network and shows the answer in the decoder. Nothing is signed or sent, and the active network stays the same.`,
  ];
  return { title: t`Look up the transaction of a link?`, detail: lines.join("\n"), isFirstSafe: false };
}
