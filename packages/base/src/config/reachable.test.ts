import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './config.ts';
import { reachable } from './reachable.ts';

const schema = z
  .object({ NODE_ENV: z.string().optional(), MAIL_FROM: z.string().default('no-reply@localhost') })
  .superRefine(reachable('MAIL_FROM'));
const load = (environment: NodeJS.ProcessEnv) => loadConfig(schema, environment, { service: 'identity' });

it.each([
  'no-reply@localhost',
  'Transcripts <no-reply@mail.service.localhost>',
  'no-reply@transcripts.example.com',
  'a@EXAMPLE.org',
  'https://transcripts.example.net/path',
  'http://user@127.0.0.1:8080',
  'http://[::1]:8080',
  'http://a.test',
])('a production start refuses %s by name, and a trial takes it', (MAIL_FROM) => {
  expect(load({ MAIL_FROM })).toMatchObject({ MAIL_FROM });
  expect(() => load({ NODE_ENV: 'production', MAIL_FROM })).toThrow('MAIL_FROM: no customer reaches');
});

it('a production start refuses the default of a trial', () => {
  expect(() => load({ NODE_ENV: 'production' })).toThrow('MAIL_FROM is missing');
});

it.each(['no-reply@transcripts.co', 'Texts <a@b.example.io>', 'https://myexample.com', 'http://transcripts'])(
  'a production start takes %s',
  (MAIL_FROM) => {
    expect(load({ NODE_ENV: 'production', MAIL_FROM })).toMatchObject({ MAIL_FROM });
  },
);
