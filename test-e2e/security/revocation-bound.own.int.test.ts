import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sleep } from '#support';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fileVideo,
  operate,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

const BOUND_MS = 30_000;
/** For so long a gateway believes what it knows of a key, if it hears nothing. */
const BELIEVED_MS = 10_000;
/** 240 a minute, below what a paid key may. */
const EVERY_MS = 250;
const CACHED = '/v1/transcript?video_id=manualEn001';
let system: TestSystem;
let nextVideo = 700;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const paidCustomer = async (): Promise<Customer> => {
  const customer = await signUp(system);
  await operate(system, 'set-tier', customer.email, 'paid');
  // A key that no gateway knows yet: what they know they believe for ten seconds.
  const other = await call(`${system.gateway}/v1/keys/${customer.keyId}/rotate`, {
    method: 'POST',
    headers: dashboard(customer),
  });
  const { key } = other.json<{ key: { id: string; secret: string } }>();
  const get = (path: string) => call(`${system.gateway}${path}`, { headers: bearer(key.secret) });
  const fresh = { ...customer, keyId: key.id, key: key.secret, get };
  expect((await fresh.get(CACHED)).status).toBe(200);
  return fresh;
};

/** Uses the key without a pause and without waiting for answers. Resolves to when it last worked, in ms from the start. */
const lastSuccessMs = async ({ get }: Customer, forMs: number): Promise<number> => {
  const startedAt = performance.now();
  let last = 0;
  const refusals = new Set<string>();
  const failures: unknown[] = [];
  const uses: Promise<unknown>[] = [];
  const use = async (): Promise<void> => {
    const sentAt = performance.now() - startedAt;
    const answer = await get(CACHED);
    if (answer.status === 200) last = Math.max(last, sentAt);
    else refusals.add(answer.json<{ code: string }>().code);
  };
  while (performance.now() - startedAt < forMs && failures.length === 0) {
    uses.push(use().catch((error: unknown) => failures.push(error)));
    await sleep(EVERY_MS);
  }
  await Promise.all(uses);
  expect(failures).toEqual([]);
  expect(refusals.size).toBeGreaterThan(0);
  expect(refusals).not.toContain('rate_limit');
  return last;
};

/** Commits a revocation without an event: only its time remains. */
const revokeSilently = async (keyId: string): Promise<void> => {
  const client = new pg.Client({ connectionString: system.databases.identity?.ownerUrl });
  await client.connect();
  const { rowCount } = await client.query(
    'UPDATE api_keys SET revoke_at = now(), changed_at = now() WHERE id = $1',
    [keyId],
  );
  await client.end();
  expect(rowCount).toBe(1);
};

describe('a cap that is lowered', () => {
  /** Reads one unknown video after the other. Resolves to when the last one that was delivered was asked for. */
  const lastDeliveryMs = async ({ get }: Customer, forMs: number) => {
    const startedAt = performance.now();
    let lastMs = 0;
    while (performance.now() - startedAt < forMs) {
      const askedMs = performance.now() - startedAt;
      const answer = await get(`/v1/transcript?video_id=${fileVideo(nextVideo++)}`);
      if (answer.status === 200) lastMs = askedMs;
      else expect(answer.json()).toMatchObject({ code: 'daily_credit_cap' });
      await sleep(EVERY_MS);
    }
    return lastMs;
  };

  it('stops the key as fast as a revocation, though gateways know it', async () => {
    const customer = await paidCustomer();
    expect((await customer.get(`/v1/transcript?video_id=${fileVideo(nextVideo++)}`)).status).toBe(200);
    const lowered = await postJson(
      `${system.gateway}/v1/keys/${customer.keyId}`,
      { daily_credit_cap: 1 },
      dashboard(customer),
    );
    expect(lowered.status).toBe(200);
    expect(await lastDeliveryMs(customer, BELIEVED_MS)).toBeLessThan(BELIEVED_MS / 2);
  });
});

describe('a revoked key works no longer than 30 s', () => {
  it('and less at a gateway that receives the event', async () => {
    const customer = await paidCustomer();
    const answer = await call(`${system.gateway}/v1/keys/${customer.keyId}`, {
      method: 'DELETE',
      headers: dashboard(customer),
    });
    expect(answer.status).toBe(200);
    expect(await lastSuccessMs(customer, BELIEVED_MS)).toBeLessThan(BELIEVED_MS / 2);
  });

  it.each(['redis', 'nats'] as const)('when no service hears of it, because %s is down', async (server) => {
    const customer = await paidCustomer();
    await revokeSilently(customer.keyId);
    await system[server].kill();
    const last = await lastSuccessMs(customer, BOUND_MS + 2_000).finally(() => system[server].start());
    expect(last).toBeLessThan(BOUND_MS);
  });
});
