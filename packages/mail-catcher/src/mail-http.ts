import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Mailbox } from './caught-mail.ts';
import { mailPage, pageStyle } from './mail-page.ts';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

/** A page on the web must not reach sign-in codes by giving this address a name of its own. */
const isLocalName = (host = ''): boolean => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);

/** `GET /` for people, `GET /messages?to=...` for programs. */
export const createMailHttp = (mailbox: Mailbox): Server =>
  createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const to = url.searchParams.get('to') ?? undefined;
    if (!isLocalName(request.headers.host)) return answer(response, 403, 'text/plain', 'Forbidden\n');
    if (request.method !== 'GET') return answer(response, 405, 'text/plain', 'Only GET\n');
    if (url.pathname === '/') return answer(response, 200, 'text/html', mailPage(mailbox.list(to)));
    if (url.pathname === '/style.css') return answer(response, 200, 'text/css', pageStyle);
    if (url.pathname === '/messages') {
      return answer(response, 200, 'application/json', JSON.stringify(mailbox.list(to)));
    }
    return answer(response, 404, 'text/plain', 'Not found\n');
  });
