import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument, routeTable } from '@tds/http-api';
import { withClient } from '@tds/servers';
import { channelAt, loadVideoId, playlistsOf } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  allowAppRequest,
  appAddress,
  bearer,
  type Customer,
  call,
  createBrowser,
  dashboard,
  fifteenMinutesPass,
  openAppRequest,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
} from '#support/testing';
import { answerShapes, eventShapes, recordExamples, staleExamples } from './example-recorder.ts';
import { buyBlock, useRefill } from './use-billing.ts';
import { useLinks } from './use-links.ts';
import { usePeople } from './use-people.ts';
import { useReceivers } from './use-receivers.ts';

/** One customer uses every route of the API once and gets every kind of event. */
const SEED = 1;
// A free account may ask sixty times a minute.
const PATIENTLY = { everyMs: 1_500 };

const document = openApiDocument(routeTable, 'https://api.example') as Parameters<typeof answerShapes>[0];
let system: TestSystem;
let recorder: ReturnType<typeof recordExamples>;
let customer: Customer;

const send = (method: string, at: string, body?: object, headers?: Record<string, string>): Promise<Answer> =>
  call(at.startsWith('/') ? `${system.gateway}${at}` : at, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(body && { 'content-type': 'application/json' }),
      ...(headers ?? bearer(customer.key)),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const get = (at: string, headers?: Record<string, string>) => send('GET', at, undefined, headers);
const until = (at: string, isDone: (answer: Answer) => boolean, { key } = customer): Promise<Answer> =>
  eventually(async () => {
    const answer = await get(at, bearer(key));
    if (!isDone(answer)) throw new Error(`${at}: ${answer.text.slice(0, 500)}`);
    return answer;
  }, PATIENTLY);
const id = (answer: Answer, name: string): string =>
  answer.json<Record<string, { id: string }>>()[name]?.id ?? answer.text;

beforeAll(async () => {
  system = await shareTestSystem();
  recorder = recordExamples(document, system.gateway);
  customer = await signUp(system, 'you@example.com');
});
afterAll(async () => {
  recorder?.stop();
  await system?.stop();
});

/** An app asks, is allowed, and is disconnected. */
const useConnections = async (): Promise<void> => {
  const browser = createBrowser(customer);
  const id = await openAppRequest(browser, await appAddress(system.gateway, 'Research assistant'));
  const request = `${system.gateway}/v1/connections/requests/${id}`;
  await browser.open(request);
  await allowAppRequest(browser, request, { scopes: ['read', 'fetch'], daily_credit_cap: 20 });
  const { connections } = (await get('/v1/connections')).json<{ connections: { id: string }[] }>();
  await send('DELETE', `/v1/connections/${connections[0]?.id}`, undefined, dashboard(customer));
};

const buy = (body: object, headers?: Record<string, string>) => buyBlock(send, body, headers);

const useBilling = async (): Promise<void> => {
  for (const path of ['checkout', 'billing/portal']) await get(`/v1/${path}`);
  await useRefill(send, dashboard(customer));
  const bought = await buy({ block: 20 });
  await until('/v1/account', ({ text }) => text.includes('"tier":"paid"'));
  await send('POST', '/v1/checkout?action=refund', { purchase_id: bought, reason: 'Not needed.' });
  const other = await signUp(system);
  const given = await buy({ block: 5, email: other.email }, {});
  await until('/v1/billing/purchases', ({ text }) => text.includes('"status":"waiting"'), other);
  await send('POST', `/v1/billing/purchases/${given}/accept`, undefined, bearer(other.key));
};

const useAccount = async (): Promise<void> => {
  await signInAgain(system, customer.email);
  await get('/v1/sessions', dashboard(customer));
  await send('DELETE', '/v1/sessions', undefined, dashboard(customer));
  const key = id(await send('POST', '/v1/keys', { name: 'Reports', daily_credit_cap: 50 }), 'key');
  await send('POST', `/v1/keys/${key}`, { name: 'Monthly reports' }, dashboard(customer));
  await send('POST', `/v1/keys/${key}/rotate`, {}, dashboard(customer));
  await send('PATCH', '/v1/account/mail', { digest_hour: 7, low_balance_threshold: 20 }, dashboard(customer));
  await get('/v1/keys');
  await useConnections();
  await send('POST', '/v1/dashboard/key', undefined, dashboard(customer));
};

const useWebhook = async (): Promise<void> => {
  const url = system.receiver.hookUrl;
  await send('PUT', '/v1/webhooks', { url, low_balance_threshold: 10 });
  const delivery = id(await send('POST', '/v1/webhooks/test'), 'delivery');
  await until(`/v1/webhooks/deliveries/${delivery}`, ({ text }) => text.includes('"status":"delivered"'));
  await send('POST', `/v1/webhooks/deliveries/${delivery}/resend`);
  for (const path of ['webhooks', 'webhooks/deliveries']) await get(`/v1/${path}`);
};

const readVideos = async (): Promise<void> => {
  for (const search of ['&format=json', '&format=both', '&format=json&raw=1'])
    await get(`/v1/transcript?video_id=chapters_01${search}`);
  for (const path of ['video', 'video/languages']) await get(`/v1/${path}?video_id=chapters_01`);
  const channel = channelAt(3, SEED);
  const [playlist] = channel ? playlistsOf(channel, SEED) : [];
  await get(`/v1/videos?url=${playlist?.id}`);
  await send('POST', '/v1/videos/resolve', { text: 'https://youtu.be/manualEn001 https://youtu.be/short' });
  await get('/v1/search?q=harbour%20cranes');
  const facts = { name: 'get_video_facts', arguments: { video: 'chapters_01' } };
  await send('POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: facts });
};

const searchLibrary = async (): Promise<void> => {
  const [cue] = (await get('/v1/transcript?video_id=chapters_01&format=json&raw=1')).json<{ text: string }[]>();
  const [word = ''] = cue?.text.match(/\p{L}{5,}/u) ?? [];
  // A library is indexed from its first search on.
  await until(`/v1/library/search?q=${word}&limit=1`, ({ text }) => !text.includes('"results":[]'));
  await get('/v1/library?limit=1');
};

const changeArchive = (jobId: string, set: string) =>
  withClient(String(system.databases.archiver?.adminUrl), (admin) =>
    admin.query(`UPDATE archives SET ${set} WHERE job_id = $1`, [jobId]),
  );

/** An archive of more than 80 MiB has several parts, and one that takes more than 20 seconds is answered before it is ready. */
const downloadArchive = async (job: string): Promise<void> => {
  const at = `/v1/jobs/${job}/archive`;
  await get(at);
  await changeArchive(job, `parts = parts || jsonb_set(parts, '{0,part}', '2')`);
  await get(at);
  await changeArchive(job, `state = 'building', ended_at = NULL`);
  await get(at);
};

const runJob = async (): Promise<void> => {
  const videos = { video_ids: [loadVideoId(9_100_001), loadVideoId(9_100_002)], format: 'srt' };
  const labels = { name: 'Talks', metadata: { project: 'bridges', year: '2026' } };
  const job = id(await send('POST', '/v1/jobs', { ...videos, ...labels }), 'job');
  await until(`/v1/jobs/${job}`, ({ text }) => text.includes('"status":"completed"'));
  for (const part of ['', '/videos', '/manifest']) await get(`/v1/jobs/${job}${part}`);
  await send('POST', `/v1/jobs/${job}/retry`);
  await get('/v1/jobs');
  await downloadArchive(job);
  const spoken = id(await send('POST', '/v1/jobs', { video_ids: ['chapters_01'], format: 'json' }), 'job');
  await until(`/v1/jobs/${spoken}`, ({ text }) => text.includes('"status":"completed"'));
  await get(`/v1/jobs/${spoken}/files/chapters_01?passages=true`);
};

/** Another customer falls below the threshold of its webhook, has a job that fails, and one that pauses while the platform is away. */
const beUnlucky = async (): Promise<void> => {
  const other = await signUp(system);
  const headers = bearer(other.key);
  const url = system.receiver.hookUrl;
  await send('PUT', '/v1/webhooks', { url, low_balance_threshold: 100 }, headers);
  await get(`/v1/transcript?video_id=${loadVideoId(9_100_003)}`, headers);
  const reach = async (job: string, status: string) =>
    until(`/v1/jobs/${job}`, ({ text }) => text.includes(`"status":"${status}"`), other);
  const start = async (video: string) =>
    id(await send('POST', '/v1/jobs', { video_ids: [video] }, headers), 'job');
  await reach(await start('noCaptions1'), 'failed');
  const videoId = loadVideoId(9_100_004);
  const fault = system.simulator.faults.add({ match: { videoId }, fault: 'server_error' });
  const paused = await start(videoId);
  await reach(paused, 'paused');
  system.simulator.faults.remove(fault);
  await reach(paused, 'completed');
};

const received = () => system.receiver.received().map(({ body }) => JSON.parse(body) as { type: string });
const watchChannel = async (): Promise<void> => {
  const channel = channelAt(5, SEED);
  const body = { channel: channel?.handle, auto_fetch: true, words: ['the'], mail: 'daily' };
  const monitor = id(await send('POST', '/v1/monitors', body), 'monitor');
  system.simulator.upload({ to: String(channel?.id), count: 1, title: 'A new talk' });
  await fifteenMinutesPass(system);
  await until(`/v1/monitors/${monitor}/videos`, ({ text }) => text.includes('"total":1'));
  await until('/v1/matches', ({ text }) => text.includes('"total":1'));
  for (const path of ['monitors', `monitors/${monitor}/matches`]) await get(`/v1/${path}`);
  await send('POST', '/v1/library/words', { words: ['the'], monitor_id: monitor });
  await send('POST', '/v1/feeds', { monitor_id: monitor }, dashboard(customer));
  await get('/v1/feeds', dashboard(customer));
  await send('DELETE', `/v1/feeds?monitor_id=${monitor}`, undefined, dashboard(customer));
  await send('PATCH', `/v1/monitors/${monitor}`, { words: ['the', '"night shift" -crane'] });
  // A cancelled monitor emits nothing, not even the videos that it has found.
  const events = expect.arrayContaining(['channel.new_videos', 'monitor.words_found']);
  await eventually(() => expect(received().map(({ type }) => type)).toEqual(events), PATIENTLY);
  await send('PUT', `/v1/monitors/${monitor}/mail`, { mail: 'weekly' }, dashboard(customer));
  await send('DELETE', `/v1/monitors/${monitor}`);
};

/** Of all that failed, this is looked up. */
const findRequest = async (): Promise<void> => {
  const { headers } = await get('/v1/transcript?video_id=noCaptions1');
  await until(`/v1/requests/${headers.get('x-request-id')}`, ({ status }) => status === 200);
  await get('/v1/requests?failed=true&limit=2');
};

const leave = async (): Promise<void> => {
  for (const at of ['/v1/usage', '/v1/usage?resource=ledger', '/v1/account', '/v1/status', '/v1/changes'])
    await get(at);
  await send('DELETE', '/v1/webhooks', undefined, dashboard(customer));
  await send('DELETE', '/v1/account?resource=account', { confirm: customer.email }, dashboard(customer));
};

describe('the examples of the API description', () => {
  it('are answers of this system: the shape of none has changed, and none is missing', async () => {
    const release = system.simulator.hold();
    const listing = get('/v1/videos?url=UCsimulatedGiant00000000');
    await useBilling();
    await listing;
    release();
    const slow = get('/v1/transcript?video_id=slow30sec01');
    const unlucky = beUnlucky();
    await usePeople(system, customer, send);
    for (const use of [useAccount, useWebhook, readVideos, searchLibrary, runJob, watchChannel, findRequest])
      await use();
    await Promise.all([useLinks(customer, send), useReceivers(system, send)]);
    await Promise.all([slow, unlucky]);
    const events = eventShapes(document);
    await eventually(
      () => expect(new Set(received().map(({ type }) => type))).toEqual(new Set(Object.keys(events))),
      PATIENTLY,
    );
    for (const event of received()) recorder.keep(String(events[event.type]), event);
    await leave();
    const wanted = [...answerShapes(document), ...Object.values(events)];
    const sorted = Object.fromEntries(wanted.toSorted().map((name) => [name, recorder.examples[name]]));
    expect(wanted.filter((name) => recorder.examples[name] === undefined)).toEqual([]);
    expect(staleExamples(sorted)).toEqual([]);
  });
});
