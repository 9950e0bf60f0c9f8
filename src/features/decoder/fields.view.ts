import type { DecodedField } from "@finality/client/explain";
import type { NameOf } from "@finality/tron/format";
import { addressIn, visibleLine, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { DecoderFact, DecoderField } from "../../webview-messages/decoder.ts";
import type { FindPlace } from "./marks.view.ts";

const MAX_FIELDS = 1_000;
const MAX_VALUE = 2_000;

/**
 * The decoded values as the page shows them: each with its place in the tree and in the text. Very many end with a word
 * on the rest.
 */
export function describeFields(
  decoded: readonly DecodedField[],
  nameOf: NameOf,
  placeOf: FindPlace,
): readonly DecoderField[] {
  let left = MAX_FIELDS;
  const describe = (fields: readonly DecodedField[], path: string): readonly DecoderField[] => {
    const shown = fields.slice(0, left);
    left -= shown.length;
    const described = shown.map((field, index): DecoderField => {
      const id = `${path}${index}`;
      const { name, value, kind, type = null, children = [] } = field;
      return {
        id,
        kind,
        type: type === null ? null : visibleLine(type),
        name: visibleLine(name, 200),
        value: visibleText(value, MAX_VALUE),
        note: noteOn(field, nameOf),
        at: placeOf(field),
        children: describe(children, `${id}.`),
      };
    });
    return shown.length === fields.length
      ? described
      : [...described, restOf(fields.length - shown.length, `${path}rest`)];
  };
  return describe(decoded, "");
}

const MAX_FACTS = 6;
const SHORT = 70;
const SHORT_HEX = 42;

/** The first values that are short, to read at a glance: those of a structure by the names that lead to them. */
export function describeFacts(fields: readonly DecoderField[], code: string): readonly DecoderFact[] {
  const leaves = (some: readonly DecoderField[], path: string): readonly DecoderFact[] =>
    some.flatMap(({ name, value, note, kind, children }) => {
      if (kind === "list") return leaves(children, `${path}${name}.`);
      const shown = note === null ? value : `${value} · ${note}`;
      const isShort = shown.length <= (kind === "hex" ? SHORT_HEX : SHORT);
      const isFact = value !== "" && value !== code && isShort;
      return isFact ? [{ name: `${path}${name}`.replaceAll(".[", "["), value: shown, exact: kind !== "text" }] : [];
    });
  return leaves(fields, "").slice(0, MAX_FACTS);
}

/** The value at a place of the tree, whole. */
export function valueAt(decoded: readonly DecodedField[], id: string): string | undefined {
  let fields = decoded;
  let found: DecodedField | undefined;
  for (const index of id.split(".")) {
    found = fields[Number(index)];
    fields = found?.children ?? [];
  }
  return found?.value;
}

function restOf(count: number, id: string): DecoderField {
  const value = t`${count} more: the copied report and the raw text have them`;
  return { id, name: "…", value, kind: "text", type: null, note: null, at: null, children: [] };
}

function noteOn({ kind, value }: DecodedField, nameOf: NameOf): string | null {
  if (kind === "time" && /^\d{12,14}$/.test(value)) return new Date(Number(value)).toISOString().replace("T", " ");
  if (kind !== "address") return null;
  const address = addressIn(value);
  return (address && nameOf(address)) ?? null;
}
