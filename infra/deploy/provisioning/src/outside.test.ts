import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { inServices, loadSurfaces } from './services.ts';

const CLIENTS =
  /^import (?!type ).*from '(?:node:(?:https|http2|tls|dgram|dns)|undici|nodemailer|stripe|@tds\/bounded-http)\b/m;
const FETCHES = /(?<![.#\w])fetch\(/;
const PLATFORM = /from '@tds\/video-platform/;

const filesWith = (service: string, pattern: RegExp): string[] =>
  globSync('**/*.ts', { cwd: inServices(service, 'src') }).filter(
    (file) =>
      !/\.test\.ts$|test-support|store\/prisma/.test(file) &&
      pattern.test(readFileSync(inServices(service, 'src', file), 'utf8')),
  );

it.each(await loadSurfaces())(
  '$name connects to third parties only where its surface names them, and only in upstream/',
  ({ name, outside }) => {
    const clients = [...filesWith(name, CLIENTS), ...filesWith(name, FETCHES)];
    expect(clients.filter((file) => outside.length === 0 || !file.startsWith('upstream/'))).toEqual([]);
    expect(filesWith(name, PLATFORM).length > 0).toBe((outside as readonly string[]).includes('platform'));
  },
);

it('notices a client and a request', () => {
  expect(`import Stripe from 'stripe';`).toMatch(CLIENTS);
  expect(`import { boundedAgent } from '@tds/bounded-http';`).toMatch(CLIENTS);
  expect('await fetch(url)').toMatch(FETCHES);
  expect('this.#options.fetch(begun)').not.toMatch(FETCHES);
});
