export { type CallNames, checkExpectation, type ExpectationDifference } from "./call-tests/check-expectation.ts";
export {
  type CallTestContext,
  type CallTestResult,
  type CallTestSite,
  type FinishedCallTest,
  isCallTest,
  type RunCallTests,
  runCallTest,
} from "./call-tests/run-call-test.ts";
export {
  executeSetupStep,
  type SetupChain,
  type SetupOutcome,
  type SetupStepResult,
} from "./call-tests/setup-step.ts";
