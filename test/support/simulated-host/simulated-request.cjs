/**
 * In the place of undici's `request`: the dispatcher is the port itself.
 *
 * @this {import("./http-port.ts").HttpPort}
 * @param {import("./http-port.ts").PortQuestion} question
 */
module.exports = function request(question) {
  return this.request(question);
};
