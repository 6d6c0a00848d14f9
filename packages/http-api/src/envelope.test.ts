import { describe, expect, it } from '@jest/globals';
import { type ErrorCodeDefinition, errorCodes, serviceError } from '@tds/errors';
import { errorEnvelope, toEnvelope } from './envelope.ts';

describe('the error envelope', () => {
  it('carries what the error carries, and nothing of its private cause', () => {
    const error = serviceError('insufficient_credits', {
      extras: { required: 1, available: 0, shortfall: 1, buy_url: 'https://api.example/buy' },
      retryAfterSeconds: 3,
      cause: new Error('private'),
    });
    const envelope = toEnvelope(error, 'id', 'https://api.example');
    expect(errorEnvelope.parse(envelope)).toEqual({
      ok: false,
      errorClass: 'InsufficientCredits',
      code: 'insufficient_credits',
      message: expect.any(String),
      retryable: false,
      docs_url: 'https://api.example/docs/errors#InsufficientCredits',
      request_id: 'id',
      retry_after: 3,
      required: 1,
      available: 0,
      shortfall: 1,
      buy_url: 'https://api.example/buy',
    });
    expect(JSON.stringify(envelope)).not.toContain('private');
  });

  it.each(Object.entries<ErrorCodeDefinition>(errorCodes))(
    'says of %s in its text what its flag says',
    (_code, definition) => {
      const { message, retryable, status } = definition;
      const saysRetry = /\bretry\b/i.test(message);
      if (saysRetry) expect(retryable).toBe(true);
      if (status === 429) expect(saysRetry).toBe(retryable);
    },
  );
});
