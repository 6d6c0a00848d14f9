import { expect } from '@jest/globals';
import { type ErrorCode, errorCodeDefinition } from '@tds/errors';
import { errorEnvelope, type Route, routeTable } from '@tds/http-api';
import type { Answer } from '#support/testing';

/** The routes that look at a credential. */
export const guarded = routeTable.filter(({ access }) => access !== 'public');

/** Routes as the rows of a table of tests. */
export const named = <Row extends Route>(rows: readonly Row[]) =>
  rows.map((row) => [`${row.method} ${row.path}`, row] as const);

export const expectRefusal = (answer: Answer, code: ErrorCode): void => {
  const envelope = errorEnvelope.parse(answer.json());
  expect([answer.status, envelope.code]).toEqual([errorCodeDefinition(code).status, code]);
  expect(envelope.request_id).toBe(answer.headers.get('x-request-id'));
};
export const expectSuccess = (row: Route, answer: Answer): void => {
  expect(Object.keys(row.responses)).toContain(String(answer.status));
};
