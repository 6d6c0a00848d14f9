import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorEnvelope, missingCredentialCode, routeTable } from '@tds/http-api';
import request from 'supertest';
import { rawRequest, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const ID = 'dQw4w9WgXcQ';
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  account = await harness.addAccount({ tier: 'paid' });
  harness.fetcher.asked.length = 0;
  harness.identity.asked.length = 0;
});

describe('query parameters', () => {
  const strange = [
    ['empty', ''],
    ['in another form', '1e2'],
    ['hexadecimal', '0x10'],
    ['minus nothing', '-0'],
    ['signed', '%2B5'],
    ['with a blank', '%205'],
    ['a NUL', '%00'],
    ['with a NUL behind it', `${ID}%00`],
    ['with a line feed behind it', `${ID}%0A`],
    ['half a character', '%ED%A0%80'],
    ['no UTF-8', '%FF%FE'],
    ['broken percent', '%'],
    ['very long', 'a'.repeat(5_000)],
    ['a proto', '__proto__'],
    ['a name of every object', 'hasOwnProperty'],
    ['markup', '%3Cscript%3E'],
    ['SQL', "'%20OR%201=1--"],
  ] as const;

  const parameters = [
    ['/v1/transcript', 'video_id', 'invalid_video_id', ''],
    ['/v1/transcript', 'request_id', 'invalid_request_id', ''],
    ['/v1/transcript', 'format', 'invalid_format', `video_id=${ID}&`],
    ['/v1/transcript', 'language', 'invalid_language', `video_id=${ID}&`],
    ['/v1/transcript', 'fallback', 'invalid_fallback', `video_id=${ID}&`],
    ['/v1/transcript', 'raw', 'invalid_raw', `video_id=${ID}&`],
    ['/v1/transcript', 'passages', 'invalid_passages', `video_id=${ID}&format=json&`],
    [
      ...['/v1/transcript', 'passage_characters', 'invalid_passage_characters'],
      `video_id=${ID}&format=json&passages=true&`,
    ],
    ['/v1/transcript', 'front_matter', 'invalid_front_matter', `video_id=${ID}&format=md&`],
    ['/v1/video', 'video_id', 'invalid_video_id', ''],
    ['/v1/video', 'input', 'invalid_video_id', ''],
    ['/v1/video', 'url', 'invalid_video_id', ''],
    ['/v1/video/languages', 'video_id', 'invalid_video_id', ''],
    ['/v1/video/languages', 'input', 'invalid_video_id', ''],
  ] as const;

  const refused = async (url: string, code: string) => {
    const answer = await request(harness.url).get(url).set(account.bearer);
    expect(answer.status).toBe(400);
    expect(errorEnvelope.parse(answer.body).code).toBe(code);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(harness.fetcher.asked).toEqual([]);
  };

  describe.each(parameters)('%s %s', (path, name, code, others) => {
    // People paste addresses with line ends.
    const isPasted = name === 'input' || name === 'url';
    const values = strange.filter(([, value]) => !isPasted || !value.endsWith('%0A'));
    it.each(values)('that is %s is rejected with its code', (_what, value) =>
      refused(`${path}?${others}${name}=${value}`, code),
    );

    it.each([
      ['sent twice', `${name}=${ID}&${name}=${ID}`],
      ['an array', `${name}[]=${ID}`],
      ['an object', `${name}[x]=${ID}`],
      ['a value and an array', `${name}=${ID}&${name}[]=${ID}`],
    ])('%s is rejected with its code', (_what, search) => refused(`${path}?${others}${search}`, code));
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__[x]', 'x', '%00', 'lang'])(
    'the unknown parameter %s is rejected on every route, after authentication',
    async (name) => {
      const to = (path: string) => `${path.replace('{keyId}', account.principal.keyId ?? '')}?${name}=1`;
      for (const { path, method, access, tag } of routeTable.filter((row) => row.access !== 'session')) {
        const send = () => request(harness.url)[method.toLowerCase() as 'get'](to(path));
        const answer = await send().set(account.bearer);
        expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'unknown_parameter']);
        const isGuarded = access !== 'public' && access !== 'anyone';
        if (isGuarded) expect((await send()).body.code).toBe(missingCredentialCode({ tag }));
      }
      expect([...harness.fetcher.asked, ...harness.identity.asked]).toEqual([]);
    },
  );

  it('a misplaced or misspelt grace period revokes nothing', async () => {
    const send = (search: string, body?: object) =>
      request(harness.url)
        .delete(`/v1/keys/${account.principal.keyId}${search}`)
        .set(account.bearer)
        .send(body);
    for (const answer of [await send('?grace_period_hours=24'), await send('', { grace_period: 24 })]) {
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('unknown_parameter');
      expect(answer.body.message).toContain('grace_period_hours');
    }
    expect(harness.identity.asked).toEqual([]);
  });

  it('a key with a misspelt cap is not created', async () => {
    const answer = await request(harness.url)
      .post('/v1/keys')
      .set(account.bearer)
      .send({ name: 't2', daily_cap: 5 });
    expect(answer.body).toMatchObject({
      code: 'unknown_parameter',
      message: expect.stringContaining('daily_cap. Did you mean daily_credit_cap?'),
    });
    expect(harness.identity.asked).toEqual([]);
  });

  it('names are case-sensitive', () => refused(`/v1/video?VIDEO_ID=${ID}`, 'unknown_parameter'));
});

describe('JSON bodies', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    request(harness.url)
      .post('/v1/auth/code')
      .set({ 'content-type': 'application/json', ...headers })
      .serialize((text) => text)
      .send(body as string);

  it.each([
    ['nothing at all', '', 400, 'invalid_json'],
    ['no JSON', '{', 400, 'invalid_json'],
    ['an array', '[]', 400, 'invalid_json'],
    ['null', 'null', 400, 'invalid_json'],
    ['two byte order marks', '\ufeff\ufeff{"email":"a@example.com"}', 400, 'invalid_json'],
    ['10 levels', `{"email":${'['.repeat(10)}${']'.repeat(10)}}`, 400, 'invalid_email'],
    ['10,000 levels', `{"email":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400, 'invalid_json'],
    ['a field of another type', '{"email":{"toString":1}}', 400, 'invalid_email'],
    ['a field too long', JSON.stringify({ email: 'a'.repeat(400) }), 400, 'invalid_email'],
    ['only a prototype', '{"__proto__":{"email":"a@example.com"}}', 400, 'unknown_parameter'],
  ])('%s is rejected', async (_what, body, status, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(errorEnvelope.parse(answer.body).code).toBe(code);
    expect(harness.identity.asked).toEqual([]);
  });

  it('a byte order mark is skipped', async () => {
    expect((await post('\ufeff{"email":"a@example.com"}')).status).toBe(200);
  });

  it('invalid UTF-8 is rejected', async () => {
    const answer = await sendRaw(
      harness.url,
      Buffer.concat([
        Buffer.from(rawRequest('POST /v1/auth/code', ['Content-Type: application/json', 'Content-Length: 13'])),
        Buffer.from('{"email":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
    );
    expect(answer).toContain('"code":"invalid_json"');
  });

  it('of a repeated field the last value counts', async () => {
    const answer = await post('{"email":"one@example.com","email":"other@example.com"}');
    expect(answer.status).toBe(200);
    expect(harness.identity.asked).toMatchObject([{ request: { email: 'other@example.com' } }]);
  });

  it('unknown fields are rejected and passed on nowhere', async () => {
    const answer = await post('{"email":"a@example.com","tier":"paid","clientAddress":"1.2.3.4"}');
    expect(answer.body.code).toBe('unknown_parameter');
    expect(harness.identity.asked).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; boundary=x; charset=utf-16',
    'application/json-seq',
    'application/jsonp',
    'multipart/form-data; boundary=application/json',
  ])('of type %s are rejected', async (type) => {
    const answer = await post('{"email":"a@example.com"}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body.code).toBe('unsupported_media_type');
  });

  it.each([
    ...['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'],
    ...['application/json; charset=utf8', 'application/json; charset=UTF-8; boundary=x', 'application/json;'],
    ...['application/json; boundary=x; charset="Utf8" ', 'application/json ; version=1; odata=verbose'],
  ])('of type %s are accepted', async (type) => {
    expect((await post('{"email":"a@example.com"}', { 'content-type': type })).status).toBe(200);
  });

  it.each(['br', 'gzip', 'deflate', 'identity, br'])(
    'encoded with %s are rejected unread',
    async (encoding) => {
      const answer = await post(Buffer.alloc(1_000), { 'content-encoding': encoding });
      expect(answer.status).toBe(415);
    },
  );

  it('of 11 MB are rejected, and the connection stays open', async () => {
    const answer = await post(JSON.stringify({ email: 'a'.repeat(11_000_000) }));
    expect(answer.status).toBe(413);
    expect(answer.body.code).toBe('body_too_large');
    expect((await post('{"email":"a@example.com"}')).status).toBe(200);
  });

  it('without a length are counted as they arrive', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const answer = await sendRaw(
      harness.url,
      rawRequest(
        'POST /v1/auth/code',
        ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
        `${chunk}${chunk}${chunk}0\r\n\r\n`,
      ),
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('that break off are no request', async () => {
    const cut = rawRequest(
      'POST /v1/auth/code',
      ['Content-Type: application/json', 'Content-Length: 100'],
      '{',
    );
    await sendRaw(harness.url, cut, 100);
    expect(harness.identity.asked).toEqual([]);
    expect((await post('{"email":"a@example.com"}')).status).toBe(200);
  });
});
