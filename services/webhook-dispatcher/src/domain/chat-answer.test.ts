import { describe, expect, it } from '@jest/globals';
import { readChatAnswer } from './chat-answer.ts';

const posted = (status: number | null, answer: string, retryAfterMs?: number) => ({
  ...{
    status,
    answer,
    error: status === null ? ('timeout' as const) : status < 300 ? null : ('status' as const),
  },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

describe('the answer of a chat service', () => {
  it.each([
    ['slack', 200, 'ok', null],
    ['slack', 200, 'invalid_token', 'refused'],
    ['slack', 400, 'invalid_payload', 'status'],
    ['slack', 404, 'no_service', 'gone'],
    ['slack', 403, 'team_disabled', 'gone'],
    ['slack', 410, 'channel_is_archived', 'gone'],
    ['slack', 403, 'action_prohibited', 'status'],
    ['slack', 404, '<html>not found</html>', 'status'],
    ['discord', 204, '', null],
    ['discord', 404, '{"message": "Unknown Webhook", "code": 10015}', 'gone'],
    ['discord', 404, '{"message": "Unknown Channel", "code": 10003}', 'status'],
    ['discord', 404, 'not found', 'status'],
    ['teams', 202, '', null],
    ['teams', 200, '1', null],
    ['teams', 200, 'Webhook message delivery failed with error: x', 'refused'],
    ['teams', 404, '', 'gone'],
    ['teams', 410, '', 'gone'],
    ['teams', 502, 'bad gateway', 'status'],
  ] as const)('of %s with %i %j is %s', (form, status, answer, error) => {
    expect(readChatAnswer(form, posted(status, answer))).toEqual({ error });
  });

  it.each([
    ['slack', 429, 'rate_limited', 7_000, 7_000],
    ['discord', 429, '{"retry_after": 1.234, "global": false}', undefined, 1_234],
    ['discord', 429, '{"retry_after": 0.3}', 65_000, 65_000],
    ['discord', 429, 'cloudflare', undefined, 30_000],
    ['teams', 429, '', undefined, 30_000],
    [
      'teams',
      200,
      'delivery failed: Microsoft Teams endpoint returned HTTP error 429 with x',
      undefined,
      30_000,
    ],
    ['slack', 429, '', 90_000_000, 3_600_000],
    ['discord', 429, '{"retry_after": 0.001}', undefined, 1_000],
  ] as const)('of %s with %i %j is a pause, by its own wait', (form, status, answer, retryAfterMs, restMs) => {
    expect(readChatAnswer(form, posted(status, answer, retryAfterMs))).toEqual({ error: 'status', restMs });
  });

  it('that did not come is the failure that it was', () => {
    expect(readChatAnswer('slack', posted(null, ''))).toEqual({ error: 'timeout' });
  });
});
