export {
  allowAppRequest,
  appAddress,
  CALLBACK,
  createBrowser as browserOf,
  openAppRequest,
} from './app-request.ts';
export { asIfCorrupted, type Corruption } from './corruption.ts';
export {
  type Answer,
  awaitMails as mailed,
  bearer,
  type Customer,
  call,
  creditsBalance,
  creditsCharged,
  dashboard,
  postJson,
  putJson,
  readCode,
  signInAgain,
  signUp,
  signUpAt,
} from './customer.ts';
export {
  everyPairOfFormats,
  expectedContent,
  freshVideos,
  latencyOf,
  pathOf,
  predictResult as expectedOf,
  type ReadRequest as Ask,
  type Scenario,
  SECOND_MS,
  withoutFrontMatter,
} from './overlapping-reads.ts';
export { buildRequest as requestOf } from './route-requests.ts';
export { operate, runScript } from './run-script.ts';
export type { TestSystem } from './system.ts';
export { secretsInMemory, shareTestSystem, startAnother, startTestSystem } from './test-system.ts';
export { startTraceCollector } from './trace-collector.ts';
