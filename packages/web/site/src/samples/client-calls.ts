import type { routes } from '@tds/http-api';

/** How a client calls an operation. */
export type ClientCall = {
  /** `jobs.create` of the client; `job.retry` is a method of a job. */
  readonly method: string;
  /** Values that are arguments by position; the others are named. */
  readonly positional?: readonly string[];
  /** The name of a row, if the call answers an iterator. */
  readonly row?: string;
  /** Further arguments, as they are written. */
  readonly extra?: string;
};

type Calls = { readonly [Id in keyof typeof routes]?: ClientCall };

const byId = ['id'] as const;
const byKey = ['keyId'] as const;
const byDelivery = ['deliveryId'] as const;
const byReceiver = ['receiverId'] as const;

/** What both clients call alike. */
const common: Calls = {
  listKeys: { method: 'keys.list' },
  updateKey: { method: 'keys.update', positional: byKey },
  revokeKey: { method: 'keys.revoke', positional: byKey },
  rotateKey: { method: 'keys.rotate', positional: byKey },
  listConnections: { method: 'connections.list' },
  endConnection: { method: 'connections.end', positional: ['connectionId'] },
  getUsage: { method: 'usage.days' },
  listRequests: { method: 'requests.list', row: 'request' },
  getRequest: { method: 'requests.get', positional: ['requestId'] },
  getTranscript: { method: 'transcripts.get', positional: ['video_id'] },
  getVideo: { method: 'videos.get', positional: ['video_id'] },
  citeVideo: { method: 'videos.cite', positional: ['video_id'] },
  listLanguages: { method: 'videos.languages', positional: ['video_id'] },
  listLibrary: { method: 'library.list', row: 'transcript' },
  searchLibrary: { method: 'library.search', positional: ['q'], row: 'passage' },
  listLinks: { method: 'links.list' },
  getLink: { method: 'links.get', positional: ['linkId'] },
  endLink: { method: 'links.end', positional: ['linkId'] },
  listVideos: { method: 'videos.list', positional: ['url'], row: 'video' },
  resolveVideos: { method: 'videos.resolve', positional: ['text'] },
  searchPage: { method: 'search', positional: ['q'], row: 'result' },
  createJob: { method: 'jobs.create' },
  listJobs: { method: 'jobs.list', row: 'job' },
  getJob: { method: 'jobs.get', positional: byId },
  createMonitor: { method: 'monitors.create' },
  listMonitors: { method: 'monitors.list', row: 'monitor' },
  getMonitor: { method: 'monitors.get', positional: byId },
  listMonitorVideos: { method: 'monitors.videos', positional: byId, row: 'video' },
  changeMonitor: { method: 'monitors.update', positional: byId },
  listMonitorMatches: { method: 'monitors.matches', positional: byId, row: 'match' },
  resumeMonitor: { method: 'monitors.resume', positional: byId },
  cancelMonitor: { method: 'monitors.cancel', positional: byId },
  getWebhook: { method: 'webhooks.get' },
  putWebhook: { method: 'webhooks.set' },
  deleteWebhook: { method: 'webhooks.delete' },
  sendTestEvent: { method: 'webhooks.test' },
  listDeliveries: { method: 'webhooks.deliveries', row: 'delivery' },
  getDelivery: { method: 'webhooks.delivery', positional: byDelivery },
  resendDelivery: { method: 'webhooks.resend', positional: byDelivery },
  listReceivers: { method: 'receivers.list' },
  createReceiver: { method: 'receivers.create' },
  getReceiver: { method: 'receivers.get', positional: byReceiver },
  changeReceiver: { method: 'receivers.update', positional: byReceiver },
  deleteReceiver: { method: 'receivers.delete', positional: byReceiver },
  testReceiver: { method: 'receivers.test', positional: byReceiver },
  replayReceiver: { method: 'receivers.replay', positional: ['receiverId', 'since'] },
  getStatus: { method: 'status' },
};

/** The TypeScript SDK. */
export const typescriptCalls: Calls = {
  ...common,
  createKey: { method: 'keys.create' },
  getAccount: { method: 'account.get' },
  tryWords: { method: 'library.tryWords' },
  createLink: { method: 'links.create' },
  listPrices: { method: 'billing.prices' },
  checkout: { method: 'billing.checkout', positional: ['block'] },
  openPortal: { method: 'billing.portal' },
  listPurchases: { method: 'billing.purchases', row: 'purchase' },
  listJobVideos: { method: 'job.videos', positional: byId, row: 'video' },
  retryJob: { method: 'job.retry', positional: byId },
  cancelJob: { method: 'job.cancel', positional: byId },
  deleteJob: { method: 'job.delete', positional: byId },
  getJobManifest: { method: 'job.manifest', positional: byId },
  getJobFile: { method: 'job.file', positional: ['id', 'videoId'] },
  getJobArchive: { method: 'job.archive', positional: byId, extra: "{ to: 'talks.zip' }" },
  getJobDocument: { method: 'job.document', positional: byId, extra: "{ to: 'talks.md' }" },
  streamJob: { method: 'job.progress', positional: byId, row: 'progress' },
  listMatches: { method: 'monitors.allMatches', row: 'match' },
  listChanges: { method: 'changes' },
};

/** The Python client. */
export const pythonCalls: Calls = {
  ...common,
  createKey: { method: 'keys.create' },
  getAccount: { method: 'account' },
  tryWords: { method: 'library.try_words' },
  createLink: { method: 'links.create', positional: ['video_id'] },
  listJobVideos: { method: 'jobs.videos', positional: byId, row: 'video' },
  retryJob: { method: 'jobs.retry', positional: byId },
  cancelJob: { method: 'jobs.cancel', positional: byId },
  deleteJob: { method: 'jobs.delete', positional: byId },
  getJobManifest: { method: 'jobs.manifest', positional: byId },
  getJobFile: { method: 'jobs.file', positional: ['id', 'videoId'] },
  getJobArchive: { method: 'jobs.archive', positional: byId, extra: 'to="talks.zip"' },
  getJobDocument: { method: 'jobs.document', positional: byId, extra: 'to="talks.md"' },
};
