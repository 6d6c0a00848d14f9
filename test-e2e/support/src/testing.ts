export {
  allowAppRequest,
  appAddress,
  CALLBACK,
  createBrowser,
  openAppRequest,
} from './app-request.ts';
export { booksAgree } from './books.ts';
export { asIfCorrupted, type Corruption } from './corruption.ts';
export {
  type Answer,
  awaitMails,
  bearer,
  type Customer,
  call,
  creditsBalance,
  creditsCharged,
  dashboard,
  postJson,
  putJson,
  readCode,
  readInvitation,
  signInAgain,
  signUp,
  signUpAt,
} from './customer.ts';
export { fileVideo, slowVideo } from './file-video.ts';
export {
  everyPairOfFormats,
  expectedContent,
  latencyOf,
  predictResult,
  type ReadRequest,
  readPath,
  type Scenario,
  SECOND_MS,
  withoutFrontMatter,
} from './overlapping-reads.ts';
export { buildRequest } from './route-requests.ts';
export { operate, runScript } from './run-script.ts';
export type { TestSystem } from './system.ts';
export { secretsInMemory, shareTestSystem, startAnother, startTestSystem } from './test-system.ts';
export { startTraceCollector } from './trace-collector.ts';
export { fifteenMinutesPass, waitingRows } from './waiting-rows.ts';
