import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { withClient } from '@tds/servers';
import { channelAt } from '@tds/simulators/platform';
import { copyDatabase, eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  creditsCharged,
  dashboard,
  fileVideo,
  postJson,
  readInvitation,
  shareTestSystem,
  signInAgain,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const PEOPLE = '/v1/account/people';
const send = (method: string, path: string, who: Pick<Customer, 'cookie'>, body: object) =>
  call(system.gateway + path, {
    method,
    headers: { ...dashboard(who), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A person joins. */
const join = async (owner: Pick<Customer, 'cookie' | 'email'>, role: 'owner' | 'member', name = 'heir') => {
  const email = `${name}-${owner.email}`;
  expect((await send('POST', PEOPLE, owner, { email, role })).status).toBe(201);
  const invitation = await readInvitation(system.mail.url, email);
  const answer = await postJson(`${system.gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  expect(answer.status).toBe(200);
  return { email, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
};

const openBooks = () =>
  openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });
const query = (service: string, sql: string) =>
  withClient(String(system.databases[service]?.adminUrl), (admin) => admin.query(sql));

/** Whom the account has, as one who signs in anew sees it. */
const accountOf = async (email: string) => {
  const session = await signInAgain(system, email);
  const headers = dashboard(session);
  const { account } = (await call(`${system.gateway}/v1/account`, { headers })).json<{
    account: { id: string };
  }>();
  const { people } = (await call(system.gateway + PEOPLE, { headers })).json<{
    people: { email: string; role: string }[];
  }>();
  return { id: account.id, people: people.map((one) => `${one.email} ${one.role}`) };
};

it('no account is without an owner if identity is put back while people join, leave and change roles', async () => {
  const { identity } = system.databases;
  if (!identity) throw new Error('there is no database of identity');
  const [left, demoted] = [await signUp(system), await signUp(system)];
  const copy = await copyDatabase(identity);
  const servesAgain = () =>
    eventually(async () => expect((await demoted.get('/v1/account')).status).toBe(200), { everyMs: 500 });
  await servesAgain();
  const [heir, head] = [await join(left, 'owner'), await join(demoted, 'owner')];
  const removed = await send('DELETE', `${PEOPLE}/${left.accountId}`, heir, { work: 'end' });
  const changed = await send('PATCH', `${PEOPLE}/${demoted.accountId}`, head, { role: 'member' });
  expect([removed.status, changed.status]).toEqual([200, 200]);
  // What the broker has not heard of is lost with the database.
  await eventually(async () => {
    const answers = await Promise.all([left, demoted].map((one) => one.get('/v1/account')));
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  });
  await copy.putBack();
  await servesAgain();
  const evidence = openBooks();
  await eventually(
    async () => {
      const sql = `SELECT email FROM people WHERE email = ANY ($1) AND role = 'owner' AND removed_at IS NULL`;
      const { rows } = await withClient(identity.adminUrl, (admin) =>
        admin.query(sql, [[left, heir, demoted, head].map(({ email }) => email)]),
      );
      expect(rows.map(({ email }) => email).toSorted()).toEqual([heir.email, head.email].toSorted());
      expect(await auditBooks(evidence)).toEqual([]);
    },
    { everyMs: 500 },
  );
  expect(await accountOf(heir.email)).toEqual({ id: left.accountId, people: [`${heir.email} owner`] });
  expect(await accountOf(head.email)).toEqual({
    id: demoted.accountId,
    people: [`${demoted.email} member`, `${head.email} owner`],
  });
  // Who has left has an account of their own.
  expect((await accountOf(left.email)).id).not.toBe(left.accountId);
  await copy.drop();
});

const patiently = { everyMs: 1_500 };
/** A published event of a job that a restore has lost cannot be withdrawn. */
const TOLD = 'bulk-orchestrator published what webhook-dispatcher has applied';

const newKey = async (who: Pick<Customer, 'cookie'>) => {
  const made = await send('POST', '/v1/keys', who, { name: 'own' });
  return made.json<{ key: { secret: string } }>().key.secret;
};
const idOf = async (owner: Customer, email: string) => {
  const listed = await call(system.gateway + PEOPLE, { headers: dashboard(owner) });
  const { people } = listed.json<{ people: { id: string; email: string }[] }>();
  return people.find((one) => one.email === email)?.id;
};
/** A cold transcript, for which its key is charged; or why it is not. */
const fetchNew = async (key: string, index: number) => {
  const path = `/v1/transcript?video_id=${fileVideo(index)}`;
  const answer = await call(system.gateway + path, { headers: bearer(key) });
  return answer.status === 200 ? creditsCharged(answer) : answer.json<{ code: string }>().code;
};

it.each([
  ['credits-ledger', 9_100, 25],
  ['monitor-scheduler', 9_200, 26],
  ['bulk-orchestrator', 9_300, 27],
] as const)(
  'removals and caps hold, and the books, if %s is put back while people join, leave and change roles',
  async (service, first, channel) => {
    const owner = await signUp(system);
    const member = await join(owner, 'member', 'member');
    const key = await newKey(member);
    const watched = await postJson(
      `${system.gateway}/v1/monitors`,
      { channel: channelAt(channel, 1)!.handle },
      bearer(key),
    );
    const { id } = watched.json<{ monitor: { id: string } }>().monitor;
    const servesAgain = () =>
      eventually(async () => {
        for (const path of ['/v1/account', '/v1/jobs', '/v1/monitors'])
          expect((await owner.get(path)).status).toBe(200);
      }, patiently);
    const copy = await copyDatabase(system.databases[service]!);
    await servesAgain();

    const heir = await join(owner, 'owner');
    const capped = await join(owner, 'member', 'capped');
    const changes = [
      await send('PATCH', `${PEOPLE}/${await idOf(owner, capped.email)}`, heir, { daily_credit_cap: 1 }),
      await send('DELETE', `${PEOPLE}/${await idOf(owner, member.email)}`, heir, { work: 'end' }),
      await send('PATCH', `${PEOPLE}/${owner.accountId}`, heir, { role: 'member' }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ofCapped = await newKey(capped);
    const job = await postJson(
      `${system.gateway}/v1/jobs`,
      { video_ids: [fileVideo(first)] },
      bearer(ofCapped),
    );
    expect(job.status).toBe(202);
    await eventually(async () => {
      const { jobs } = (await owner.get('/v1/jobs')).json<{ jobs: { status: string }[] }>();
      expect(jobs).toMatchObject([{ status: 'completed' }]);
      const { monitor } = (await owner.get(`/v1/monitors/${id}`)).json<{ monitor: object }>();
      expect(monitor).toMatchObject({ pause_reason: 'key_revoked' });
    }, patiently);

    await copy.putBack();
    await servesAgain();
    await query('transcript-fetcher', `UPDATE operations SET ended_at = ended_at - interval '2 minutes'`);
    await query('transcript-fetcher', `UPDATE batches SET created_at = created_at - interval '1 hour'`);
    const late = await join(heir, 'member', 'late');
    await eventually(async () => {
      for (const name of ['transcript-fetcher', 'bulk-orchestrator'])
        await waitingRows(system, name).makeDue('messaging.schedules', { where: "name LIKE 'reconcile-%'" });
      const { monitor } = (await owner.get(`/v1/monitors/${id}`)).json<{ monitor: object }>();
      expect(monitor).toMatchObject({ status: 'paused', pause_reason: 'key_revoked' });
      const { usage_today } = (await owner.get('/v1/account')).json<{ usage_today: object }>();
      expect(usage_today).toMatchObject({ credits_charged: 1 });
      expect((await auditBooks(openBooks())).filter(({ what }) => what !== TOLD)).toEqual([]);
    }, patiently);
    expect(await fetchNew(ofCapped, first + 1)).toBe('daily_credit_cap');
    expect(await fetchNew(key, first + 1)).toBe('invalid_api_key');
    expect(await fetchNew(owner.key, first + 1)).toBe(1);
    expect((await accountOf(heir.email)).people.toSorted()).toEqual(
      [
        `${heir.email} owner`,
        `${capped.email} member`,
        `${owner.email} member`,
        `${late.email} member`,
      ].toSorted(),
    );
    await copy.drop();
  },
);
