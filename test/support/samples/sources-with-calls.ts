import { parseScript, statementStarts } from "./call-site-oracles.ts";

const CALLS = [
  "token.methods.transfer(to, 1_000n).send({ feeLimit: 15_000_000 });",
  "token\n  .balanceOf(/* who */ me)\n  .call();",
  `await contract["set(uint256,string)"](5, \`a \${f(")")} b\`).send();`,
  "tronWeb.transactionBuilder.triggerSmartContract(to, 'pay()', { callValue: 1 }, []);",
  "this.tronWeb.transactionBuilder.estimateEnergy(to, 'pay()', {}, [{ type: 'bool', value: /[/'\"]/.test(x) }]);",
];
const DECOYS = [
  "// token.transfer(a).send()\n",
  "/* token.transfer(a).call() */",
  '"token.transfer(a).send()";',
  "`token.x().call()`;",
];

/** A real source with a call, or what only looks like one, before every n-th statement. */
export function withCalls(file: string, text: string, every: number): string {
  const starts = [...new Set(statementStarts(parseScript(text, file)))].sort((a, b) => b - a);
  const insertions = [...CALLS, ...DECOYS];
  return starts
    .filter((_, index) => index % every === 0)
    .reduce(
      (all, start, index) => `${all.slice(0, start)}${insertions[index % insertions.length]}\n${all.slice(start)}`,
      text,
    );
}
