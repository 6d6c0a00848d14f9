import { recordedExamples, type routes } from '@tds/http-api';
import { VIDEO } from '../facts.ts';

type Value = string | number | boolean | null | readonly string[];
export type Values = Readonly<Record<string, Value>>;
/** The values of a request of a sample. */
export type SampleRequest = { readonly path?: Values; readonly query?: Values; readonly body?: Values };

const ID = '01900000-0000-7000-8000-000000000001';
const EMAIL = 'you@example.com';
const HOOK = 'https://example.com/hooks';
const CHAT = 'https://hooks.slack.com/services/T0/B0/example';
const job = { path: { id: ID } };
const onePerson = { path: { personId: ID } };
const key = { path: { keyId: ID } };
const connectionRequest = { path: { appRequestId: 'V1StGXR8_Z5jdHi6B-myT' } };
const delivery = { path: { deliveryId: ID } };
const link = { path: { linkId: ID } };
const receiver = { path: { receiverId: ID } };
const monitor = {
  path: { id: (recordedExamples.MonitorCreated as { monitor: { id: string } }).monitor.id },
};

/** One good request of each operation; the compiler asks for a missing one. */
export const sampleRequests: Readonly<Record<keyof typeof routes, SampleRequest>> = {
  requestCode: { body: { email: EMAIL } },
  verifyCode: { body: { email: EMAIL, code: '123456', accept_terms: true } },
  acceptInvitation: { body: { invitation_id: ID, code: '7KQ2-M4XA-9RTW', accept_terms: true } },
  switchAccount: { body: { account_id: ID } },
  logout: {},
  listSessions: {},
  endOtherSessions: {},
  endSession: { path: { sessionId: ID } },
  listKeys: {},
  createKey: { body: { name: 'agent', daily_credit_cap: 20 } },
  createDashboardKey: {},
  updateKey: { ...key, body: { name: 'agent of May' } },
  revokeKey: key,
  rotateKey: key,
  listConnections: {},
  endConnection: { path: { connectionId: ID } },
  getConnectionRequest: connectionRequest,
  answerConnectionRequest: {
    ...connectionRequest,
    body: { allow: true, scopes: ['read', 'fetch'], daily_credit_cap: 20 },
  },
  getAccount: {},
  listPeople: {},
  invitePerson: { body: { email: 'alex@example.com', role: 'member' } },
  changePerson: { ...onePerson, body: { role: 'owner' } },
  removePerson: { ...onePerson, body: { work: 'pass_on' } },
  listAudit: {},
  getUsage: {},
  listRequests: { query: { failed: true } },
  getRequest: { path: { requestId: ID } },
  nameAccount: { body: { name: 'Harbour Research' } },
  changeMailSettings: { body: { time_zone: 'Europe/Berlin', digest_hour: 7, low_balance_threshold: 20 } },
  showMailStop: { query: { link: 'a.b' } },
  stopMail: { query: { link: 'a.b' } },
  putInAccount: { query: { resource: 'webhook' }, body: { url: HOOK } },
  deleteFromAccount: { query: { resource: 'account' }, body: { confirm: EMAIL } },
  listPrices: {},
  checkout: { body: { block: 20 } },
  cancelCheckout: { query: { purchase_id: ID } },
  receivePaymentEvent: { body: { id: 'evt_1' } },
  openPortal: {},
  listPurchases: {},
  getRefill: {},
  putRefill: { body: { threshold: 10, block: 20, monthly_limit: 1_000 } },
  endRefill: {},
  openCardPage: {},
  acceptPurchase: { path: { purchaseId: ID } },
  getTranscript: { query: { video_id: VIDEO, format: 'json', language: 'en' } },
  getVideo: { query: { video_id: VIDEO } },
  citeVideo: { query: { video_id: VIDEO, format: 'bibtex', at: 12 } },
  listLanguages: { query: { video_id: VIDEO } },
  listLibrary: { query: { language: 'en' } },
  searchLibrary: { query: { q: 'harbour "night shift"' } },
  tryWords: { body: { words: ['harbour "night shift"'], channel: '@handle' } },
  createLink: { body: { video_id: VIDEO, start: 61.5, end: 70 } },
  listLinks: {},
  getLink: link,
  endLink: link,
  readLink: { path: { linkId: ID, secret: 'l.x' } },
  listVideos: { query: { url: '@handle' } },
  resolveVideos: { body: { text: `https://youtu.be/${VIDEO}` } },
  searchPage: { query: { q: 'harbour cranes' } },
  createJob: { body: { video_ids: [VIDEO], format: 'srt' } },
  listJobs: { query: { status: 'running' } },
  getJob: job,
  getJobMail: job,
  chooseJobMail: { ...job, body: { mail: 'now' } },
  listJobVideos: { ...job, query: { status: 'error' } },
  retryJob: job,
  cancelJob: job,
  deleteJob: job,
  getJobManifest: job,
  getJobFile: { path: { id: ID, videoId: VIDEO } },
  getJobArchive: job,
  getJobDocument: job,
  streamJob: job,
  createMonitor: { body: { channel: '@handle', auto_fetch: true } },
  listMonitors: {},
  getMonitor: monitor,
  listMonitorVideos: monitor,
  listMonitorMatches: monitor,
  getMonitorMail: monitor,
  chooseMonitorMail: { ...monitor, body: { mail: 'weekly' } },
  listMatches: {},
  listFeeds: {},
  createFeed: { body: { monitor_id: monitor.path.id } },
  endFeed: { query: { monitor_id: monitor.path.id } },
  readFeed: { path: { feedId: ID, secret: 'atom.x' } },
  changeMonitor: { ...monitor, body: { words: ['harbour "night shift"'], mail: 'daily' } },
  resumeMonitor: monitor,
  cancelMonitor: monitor,
  getWebhook: {},
  putWebhook: { body: { url: HOOK, low_balance_threshold: 10 } },
  deleteWebhook: {},
  sendTestEvent: {},
  listDeliveries: { query: { status: 'failed' } },
  getDelivery: delivery,
  resendDelivery: delivery,
  listReceivers: {},
  createReceiver: {
    body: { name: 'Newsroom', form: 'slack', url: CHAT, events: ['monitor.words_found', 'job.completed'] },
  },
  getReceiver: receiver,
  changeReceiver: { ...receiver, body: { events: ['monitor.words_found'] } },
  deleteReceiver: receiver,
  testReceiver: receiver,
  replayReceiver: { ...receiver, body: { since: '2026-01-15T12:00:00Z' } },
  getStatus: {},
  listChanges: {},
  changesFeed: {},
  sendMcpMessage: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
};
