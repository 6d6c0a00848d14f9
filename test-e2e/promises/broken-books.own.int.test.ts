import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditBooks, checkRunningBooks, openEvidence } from '@tds/audit';
import { withClient } from '@tds/servers';
import { channelAt, loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  asIfCorrupted,
  bearer,
  type Customer,
  call,
  dashboard,
  fifteenMinutesPass,
  postJson,
  putJson,
  signUp,
  startTestSystem,
  type TestSystem,
  waitingRows,
} from '#support/testing';
import { brokenCharges } from './broken-charges.ts';
import { brokenMonitors } from './broken-monitors.ts';
import { brokenRecords } from './broken-records.ts';
import { brokenWork } from './broken-work.ts';

let system: TestSystem;
const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
/** A watched channel uploads, and its new videos are reported and fetched. */
const haveChanges = async (key: string): Promise<void> => {
  const made = await postJson(
    `${system.gateway}/v1/monitors`,
    { channel: watched, auto_fetch: true },
    bearer(key),
  );
  const { id } = made.json<{ monitor: { id: string } }>().monitor;
  system.simulator.upload({ to: watched, count: 2 });
  await fifteenMinutesPass(system);
  await eventually(async () => {
    const { rows } = await withClient(addressOf('bulk-orchestrator'), (admin) =>
      admin.query('SELECT FROM jobs WHERE monitor_id = $1', [id]),
    );
    expect(rows).toHaveLength(1);
  });
};
const watched = channelAt(3, 1)?.id ?? '';
/** A key whose monitor watches that channel, and for whose job the address that it gave has failed once, is revoked at once. */
const revokeKey = async (owner: Customer): Promise<void> => {
  const path = `/${owner.accountId}/given`;
  system.receiver.script([500], path);
  const webhook_url = system.receiver.hookUrl + path;
  const hooks = `${system.gateway}/v1/webhooks`;
  await putJson(hooks, { url: system.receiver.hookUrl }, dashboard(owner));
  const asked = { channel: watched, auto_fetch: true, webhook_url };
  expect((await postJson(`${system.gateway}/v1/monitors`, asked, bearer(owner.key))).status).toBe(201);
  const work = { video_ids: [loadVideoId(905)], webhook_url };
  expect((await postJson(`${system.gateway}/v1/jobs`, work, bearer(owner.key))).status).toBe(202);
  const inDispatcher = (sql: string) =>
    withClient(addressOf('webhook-dispatcher'), async (admin) => (await admin.query(sql)).rows);
  const states = () => inDispatcher('SELECT state, attempts FROM deliveries');
  await eventually(async () => expect(await states()).toEqual([{ state: 'waiting', attempts: 1 }]));
  const key = `${system.gateway}/v1/keys/${owner.keyId}`;
  expect((await call(key, { method: 'DELETE', headers: dashboard(owner) })).status).toBeLessThan(300);
  for (const table of ['deliveries', 'endpoints', 'queues'] as const)
    await waitingRows(system, 'webhook-dispatcher').makeDue(table);
  await eventually(async () => expect(await states()).toEqual([{ state: 'failed', attempts: 1 }]));
};
const evidence = openEvidence(addressOf, { atRest: true });
const check = () => auditBooks(evidence);

beforeAll(async () => {
  system = await startTestSystem();
  const [payer, other, former] = [await signUp(system), await signUp(system), await signUp(system)];
  await revokeKey(other);
  const closed = await call(`${system.gateway}/v1/account?resource=account`, {
    method: 'DELETE',
    headers: { ...dashboard(former), 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: former.email }),
  });
  expect(closed.status).toBe(200);
  await putJson(
    `${system.gateway}/v1/webhooks`,
    { url: system.receiver.hookUrl, low_balance_threshold: 500 },
    bearer(payer.key),
  );
  await payer.get(`/v1/transcript?video_id=${loadVideoId(901)}`);
  await payer.get(`/v1/transcript?video_id=${loadVideoId(902)}`);
  await payer.get('/v1/transcript?video_id=botCheck_01');
  await payer.get('/v1/search?q=audited');
  const bought = await postJson(`${system.gateway}/v1/checkout`, { block: 20 }, bearer(payer.key));
  await postJson(bought.json<{ checkout_url: string }>().checkout_url, '');
  const video_ids = [loadVideoId(901), loadVideoId(903), loadVideoId(904)];
  const begun = await postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(payer.key));
  await eventually(async () => expect(await check()).toEqual([]), { everyMs: 200 });
  await haveChanges(payer.key);
  await eventually(async () => expect(await check()).toEqual([]), { everyMs: 200 });
  const { job } = begun.json<{ job: { id: string } }>();
  expect((await payer.get(`/v1/jobs/${job.id}/archive`)).status).toBe(200);
});
afterAll(() => system?.stop());

describe('the check of a whole system', () => {
  it('finds nothing if nothing is wrong, at rest and at work', async () => {
    expect(await asIfCorrupted(system, {}, auditBooks)).toEqual([]);
    expect(await checkRunningBooks(addressOf)).toEqual([]);
  });

  it.each([...brokenRecords, ...brokenWork, ...brokenCharges, ...brokenMonitors])(
    'finds %s (%s)',
    async (_title, invariant, corruption, what) => {
      const findings = await asIfCorrupted(system, corruption, auditBooks);
      const relevant = findings.filter((finding) => finding.invariant === invariant);
      expect(relevant.map((finding) => finding.what).join('\n')).toContain(what);
    },
  );
});
