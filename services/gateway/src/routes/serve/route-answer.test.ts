import { describe, expect, it } from '@jest/globals';
import { routes } from '@tds/http-api';
import { createAnswers } from './route-answer.ts';

describe('the answers of a row', () => {
  const { json } = createAnswers(routes.createKey);
  const listed = createAnswers(routes.listKeys);

  it('have its only status of success, and start with ok', () => {
    expect(listed.json({ keys: [], live_keys: 0, key_limit: 2 })).toEqual({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      body: '{"ok":true,"keys":[],"live_keys":0,"key_limit":2}',
    });
    expect(createAnswers(routes.logout).empty()).toEqual({ status: 204 });
  });

  it('have the status chosen by the handler if the row has several', () => {
    expect(createAnswers(routes.getTranscript, 202).json({} as never).status).toBe(202);
    // @ts-expect-error the handler has to choose
    createAnswers(routes.getTranscript);
    // @ts-expect-error a status that the row does not describe
    createAnswers(routes.getTranscript, 204);
  });

  it('have headers that the row declares, each value of a list on its own line', () => {
    const { headers } = createAnswers(routes.logout).empty({ headers: { 'Set-Cookie': ['a=1', 'b=2'] } });
    expect(headers).toEqual(['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
    // @ts-expect-error the row declares no such header
    listed.json({ keys: [], live_keys: 0, key_limit: 2 }, { headers: { 'Set-Cookie': 'a=1' } });
    // @ts-expect-error the row is not answered from a cache
    listed.json({ keys: [], live_keys: 0, key_limit: 2 }, { cache: 'HIT' });
  });

  it('cannot have undeclared fields', () => {
    // @ts-expect-error a field is missing
    expect(listed.json({ keys: [], live_keys: 0 })).not.toBeNull();
    // @ts-expect-error a field of another type
    expect(listed.json({ keys: [], live_keys: '0', key_limit: 2 })).not.toBeNull();
    // @ts-expect-error a field that is not described
    expect(listed.json({ keys: [], live_keys: 0, key_limit: 2, secret: '' })).not.toBeNull();
    // @ts-expect-error the row has no file
    expect(listed.composed('text/csv', '')).not.toBeNull();
    // @ts-expect-error the row has a body
    expect(listed.empty()).not.toBeNull();
    expect(json).not.toBeNull();
  });
});
