/**
 * In the place of undici's `request`: the dispatcher is the port itself.
 *
 * @this {import("./simulated-services.ts").HttpPort}
 * @param {import("./simulated-services.ts").PortQuestion} question
 */
module.exports = function request(question) {
  return this.request(question);
};
