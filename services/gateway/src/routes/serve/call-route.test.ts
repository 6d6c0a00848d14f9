import { describe, expect, it } from '@jest/globals';
import { routes } from '@tds/http-api';
import { callRoute, type RouteHandlers } from './call-route.ts';

const principal = { accountId: 'account', keyId: 'acting', limitId: 'slot', tier: 'free' };
const input = {
  ...{ principal, params: {}, query: {}, body: null, clientAddress: '192.0.2.1' },
  exchange: {},
};

/** The request that a handler sends for this input, and its answer to this reply. */
const run = async (
  handler: { handle(deps: never, input: never): unknown },
  overrides: object,
  reply: object = {},
) => {
  const sent: unknown[] = [];
  const call = async (_command: unknown, request: object) => {
    sent.push(request);
    return reply;
  };
  const answer = await handler.handle({ call } as never, { ...input, ...overrides } as never);
  return { sent: sent[0], answer: answer as { readonly body: string } };
};

describe('a row with a command', () => {
  it('fills the fields of the request with ids of its path, facts of the caller and its own fields', async () => {
    const body = { name: 'new', daily_credit_cap: 5, accountId: 'of another' };
    const update = callRoute(routes.updateKey, { request: () => ({}) });
    const { sent } = await run(update, { params: { keyId: 'changed' }, body });
    expect(sent).toEqual({
      accountId: 'account',
      by: { keyId: 'acting', clientAddress: '192.0.2.1' },
      ...{ keyId: 'changed', name: 'new', dailyCreditCap: 5 },
    });
  });

  it('pages a list below the ids of its path', async () => {
    const overrides = { params: { jobId: 'a-job' }, query: { limit: 1, offset: 2 } };
    const reply = { videos: [{}], total: 4, secret: 'of the reply only' };
    const { sent, answer } = await run(callRoute(routes.listJobVideos, {}), overrides, reply);
    expect(sent).toEqual({ accountId: 'account', jobId: 'a-job', limit: 1, offset: 2, status: undefined });
    expect(JSON.parse(answer.body)).toEqual({
      ...{ ok: true, videos: [{}], limit: 1, offset: 2, total: 4, has_more: true },
      next: '/v1/jobs/a-job/videos?limit=1&offset=3',
    });
  });

  it('needs what its names do not fill, and no handler if they fill all', () => {
    // @ts-expect-error the request's graceHours has another name in the row
    callRoute(routes.revokeKey, {});
    // @ts-expect-error the row describes a cookie
    callRoute(routes.logout, {});
    const wrong = callRoute(routes.listKeys, {
      // @ts-expect-error the reply has no sessions
      body: ({ sessions }) => ({ keys: sessions, live_keys: 0, key_limit: 0 }),
    });
    expect(wrong.row.id).toBe('listKeys');
    const none: Pick<RouteHandlers<object>, 'listKeys'> = {};
    // @ts-expect-error its row does not say all
    const missing: Pick<RouteHandlers<object>, 'revokeKey'> = {};
    expect([none, missing]).toEqual([{}, {}]);
  });
});
