import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** `GET /` for people, `GET /messages?to=...` for programs. */
export const createMailHttp = (mailbox: Mailbox) => (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const to = url.searchParams.get('to') ?? undefined;
  if (request.method !== 'GET') return answer(response, 405, 'text/plain', 'Only GET\n');
  if (url.pathname === '/') return answer(response, 200, 'text/html', mailPage(mailbox.list(to)));
  if (url.pathname === '/style.css') return answer(response, 200, 'text/css', pageStyle);
  if (url.pathname === '/messages') {
    return answer(response, 200, 'application/json', JSON.stringify(mailbox.list(to)));
  }
  return answer(response, 404, 'text/plain', 'Not found\n');
};
