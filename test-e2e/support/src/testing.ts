export { allowAppRequest, appAddress, browserOf, CALLBACK, openAppRequest } from './app-request.ts';
export { asIfCorrupted, type Corruption } from './corruption.ts';
export {
  type Answer,
  bearer,
  type Customer,
  call,
  creditsBalance,
  creditsCharged,
  dashboard,
  mailed,
  postJson,
  putJson,
  readCode,
  signInAgain,
  signUp,
  signUpAt,
} from './customer.ts';
export {
  type Ask,
  everyPairOfFormats,
  expectedContent,
  expectedOf,
  freshVideos,
  latencyOf,
  pathOf,
  type Scenario,
  SECOND_MS,
  withoutFrontMatter,
} from './overlapping-reads.ts';
export { requestOf } from './route-requests.ts';
export { operate, runScript } from './run-script.ts';
export type { TestSystem } from './system.ts';
export { secretsInMemory, shareTestSystem, startAnother, startTestSystem } from './test-system.ts';
export { startTraceCollector } from './trace-collector.ts';
