import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { digestSecret } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Route, routes, routeTable } from '@tds/http-api';
import { goodRequests } from '@tds/http-api/testing';
import request from 'supertest';
import { newApiKey } from '../test-support/builders.ts';
import { rawRequest, readBody, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const keyId = '11111111-2222-4333-8444-555555555555';
/** A refresh of a transcript has tests of its own. */
const rows: readonly Route[] = routeTable.filter(
  ({ takesIdempotencyKey, method }: Route) => takesIdempotencyKey && method === 'POST',
);
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.identity.asked.length = 0;
  harness.jobs.asked.length = 0;
  harness.billing.asked.length = 0;
  harness.monitors.asked.length = 0;
  harness.fetcher.asked.length = 0;
});

const requests = () =>
  [harness.identity, harness.jobs, harness.billing, harness.monitors, harness.fetcher].flatMap(({ asked }) =>
    asked.map(({ request: one }) => one),
  );
/** How the service that keeps the key hears of it: identity by its digest, because its answers hold secrets. */
const heard = (row: Route, key: string) =>
  row.id in plainBodies ? { idempotencyKey: key } : { idempotency: { digest: digestSecret(key) } };
const facts = { email: 'you@example.com', videoId: 'dQw4w9WgXcQ' };
/** Of routes whose answers hold no secret. */
const plainBodies: Readonly<Record<string, object | undefined>> = {
  [routes.createJob.id]: goodRequests.createJob(facts).body,
  [routes.createLink.id]: goodRequests.createLink(facts).body,
  [routes.createMonitor.id]: goodRequests.createMonitor(facts).body,
  [routes.checkout.id]: { block: 5 },
};
const bodyFor = (row: Route): object => plainBodies[row.id] ?? { name: 'x' };
const send = (row: Route, key: string, bearer = account.bearer) =>
  request(harness.url)
    .post(row.path.replace('{keyId}', keyId))
    .set(bearer)
    .set('Idempotency-Key', key)
    .send(bodyFor(row));

describe.each(rows.map((row) => [row.id, row] as const))('an Idempotency-Key at %s', (_id, row) => {
  it.each(['x', 'a b', '~', 'x'.repeat(128), '", {}'])('may be %j', async (key) => {
    const answer = await send(row, key);
    expect(answer.body.code).not.toBe('invalid_idempotency_key');
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect(requests()).toMatchObject([heard(row, key)]);
  });

  it.each([
    ['empty', ['Idempotency-Key:']],
    ['blank', ['Idempotency-Key:    ']],
    ['of 129 characters', [`Idempotency-Key: ${'x'.repeat(129)}`]],
    ['not ASCII', ['Idempotency-Key: caf\u00e9']],
    ['with a tab', ['Idempotency-Key: a\tb']],
    ['two of them', ['Idempotency-Key: a', 'Idempotency-Key: b']],
    ['two of the same', ['Idempotency-Key: a', 'idempotency-key: a']],
  ])('is rejected if it is %s, and nothing is done', async (_what, headers) => {
    const body = JSON.stringify(bodyFor(row));
    const answer = await sendRaw(
      harness.url,
      rawRequest(
        `POST ${row.path.replace('{keyId}', keyId)}`,
        [
          `Authorization: ${account.bearer.authorization}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          ...headers,
        ],
        body,
      ),
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(readBody(answer).code).toBe('invalid_idempotency_key');
    expect(requests()).toEqual([]);
  });
});

describe('an ending key', () => {
  it('may repeat its own rotation, and nothing else', async () => {
    const ending = await harness.addAccount({ keyState: 'ending' });
    harness.identity.commands.rotateKey = async () => {
      throw serviceError('key_is_ending');
    };
    for (const row of rows) {
      harness.identity.asked.length = 0;
      const answer = await send(row, 'once', ending.bearer);
      expect([answer.status, answer.body.code]).toEqual([403, 'key_is_ending']);
      expect(requests()).toHaveLength(row.endingKeysRepeat ? 1 : 0);
    }
  });
});

describe('a lost answer', () => {
  it('is repeated with the same secret, marked as a repeat', async () => {
    let first: { nonce: string; keyDigest: string; prefix: string } | undefined;
    const key = newApiKey();
    harness.identity.commands.createKey = async ({ idempotency, keyDigest, keyPrefix }) => {
      const replay = first;
      first ??= { nonce: idempotency?.nonce ?? '', keyDigest, prefix: keyPrefix };
      return { key: { ...key, prefix: first.prefix }, ...(replay && { replay }) };
    };
    const [one, two] = [await send(routes.createKey, 'lost'), await send(routes.createKey, 'lost')];
    expect(one.headers).not.toHaveProperty('idempotency-replayed');
    expect([two.status, two.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(two.text).toBe(one.text);
    const other = await send(routes.createKey, 'another');
    expect([other.status, other.body.code]).toEqual([409, 'replay_not_possible']);
  });
});
