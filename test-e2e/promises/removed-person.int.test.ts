import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Evidence, openEvidence } from '@tds/audit';
import type { Job } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  booksAgree,
  type Customer,
  call,
  dashboard,
  fileVideo,
  postJson,
  readInvitation,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const ROWS = 6;
let video = 0;
const PEOPLE = '/v1/account/people';

/** Somebody joins the account, and begins a job with a key of their own. */
const beginAsMember = async (owner: Customer) => {
  const email = `member-${owner.email}`;
  const invited = await postJson(system.gateway + PEOPLE, { email, role: 'member' }, dashboard(owner));
  expect(invited.status).toBe(201);
  const invitation = await readInvitation(system.mail.url, email);
  const joined = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  expect([joined.status, joined.text]).toEqual([200, expect.anything()]);
  const member = dashboard({ cookie: joined.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' });
  const video_ids = Array.from({ length: ROWS }, () => fileVideo(video++));
  const made = await postJson(`${system.gateway}/v1/keys`, { name: 'mine' }, member);
  const { key } = made.json<{ key: { secret: string } }>();
  const begun = await postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(key.secret));
  expect([begun.status, begun.text]).toEqual([202, expect.anything()]);
  const { job } = begun.json<{ job: Job }>();
  expect(job.person_id).not.toBe(owner.accountId);
  return { member, job };
};

/** Whether the fetcher begins nothing more of a job. */
const isHeld = async ({ rows }: Evidence, jobId: string): Promise<boolean> => {
  const held = await rows('transcript-fetcher', "SELECT FROM batches WHERE id = $1 AND state = 'held'", [
    jobId,
  ]);
  return held.length > 0;
};

it.each([
  ['end', { status: 'paused', pause_reason: 'key_revoked' }],
  ['pass_on', { status: 'completed', counts: { fetched: ROWS } }],
] as const)('the running job of a person who is removed, with work=%s, becomes %j', async (work, outcome) => {
  const evidence = openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });
  const owner = await signUp(system);
  const read = async (id: string) => (await owner.get(`/v1/jobs/${id}`)).json<{ job: Job }>().job;
  let fault: Parameters<typeof system.simulator.faults.remove>[0] | undefined;
  const release = system.simulator.hold();
  try {
    const { member, job } = await beginAsMember(owner);
    await eventually(async () => expect((await read(job.id)).counts.processing).toBeGreaterThan(0));
    const person = `${system.gateway}${PEOPLE}/${job.person_id}`;
    const headers = { ...dashboard(owner), 'content-type': 'application/json' };
    const removed = await call(person, { method: 'DELETE', headers, body: JSON.stringify({ work }) });
    expect(removed.status).toBe(200);
    expect((await call(`${system.gateway}/v1/account`, { headers: member })).status).toBe(401);
    await eventually(async () => expect(await isHeld(evidence, job.id)).toBe(work === 'end'));
    // What runs ends by itself, and none of it is fetched.
    if (work === 'end') fault = system.simulator.faults.add({ match: {}, fault: 'server_error' });
    release();
    await eventually(async () => expect(await read(job.id)).toMatchObject(outcome));
    await eventually(async () => {
      const { counts, credits } = await read(job.id);
      expect([counts.processing, credits]).toEqual([0, { reserved: 0, charged: counts.fetched }]);
    });
  } finally {
    if (fault) system.simulator.faults.remove(fault);
    release();
  }
  await booksAgree(evidence);
});
