import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createSessionToken,
  type creditsLedger,
  type LoggedRequest,
  newId,
  type ReportedRequest,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import {
  newApiKey,
  newPrincipal,
  newTranscript,
  newTranscriptFor,
  VIDEO_ID,
} from '../../test-support/builders.ts';
import { newJob } from '../../test-support/jobs.ts';
import { FILE, setUpReads } from '../../test-support/reads.ts';

const KEY = '11111111-2222-4333-8444-555555555555';
const reads = setUpReads();
const { get, freshVideo } = reads;
afterEach(() => {
  reads.harness.ledger.asked.length = 0;
});

const asked = <Request>(name: string) =>
  reads.harness.ledger.asked.filter((one) => one.name === name).map(({ request }) => request as Request);
/** What gateways have reported of the account. */
const reported = (accountId = reads.account.principal.accountId): ReportedRequest[] =>
  asked<RequestOf<typeof creditsLedger.recordRequests>>('recordRequests')
    .flatMap(({ requests }) => requests)
    .filter(({ account_id }) => account_id === accountId);
const untilReported = (count: number) =>
  eventually(() => {
    expect(reported()).toHaveLength(count);
    return reported();
  });
const idOf = ({ headers }: { headers: Record<string, string> }) => headers['x-request-id'];

const newLogged = (overrides: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...{ request_id: newId(), created_at: '2027-01-31T12:00:00.000Z', key_id: KEY, route: 'getTranscript' },
  ...{ status: 404, code: 'no_captions', credits_charged: 0, duration_ms: 12 },
  ...{ video_id: VIDEO_ID, job_id: null, person_id: null, via: null },
  ...overrides,
});

describe('rejected queries', () => {
  it.each([
    ['?code=', 'invalid_error_code'],
    ['?code=no_such_code', 'invalid_error_code'],
    ['?code=toString', 'invalid_error_code'],
    ['?code=no_captions&code=no_captions', 'invalid_error_code'],
    ['?failed=yes', 'invalid_failed'],
    ['?failed=', 'invalid_failed'],
    ['?from=2027-02-29', 'invalid_usage_date'],
    ['?to=2027-01-31T00:00:00Z', 'invalid_usage_date'],
    ['?from=0001-01-01', 'invalid_usage_date'],
    ['?from=2028-02-02&to=2028-02-01', 'invalid_usage_range'],
    ['?limit=0', 'invalid_limit'],
    ['?limit=101', 'invalid_limit'],
    ['?offset=-1', 'invalid_offset'],
    ['?offset=100001', 'invalid_offset'],
    ['?key=x', 'key_in_query_string'],
    ['?status=404', 'unknown_parameter'],
  ])('%s is 400 %s, and costs nothing', async (search, code) => {
    const answer = await get(`/v1/requests${search}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.headers['x-credits-charged'] ?? '0').toBe('0');
    expect(asked('listRequests')).toEqual([]);
  });

  it.each(['x', `${KEY}0`, '%00', KEY])('a request that is not in the log, %s, is 404', async (id) => {
    const answer = await get(`/v1/requests/${id}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'request_not_logged']);
  });

  it('an unknown key or one of another account is not found', async () => {
    const { ledger, identity } = reads.harness;
    ledger.commands.listRequests = async () => ({ requests: [], total: 0, isKnownKey: false });
    const answer = await get(`/v1/requests?key_id=${KEY}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'key_not_found']);
    const keys = (id?: string) => ({ keys: [newApiKey(id ? { id } : {})], live_keys: 1, key_limit: 2 });
    identity.commands.listKeys = async () => keys(KEY);
    expect((await get(`/v1/requests?key_id=${KEY}`)).status).toBe(200);
    identity.commands.listKeys = async () => keys();
  });
});

describe('the log', () => {
  it('is that of the account, in pages that repeat the filters', async () => {
    const requests = [newLogged(), newLogged()];
    reads.harness.ledger.commands.listRequests = async () => ({ requests, total: 5, isKnownKey: true });
    const by = `key_id=${KEY}&person_id=${KEY}&via=app`;
    const search = `failed=1&code=no_captions&from=2027-01-30&to=2027-01-31&limit=2&${by}`;
    const answer = await get(`/v1/requests?${search}`);
    const { accountId } = reads.account.principal;
    const filter = {
      keyId: KEY,
      personId: KEY,
      via: 'app',
      code: 'no_captions',
      failed: true,
      from: '2027-01-30',
      to: '2027-01-31',
    };
    expect(asked('listRequests')).toEqual([{ accountId, ...filter, limit: 2, offset: 0 }]);
    expect(answer.body).toMatchObject({ ok: true, requests, limit: 2, offset: 0, total: 5, has_more: true });
    expect((await get(answer.body.next)).status).toBe(200);
    expect(asked('listRequests').at(-1)).toEqual({ accountId, ...filter, limit: 2, offset: 2 });
  });

  it('answers a request by its id to a session, too', async () => {
    const holder = newPrincipal({ keyId: null });
    const logged = newLogged();
    reads.harness.identity.commands.authenticateSession = async () => holder;
    reads.harness.ledger.commands.getRequest = async () => ({ request: logged });
    const answer = await request(reads.harness.url)
      .get(`/v1/requests/${logged.request_id.toUpperCase()}`)
      .set('cookie', `svc_dashboard=${createSessionToken()}`);
    expect(answer.body).toEqual({ ok: true, request: logged });
    const { accountId } = holder;
    expect(asked('getRequest')).toEqual([{ accountId, requestId: logged.request_id }]);
  });
});

describe('gateways report', () => {
  it('failed and charged requests with their video within seconds, and no cached read', async () => {
    const { harness, account } = reads;
    const [failing, cold] = [freshVideo(), freshVideo()];
    harness.storeFile(newTranscript(FILE), FILE);
    harness.fetcher.commands.getTranscript = async (selection) => {
      if (selection.videoId === failing) throw serviceError('no_captions');
      return newTranscriptFor(selection, FILE);
    };
    const failed = await get(`/v1/transcript?video_id=${failing}`);
    const charged = await get(`/v1/transcript?url=https://youtu.be/${cold}`);
    expect((await get(`/v1/transcript?video_id=${cold}`)).headers['x-cache']).toBe('HIT');
    const refused = await get('/v1/transcript?video_id=x');
    const { accountId: account_id, keyId: key_id } = account.principal;
    const mine = { account_id, key_id, route: 'getTranscript', job_id: null };
    const free = { ...mine, credits_charged: 0 };
    expect(await untilReported(3)).toMatchObject([
      { ...free, request_id: idOf(failed), status: 404, code: 'no_captions', video_id: failing },
      { ...mine, request_id: idOf(charged), status: 200, code: null, credits_charged: 1, video_id: cold },
      { ...free, request_id: idOf(refused), status: 400, code: 'invalid_video_id', video_id: null },
    ]);
  });

  it('a transcript that is answered 202, and its charge with the poll that delivers it', async () => {
    const { harness } = reads;
    const video = freshVideo();
    const requestId = randomUUID();
    harness.fetcher.commands.getTranscript = async () => ({ state: 'pending', requestId });
    harness.fetcher.commands.pollRequest = async () => ({ state: 'pending', requestId });
    const gateway = await harness.addGateway({ coldWaitMs: 0 });
    const at = (path: string) => request(gateway.url).get(path).set(reads.account.bearer);
    const pending = await at(`/v1/transcript?video_id=${video}`);
    expect((await at(pending.body.poll_url)).status).toBe(202);
    harness.storeFile(newTranscript(FILE), FILE);
    const transcript = newTranscriptFor({ videoId: video, language: 'en', format: 'both' }, FILE);
    harness.fetcher.commands.pollRequest = async () => transcript;
    const delivered = await at(pending.body.poll_url);
    expect(delivered.headers['x-credits-charged']).toBe('1');
    expect(await untilReported(2)).toMatchObject([
      { request_id: idOf(pending), status: 202, code: null, credits_charged: 0, video_id: video },
      {
        request_id: idOf(delivered),
        status: 200,
        code: null,
        credits_charged: 1,
        video_id: transcript.video.id,
      },
    ]);
  });

  it('a job that was begun with its id, and a failure of a job', async () => {
    const job = { ...newJob(), videos: [] };
    reads.harness.jobs.commands.createJob = async () => ({ job, isReplayed: false });
    const post = request(reads.harness.url).post('/v1/jobs').set(reads.account.bearer);
    const begun = await post.send({ video_ids: [VIDEO_ID] });
    expect(begun.status).toBe(202);
    const missing = randomUUID();
    await get(`/v1/jobs/${missing}`);
    expect(await untilReported(2)).toMatchObject([
      { request_id: idOf(begun), route: 'createJob', status: 202, code: null, job_id: job.id },
      { route: 'getJob', status: 404, code: 'job_not_found', job_id: missing },
    ]);
  });

  it('a failed tool call of an assistant, although its answer is 200', async () => {
    const video = freshVideo();
    reads.harness.fetcher.commands.getTranscript = async () => {
      throw serviceError('no_captions');
    };
    const params = { name: 'get_transcript', arguments: { video } };
    const answer = await request(reads.harness.url)
      .post('/v1/mcp')
      .set(reads.account.bearer)
      .set('accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(answer.status).toBe(200);
    expect(await untilReported(1)).toMatchObject([
      {
        request_id: idOf(answer),
        route: 'sendMcpMessage',
        status: 200,
        code: 'no_captions',
        video_id: video,
      },
    ]);
  });

  it('nothing of a caller without a credential, and a bounded part of a flood, which costs its caller nothing', async () => {
    await request(reads.harness.url).get('/v1/transcript?video_id=x');
    const answers = await Promise.all(Array.from({ length: 200 }, () => get('/v1/jobs/none')));
    expect(new Set(answers.map(({ headers }) => headers['x-credits-charged']))).toEqual(new Set(['0']));
    const invalid = () => reported().filter(({ code }) => code === 'invalid_job_id');
    await eventually(() => expect(invalid()).toHaveLength(120));
  });

  it('what they had to keep while the ledger was away, and answers never wait for it', async () => {
    const { ledger } = reads.harness;
    const { recordRequests } = ledger.commands;
    let refusals = 0;
    ledger.commands.recordRequests = async () => {
      refusals += 1;
      throw serviceError('service_unavailable');
    };
    const failed = await get('/v1/jobs/none');
    await eventually(() => expect(refusals).toBeGreaterThan(0));
    ledger.asked.length = 0;
    ledger.commands.recordRequests = recordRequests;
    await eventually(() => expect(reported().map(({ request_id }) => request_id)).toContain(idOf(failed)));
  });
});
