import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { type Route, routes } from '@tds/http-api';
import { withOutcome } from './error-answer.ts';

const lost = serviceError('service_unavailable', { retryAfterSeconds: 1, cause: new Error('timeout') });
const refused = serviceError('service_unavailable', { nothingBegun: true });
const rows: readonly Route[] = Object.values(routes);
const ofKind = (changes: boolean) =>
  rows.filter((row) => (row.method !== 'GET' && !row.changesNothing) === changes).map(({ id }) => id);

const wordsOf = (
  route: string,
  { error = lost, hasBegun = true, isWaived = false, hasIdempotencyKey = false } = {},
): string => withOutcome(error, { exchange: { route, hasBegun, isWaived }, hasIdempotencyKey }).data.message;

describe('a 5xx without a statement about the request', () => {
  it.each(ofKind(true))(
    'never claims for %s, which changes something, that nothing was charged or begun',
    (route) => {
      expect(wordsOf(route)).toMatch(/did not answer in time\. The request may have taken effect\. \S/);
      expect(wordsOf(route)).not.toMatch(/charged|begun/);
      const unforeseen = serviceError('unexpected_error', { cause: new Error('a fault') });
      expect(wordsOf(route, { error: unforeseen })).toMatch(
        /our side\. The request may have taken effect\. \S/,
      );
    },
  );

  it.each(rows.map(({ id }) => id))('claims for %s that nothing was begun if that is certain', (route) => {
    expect(wordsOf(route, { error: refused })).toContain('Nothing was begun, and nothing was charged.');
    expect(wordsOf(route, { hasBegun: false })).toContain('Nothing was begun, and nothing was charged.');
  });

  it.each(ofKind(false))('claims for %s, which only reads, that nothing was charged', (route) => {
    expect(wordsOf(route)).toContain('This request has charged nothing.');
  });

  it('of a waived request says that its credit is given back, not that none was charged', () => {
    const words = wordsOf('getTranscript', { isWaived: true });
    expect(words).toContain('a credit that was charged for it is given back');
    expect(words).not.toMatch(/nothing was charged|charged nothing/i);
  });

  it('says how to find out: by a repeat with the same Idempotency-Key, else by a read', () => {
    expect(wordsOf('createJob', { hasIdempotencyKey: true })).toContain('with the same Idempotency-Key');
    expect(wordsOf('createJob')).toContain('GET /v1/jobs shows');
    expect(wordsOf('cancelJob', { hasIdempotencyKey: true })).toContain('GET /v1/jobs/{id} shows');
    expect(wordsOf('rotateKey')).toContain('GET /v1/keys shows');
    expect(wordsOf('checkout')).toContain('GET /v1/billing/purchases shows');
  });

  it('names existing routes only', () => {
    for (const { outcomeAt } of rows)
      if (outcomeAt !== undefined) expect(rows.map(({ path }) => path)).toContain(outcomeAt);
  });

  it('leaves other errors unchanged, and keeps code, wait and cause', () => {
    const other = serviceError('relay_unavailable');
    const answered = {
      exchange: { route: 'createJob', hasBegun: true, isWaived: false },
      hasIdempotencyKey: false,
    };
    expect(withOutcome(other, answered)).toBe(other);
    expect(withOutcome(lost, answered)).toMatchObject({
      code: 'service_unavailable',
      cause: lost.cause,
      data: { retryAfterSeconds: 1, retryable: true },
    });
  });
});
