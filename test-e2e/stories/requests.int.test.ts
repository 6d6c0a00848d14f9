import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LoggedRequest } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  type Customer,
  call,
  dashboard,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const VIDEO = fileVideo(1);
const idOf = ({ headers }: Answer): string => String(headers.get('x-request-id'));
const found = (answer: Answer): LoggedRequest => answer.json<{ request: LoggedRequest }>().request;
const list = async (customer: Customer, search = ''): Promise<readonly LoggedRequest[]> =>
  (await customer.get(`/v1/requests${search}`)).json<{ requests: LoggedRequest[] }>().requests;

it('support finds a failed request by the id of its error, and no other account does', async () => {
  const [customer, other] = [await signUp(system), await signUp(system)];
  const failed = await customer.get('/v1/transcript?video_id=noCaptions1');
  const { request_id, code } = failed.json<{ request_id: string; code: string }>();
  const answer = await eventually(async () => {
    const looked = await customer.get(`/v1/requests/${request_id}`);
    expect(looked.status).toBe(200);
    return looked;
  });
  expect(answer.headers.get('x-credits-charged')).toBe('0');
  expect(found(answer)).toMatchObject({
    ...{ request_id, code, status: failed.status, route: 'getTranscript', video_id: 'noCaptions1' },
    ...{ key_id: customer.keyId, credits_charged: 0, job_id: null },
  });
  const path = `${system.gateway}/v1/requests/${request_id}`;
  expect(found(await call(path, { headers: dashboard(customer) }))).toEqual(found(answer));
  expect((await other.get(`/v1/requests/${request_id}`)).status).toBe(404);
  expect(await list(other, '?code=no_captions')).toEqual([]);
});

it('each charge is in the log with the id that the ledger names, a job once, and a cached read never', async () => {
  const customer = await signUp(system);
  const read = () => customer.get(`/v1/transcript?video_id=${VIDEO}`);
  const charged = await read();
  expect((await read()).headers.get('x-cache')).toBe('HIT');
  const body = { video_ids: [fileVideo(2)] };
  const begun = await postJson(`${system.gateway}/v1/jobs`, body, bearer(customer.key));
  const { id: jobId } = begun.json<{ job: { id: string } }>().job;
  const requests = await eventually(async () => {
    const logged = await list(customer, '?failed=false');
    expect(logged).toHaveLength(2);
    return logged;
  });
  expect(requests).toMatchObject([
    { request_id: idOf(begun), route: 'createJob', status: 202, credits_charged: 0, job_id: jobId },
    { request_id: idOf(charged), route: 'getTranscript', credits_charged: 1, video_id: VIDEO },
  ]);
  const ledger = await customer.get('/v1/usage?resource=ledger');
  const { rows } = ledger.json<{ rows: { video_id: string; request_id: string }[] }>();
  expect(rows.find(({ video_id }) => video_id === VIDEO)?.request_id).toBe(idOf(charged));
});
