/** Of keys that were not sent to a URL. @param boundTo - the origins for which they were entered */
export function keptBack(boundTo: string): string {
  return `The keys of this network were entered for ${boundTo} and are not sent elsewhere. If they belong here too, edit the network: Keys are sent to.`;
}

/** Of an equal transaction. @param state - as it is known here */
export function describeAlive(txId: string, state: string): string {
  switch (state) {
    case "solidified":
      return `An equal transaction was executed meanwhile: ${txId}. Nothing was sent. Look at it first: another one would pay twice.`;
    case "failed":
      return `An equal transaction failed, as its gateway says, and no other URL says so too: ${txId}. Nothing was sent. Look at it in an explorer, or try again when the other URLs answer: if it was executed, another one would pay twice.`;
    case "rejected":
    case "replaced":
      return `An equal transaction was refused, as a gateway says. It cannot be looked for there now, or another network shows it: ${txId}. Nothing was sent. Try again when the gateway answers: if it was executed all the same, another one would pay twice.`;
    default:
      return `An equal transaction is ${state === "unknown" ? "of unknown outcome" : state} and may still be executed: ${txId}. Nothing was sent. Watch it, or send it again with the same bytes.`;
  }
}
