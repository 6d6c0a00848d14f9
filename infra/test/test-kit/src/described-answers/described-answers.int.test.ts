import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { describedAnswers } from './described-answers.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document = {
  paths: {
    '/things/{thingId}': {
      get: {
        responses: {
          200: {
            headers: {
              'X-Count': { $ref: '#/components/headers/X-Count' },
              'X-Kind': { schema: { enum: ['a', 'b'] } },
            },
            ...json({ $ref: '#/components/schemas/Thing' }),
          },
          204: {},
        },
      },
    },
  },
  components: {
    headers: { 'X-Count': { required: true, schema: { type: 'integer' } } },
    schemas: { Thing: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  },
};

/** What the description says against the answers to one request. */
const breachOf = async (answer: RequestListener, method = 'GET', path = '/things/1?x=1'): Promise<string> => {
  const answers = describedAnswers(document);
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const unwatch = answers.watch(url);
  await (await fetch(url + path, { method })).text();
  unwatch();
  server.close();
  try {
    answers.assertDescribed();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

describe('an answer that the API description', () => {
  it.each<[string, number, string[], string]>([
    ['knows', 200, ['X-Count', '3', 'X-Kind', 'a', ...JSON_TYPE], '{"id":"x","more":1}'],
    ['knows to be empty', 204, [], ''],
  ])('%s passes', async (_what, status, headers, body) => {
    expect(await breachOf((_, response) => response.writeHead(status, headers).end(body))).toBe('none');
  });

  it.each<[string, number, string[], string, string]>([
    ['has no status for', 201, ['X-Count', '3'], '', 'the status 201 is not described'],
    ['misses a field of', 200, ['X-Count', '3', ...JSON_TYPE], '{}', "must have required property 'id'"],
    ['misses the body of', 200, ['X-Count', '3'], '', 'a body is described'],
    ['knows in another type', 200, ['X-Count', '3', 'Content-Type', 'text/plain'], 'x', 'the type text/plain'],
    ['misses a header of', 200, JSON_TYPE, '{"id":"x"}', 'the header X-Count is missing'],
    ['finds a wrong header in', 200, ['X-Count', 'x', ...JSON_TYPE], '{"id":"x"}', 'the header X-Count: '],
    ['does not know a header of', 200, ['X-Count', '3', 'X-New', '', ...JSON_TYPE], '{"id":"x"}', 'x-new'],
  ])('%s is a breach', async (_what, status, headers, body, breach) => {
    expect(await breachOf((_, response) => response.writeHead(status, headers).end(body))).toContain(breach);
  });

  it('has no headers for is a breach in the answer to HEAD too, which has no body', async () => {
    const empty: RequestListener = (_, response) => response.writeHead(200, ['X-Count', '3']).end();
    expect(await breachOf(empty, 'HEAD')).toBe('none');
    expect(await breachOf((_, response) => response.writeHead(200, {}).end(), 'HEAD')).toContain('X-Count');
  });
});
