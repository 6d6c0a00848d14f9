import { describe, expect, it } from '@jest/globals';
import { billing, identity } from '@tds/contracts';
import { z } from 'zod';
import { defineRoutes, field, type Route } from './define-route.ts';
import { routeErrors } from './route-errors.ts';
import { routeTable } from './routes/index.ts';

const plain = {
  method: 'GET',
  path: '/v1/test',
  access: 'public',
  summary: 'A test',
  responses: { 200: { description: 'Done' } },
} as const;
const errorsOf = (row: Partial<Route>): readonly string[] =>
  routeErrors(defineRoutes('Status', { test: { ...plain, ...row } }).test as Route);

describe('the errors of a route', () => {
  it('contain the code of each parameter and body field, and the codes listed in the row, once', () => {
    const page = { limit: field(z.string(), 'invalid_limit', 'Rows') };
    const body = { url: field(z.string(), 'invalid_webhook_url', 'A URL') };
    const errors = errorsOf({ query: page, body, errors: ['job_not_found', 'invalid_limit'] });
    expect(errors).toEqual(expect.arrayContaining(['invalid_limit', 'invalid_webhook_url', 'job_not_found']));
    expect(errors).toHaveLength(new Set(errors).size);
  });

  it('contain the codes of every command it calls, except those it never causes', () => {
    expect(errorsOf({ calls: [identity.endSessions, billing.openPortal] })).toEqual(
      expect.arrayContaining([...identity.endSessions.errors, ...billing.openPortal.errors]),
    );
    const unreachable = ['session_not_found'] as const;
    expect(errorsOf({ calls: [identity.endSessions], unreachable })).not.toContain('session_not_found');
  });

  it.each([
    [{ access: 'key' }, ['missing_api_key', 'cookie_not_accepted'], ['session_required']],
    [{ access: 'session' }, ['session_required', 'dashboard_header_required'], ['missing_api_key']],
    [{ access: 'key', method: 'POST' }, ['key_is_ending', 'invalid_json'], ['account_frozen']],
    [{ access: 'key', startsWork: true }, ['account_frozen'], ['key_is_ending', 'invalid_json']],
    [{ takesIdempotencyKey: 'for ever' }, ['invalid_idempotency_key'], ['invalid_json']],
    [{ method: 'POST', signedBy: 'x' }, ['payment_body_too_large'], ['invalid_json', 'body_too_large']],
  ] as const)('of %j contain %j and not %j', (row, present, absent) => {
    const errors = errorsOf(row);
    expect(errors).toEqual(expect.arrayContaining([...present, 'rate_limit', 'unexpected_error']));
    for (const code of absent) expect(errors).not.toContain(code);
  });
});

describe('the rows of the table', () => {
  it.each(routeTable.map((row) => [row.id, row] as const))(
    '%s lists only codes that nothing derives',
    (_, row) => {
      const derived = routeErrors({ ...row, errors: [] });
      expect(row.errors.filter((code) => derived.includes(code))).toEqual([]);
      const ofCommands = row.calls.flatMap(({ errors }) => errors);
      for (const code of row.unreachable ?? []) expect(ofCommands).toContain(code);
    },
  );
});
