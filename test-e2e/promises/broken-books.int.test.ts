import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkRunningBooks, lookAtBooks, openEvidence } from '@tds/audit';
import {
  asIfCorrupted,
  bearer,
  call,
  dashboard,
  postJson,
  putJson,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { startWebhookReceiver, type WebhookReceiver } from '@tds/webhook-receiver';
import { brokenCharges } from './broken-charges.ts';
import { brokenRecords } from './broken-records.ts';
import { brokenWork } from './broken-work.ts';

let system: TestSystem;
let receiver: WebhookReceiver;
const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
const look = () => lookAtBooks(openEvidence(addressOf, { atRest: true }));

beforeAll(async () => {
  system = await startTestSystem();
  const [payer, other] = [await signUp(system), await signUp(system)];
  const key = `${system.gateway}/v1/keys/${other.keyId}`;
  expect((await call(key, { method: 'DELETE', headers: dashboard(other) })).status).toBeLessThan(300);
  receiver = await startWebhookReceiver();
  await putJson(`${system.gateway}/v1/webhooks`, { url: receiver.hookUrl }, bearer(payer.key));
  await payer.get(`/v1/transcript?video_id=${loadVideoId(901)}`);
  await payer.get(`/v1/transcript?video_id=${loadVideoId(902)}`);
  await payer.get('/v1/transcript?video_id=botCheck_01');
  await payer.get('/v1/search?q=audited');
  const bought = await postJson(`${system.gateway}/v1/checkout`, { block: 20 }, bearer(payer.key));
  await postJson(bought.json<{ checkout_url: string }>().checkout_url, '');
  const video_ids = [loadVideoId(901), loadVideoId(903), loadVideoId(904)];
  const begun = await postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(payer.key));
  await eventually(async () => expect(await look()).toEqual([]), { everyMs: 200 });
  const { job } = begun.json<{ job: { id: string } }>();
  expect((await payer.get(`/v1/jobs/${job.id}/archive`)).status).toBe(200);
});
afterAll(async () => {
  await system?.stop();
  await receiver?.stop();
});

describe('the check of a whole system', () => {
  it('finds nothing where nothing is wrong, at rest and at work', async () => {
    expect(await asIfCorrupted(system, {}, lookAtBooks)).toEqual([]);
    expect(await checkRunningBooks(addressOf)).toEqual([]);
  });

  it.each([...brokenRecords, ...brokenWork, ...brokenCharges])(
    'finds %s (%s)',
    async (_title, invariant, corruption, what) => {
      const findings = await asIfCorrupted(system, corruption, lookAtBooks);
      const relevant = findings.filter((finding) => finding.invariant === invariant);
      expect(relevant.map((finding) => finding.what).join('\n')).toContain(what);
    },
  );
});
