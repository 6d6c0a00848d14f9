import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@tds/base/internals';
import { readStreamLimits } from './stream-limits.ts';
import { eventStream } from './streams.ts';

describe('the limits of streams', () => {
  it('are bounded by default, and a full stream rejects instead of forgetting', () => {
    const stream = eventStream('status', readStreamLimits('status', {}));
    expect(stream).toMatchObject({
      ...{ num_replicas: 1, max_bytes: 512 * 1_024 ** 2, max_msgs: -1, discard: 'new' },
      max_age: 7 * 86_400 * 1e9,
    });
  });

  it('come from the environment', () => {
    const limits = readStreamLimits('status', {
      EVENTS_REPLICAS: '3',
      EVENTS_MAX_AGE: '14d',
      EVENTS_MAX_BYTES: '10737418240',
      EVENTS_STORE_BYTES: '107374182400',
      EVENTS_MAX_MESSAGES: '1000000',
      EVENTS_WHEN_FULL: 'forget-oldest',
    });
    expect(eventStream('status', limits)).toMatchObject({
      ...{ num_replicas: 3, max_bytes: 10 * 1_024 ** 3, max_msgs: 1_000_000, discard: 'old' },
      max_age: 14 * 86_400 * 1e9,
    });
  });

  it.each([
    ['EVENTS_REPLICAS', '6'],
    ['EVENTS_MAX_AGE', '31d'],
    ['EVENTS_MAX_AGE', '1m'],
    ['EVENTS_MAX_BYTES', '1000'],
    ['EVENTS_WHEN_FULL', 'fail'],
  ])('are rejected if they make no sense: %s=%s', (name, value) => {
    expect(() => readStreamLimits('status', { [name]: value })).toThrow(ConfigError);
    expect(() => readStreamLimits('status', { [name]: value })).toThrow(name);
  });
});
