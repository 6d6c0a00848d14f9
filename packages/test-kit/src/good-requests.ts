import type { routes } from '@tds/contracts';

/** What a good request needs to be of somebody's: an address to sign in with, and a video. */
export type RequestFacts = { readonly email: string; readonly videoId: string };
export type GoodRequest = { readonly search?: string; readonly body?: object };

/** On this machine, where local runs let webhooks go, and where nobody is. */
const WEBHOOK_URL = 'http://127.0.0.1:9/hook';

/** One good request for each route, with which tests that walk the table send it: the compiler asks for a missing one. */
export const goodRequests: Readonly<Record<keyof typeof routes, (facts: RequestFacts) => GoodRequest>> = {
  requestCode: ({ email }) => ({ body: { email } }),
  verifyCode: ({ email }) => ({ body: { email, code: '000000', accept_terms: true } }),
  logout: () => ({}),
  listSessions: () => ({}),
  endOtherSessions: () => ({}),
  endSession: () => ({}),
  listKeys: () => ({}),
  createKey: () => ({ body: { name: 'another' } }),
  updateKey: () => ({ body: { name: 'renamed', daily_credit_cap: 5 } }),
  revokeKey: () => ({}),
  rotateKey: () => ({}),
  getAccount: () => ({}),
  getUsage: () => ({}),
  putInAccount: () => ({ search: '?resource=webhook', body: { url: WEBHOOK_URL } }),
  deleteFromAccount: ({ email }) => ({ search: '?resource=account', body: { confirm: email } }),
  checkout: ({ email }) => ({ body: { block: 20, email } }),
  cancelCheckout: () => ({ search: '?purchase_id=0199c3a0-0000-7000-8000-000000000001' }),
  receivePaymentEvent: () => ({ body: { id: 'evt_1' } }),
  openPortal: () => ({}),
  listPurchases: () => ({ search: '?limit=5' }),
  acceptPurchase: () => ({}),
  getTranscript: ({ videoId }) => ({ search: `?video_id=${videoId}` }),
  getVideo: ({ videoId }) => ({ search: `?video_id=${videoId}` }),
  listVideos: () => ({ search: '?url=UCsimulatedGiant00000000&contents=shorts' }),
  resolveVideos: ({ videoId }) => ({ body: { text: `https://youtu.be/${videoId}` } }),
  searchPage: () => ({ search: '?q=harbour%20cranes' }),
  createJob: ({ videoId }) => ({ body: { video_ids: [videoId] } }),
  listJobs: () => ({ search: '?limit=5&status=running' }),
  getJob: () => ({}),
  listJobVideos: () => ({ search: '?limit=5' }),
  retryJob: () => ({}),
  cancelJob: () => ({}),
  deleteJob: () => ({}),
  getJobManifest: () => ({ search: '?format=csv' }),
  getJobFile: () => ({}),
  getJobArchive: () => ({ search: '?formats=srt,vtt' }),
  streamJob: () => ({}),
  createMonitor: () => ({ body: { channel: 'UCsimulatedGiant00000000' } }),
  listMonitors: () => ({}),
  getMonitor: () => ({}),
  listMonitorVideos: () => ({}),
  cancelMonitor: () => ({}),
  getWebhook: () => ({}),
  putWebhook: () => ({ body: { url: WEBHOOK_URL, low_balance_threshold: 10 } }),
  deleteWebhook: () => ({}),
  sendTestEvent: () => ({}),
  listDeliveries: () => ({ search: '?limit=5&status=failed&event=job.completed' }),
  getDelivery: () => ({}),
  resendDelivery: () => ({}),
  getStatus: () => ({}),
  listChanges: () => ({}),
  changesFeed: () => ({}),
};
