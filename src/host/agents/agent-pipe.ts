// Program that an MCP client starts: it connects standard input and output to the window of the editor.
import { connect } from "node:net";

const { FINALITY_AGENT_SOCKET: path = "", FINALITY_AGENT_KEY: key = "" } = process.env;
const socket = connect(path, () => socket.write(`${key}\n`));

socket.on("error", () => {
  process.stderr.write("Finality: the window of the editor does not answer. Start the server again in the editor.\n");
  process.exitCode = 1;
  process.stdin.unref();
});
socket.on("close", () => process.stdin.destroy());
process.stdin.pipe(socket).pipe(process.stdout);
