import { describe, expect, it } from '@jest/globals';
import { ServiceError, serviceError } from '@tds/errors';
import { errorText, failureFields, LeaseLost, reasonText, toServiceError } from './errors.ts';

const named = (name: string) => Object.assign(new Error('of the broker'), { name });
const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

describe('what a caller gets for an error', () => {
  it('is a typed error as it is', () => {
    const error = serviceError('invalid_api_key');
    expect(toServiceError(error)).toBe(error);
  });

  it.each([
    away,
    new Error('Query read timeout'),
    ...['NoResponders', 'JetStreamApiError', 'TimeoutError', 'AbortError'].map(named),
    new Error('Command timed out'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new AggregateError([away, serviceError('service_unavailable')], '2 of a page failed'),
  ])('is service_unavailable with a pause while what is needed is away or late: %s', (cause) => {
    const error = toServiceError(cause);
    expect(error).toMatchObject({ code: 'service_unavailable', cause });
    expect(error.data.retryAfterSeconds).toBe(1);
  });

  it.each([
    new TypeError('x is undefined'),
    new AggregateError([away, new TypeError('x is undefined')], '2 of a page failed'),
    ...['a string', null, undefined],
  ])('is unexpected_error for %s, with the cause for the log and none of it on the wire', (thrown) => {
    const error = toServiceError(thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.code).toBe('unexpected_error');
    expect(error.cause).toBe(thrown);
    if (thrown instanceof Error) expect(JSON.stringify(error.data)).not.toContain(thrown.message);
  });
});

describe('a failure in the log', () => {
  it.each([
    new LeaseLost('t1'),
    serviceError('service_unavailable'),
    named('TimeoutError'),
    named('NoResponders'),
    named('JetStreamApiError'),
    away,
  ])('is one line if it was foreseen: %s', (thrown) => {
    expect(failureFields(thrown)).toEqual({ reason: reasonText(thrown) });
  });

  it.each([new TypeError('x is undefined'), serviceError('unexpected_error'), 'a string'])(
    'is shown whole if it was not: %s',
    (thrown) => {
      expect(failureFields(thrown)).toEqual({ error: thrown });
    },
  );

  it('names its causes, four at most, so that a ring of them ends', () => {
    const ring = new Error('first');
    ring.cause = new Error('second', { cause: ring });
    expect(reasonText(new AggregateError([away, ring], '2 of a page failed'))).toBe(
      'AggregateError: 2 of a page failed <- Error: connect ECONNREFUSED 127.0.0.1:5432',
    );
    expect(reasonText(ring)).toBe('Error: first <- Error: second <- Error: first <- Error: second');
  });
});

describe('the text of an error in a row', () => {
  it('has its name and message, about 500 characters at most, and no secret', () => {
    expect(errorText(new RangeError('too far'))).toBe('RangeError: too far');
    expect(errorText('no Error at all')).toBe('no Error at all');
    expect(errorText(new Error('x'.repeat(2_000))).length).toBeLessThan(600);
    const secret = errorText(new Error('connect postgres://app:hunter2-of-the-tests@db/ledger'));
    expect(secret).not.toContain('hunter2-of-the-tests');
  });
});
