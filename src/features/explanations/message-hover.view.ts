import { typedDataSummary } from "@finality/client/reviews";
import { isChainError } from "@finality/tron/errors";
import { inlineCode, markdownText } from "@finality/tron/format";
import { toBase58 } from "@finality/tron/primitives";
import { parseMessageSignature, parseTypedData, signatureForms, type TypedData } from "@finality/tron/typed-data";
import { t } from "@vscode/l10n";

/** Longer documents have no typed data that a wallet takes. */
const LONGEST = 256_000;

/** Returns the hover of a signature as Markdown; undefined for other hex. */
export function signatureHover(text: string): string | undefined {
  try {
    const signature = parseMessageSignature(text);
    const [long, short] = signatureForms(signature).map((it) => inlineCode(it.slice(-2)));
    return [
      t`**Signature** of 65 bytes (secp256k1)`,
      t`r ${inlineCode(`0x${signature.r}`)}`,
      t`s ${inlineCode(`0x${signature.s}`)}`,
      t`v ${inlineCode(String(signature.v))}: the last byte is ${long ?? ""} for contracts, ${short ?? ""} in some libraries`,
      t`Verify Signature… shows who signed.`,
    ].join("\n\n");
  } catch (error) {
    if (isChainError(error)) return undefined;
    throw error;
  }
}

/** Returns the hover of a document with typed data as Markdown, or its first fault; undefined for other documents. */
export function typedDataHover(text: string): string | undefined {
  const isTypedData = ["types", "domain", "message"].every((key) => text.includes(`"${key}"`));
  if (!isTypedData || text.length > LONGEST) return undefined;
  try {
    return describe(parseTypedData(text));
  } catch (error) {
    if (isChainError(error)) return markdownText(error.message);
    throw error;
  }
}

function describe(data: TypedData): string {
  const { chainId, verifyingContract } = data.domain;
  return [
    t`**Typed data** (TIP-712)`,
    ...typedDataSummary(data).map((it) => markdownText(it)),
    ...(verifyingContract === undefined ? [] : [t`Contract ${inlineCode(toBase58(verifyingContract))}`]),
    ...(chainId === undefined ? [] : [t`Chain ID ${inlineCode(String(chainId))}`]),
    t`Signed hash ${inlineCode(`0x${data.digest}`)}`,
    t`Domain separator ${inlineCode(`0x${data.domainSeparator}`)}`,
  ].join("\n\n");
}
