import type { dice } from "../random/dice.ts";

type Roll = ReturnType<typeof dice>;
type Tree = { [key: string]: unknown };

/** The answer of a builder as text, and what was done to it. */
interface ChangedAnswer {
  readonly name: string;
  readonly body: string;
}

/** Fields that count, which may be repeated or changed. */
const COUNTING = ["txID", "raw_data_hex"];
const STRANGE: readonly unknown[] = [null, 0, 1, true, "", "00", [], {}, ["00"], -1, 2 ** 53, "null", "\u0000"];

/**
 * The answer of a builder with a field of its JSON removed, said twice, changed or added; and with other bytes in one of the
 * places that tell them.
 *
 * @param foreign - the answer to another wish
 */
export function changedAnswer(answer: string, foreign: string, roll: Roll): ChangedAnswer {
  const [name, change] = CHANGES[roll(CHANGES.length)] ?? CHANGES[0];
  return { name, body: change(answer, foreign, roll) };
}

type Change = readonly [name: string, change: (answer: string, foreign: string, roll: Roll) => string];

const CHANGES: readonly [Change, ...Change[]] = [
  ["a field removed", edited((place) => delete place.tree[place.key])],
  ["a field of another kind", edited(({ tree, key }, roll) => (tree[key] = STRANGE[roll(STRANGE.length)]))],
  ["a digit changed", edited(({ tree, key }, roll) => (tree[key] = otherDigit(tree[key], roll)))],
  [
    "a field that nobody knows",
    edited(({ tree }, roll) => (tree[`unknown${roll(9)}`] = STRANGE[roll(STRANGE.length)])),
  ],
  ["a field of another answer", exchanged],
  ["a field said twice", saidTwice],
  ["a counting field written otherwise", writtenOtherwise],
  [
    "the answer in a list or under a name",
    (answer, _foreign, roll) =>
      [`[${answer}]`, `{"transaction":${answer}}`, `${answer}${answer}`, answer.slice(0, -1 - roll(40))][roll(4)] ?? "",
  ],
  ["the answer to another wish", (_answer, foreign) => foreign],
];

function edited(change: (place: JsonPosition, roll: Roll) => unknown): Change[1] {
  return (answer, _foreign, roll) => {
    const json = JSON.parse(answer) as Tree;
    // The two that count come as often as all others together.
    const all = roll(2) === 0 ? COUNTING.map((key) => ({ tree: json, key })) : placesIn(json);
    const place = all[roll(all.length)];
    if (place !== undefined) change(place, roll);
    return JSON.stringify(json);
  };
}

interface JsonPosition {
  readonly tree: Tree;
  readonly key: string;
}

function placesIn(tree: Tree): readonly JsonPosition[] {
  return Object.keys(tree).flatMap((key) => {
    const value = tree[key];
    const inner = typeof value === "object" && value !== null ? placesIn(value as Tree) : [];
    return [{ tree, key }, ...inner];
  });
}

function otherDigit(value: unknown, roll: Roll): unknown {
  if (typeof value === "number") return value + 1 + roll(9);
  if (typeof value !== "string" || value === "") return !value;
  const at = roll(value.length);
  return `${value.slice(0, at)}${"0123456789abcdefg"[roll(17)]}${value.slice(at + 1)}`;
}

/** One of the fields comes from the answer to another wish: the bytes, their hash, what they are said to be. */
function exchanged(answer: string, foreign: string, roll: Roll): string {
  const [ours, theirs] = [JSON.parse(answer) as Tree, JSON.parse(foreign) as Tree];
  for (const key of Object.keys(ours)) if (roll(2) === 0) ours[key] = theirs[key];
  return JSON.stringify(ours);
}

/** Readers take the first or the last. */
function saidTwice(answer: string, foreign: string, roll: Roll): string {
  const theirs = JSON.parse(foreign) as Tree;
  const key = ["txID", "raw_data_hex", "raw_data", "visible"][roll(4)] ?? "";
  const second = `${JSON.stringify(key)}:${JSON.stringify(theirs[key])}`;
  return roll(2) === 0 ? answer.replace(/^\{/, `{${second},`) : answer.replace(/\}$/, `,${second}}`);
}

function writtenOtherwise(answer: string, _foreign: string, roll: Roll): string {
  const json = JSON.parse(answer) as Tree;
  const key = COUNTING[roll(2)] ?? "";
  const text = String(json[key]);
  json[key] = [
    text.toUpperCase(),
    `0x${text}`,
    ` ${text}`,
    `${text}\n`,
    `${text}00`,
    `00${text}`,
    text.slice(2),
    text.slice(0, -2),
    text.slice(0, -1),
    [text],
    { value: text },
    Buffer.from(text, "hex").toString("base64"),
    text.replace("0", "０"),
  ][roll(13)];
  return JSON.stringify(json);
}
