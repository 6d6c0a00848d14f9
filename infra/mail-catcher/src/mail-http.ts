import type { IncomingMessage, ServerResponse } from 'node:http';
import { pageStyle, send } from '@tds/local-http';
import type { Mailbox } from './caught-mail.ts';
import { mailPage } from './mail-page.ts';

/** `GET /` for people, `GET /messages?to=...` for programs. */
export const createMailHttp = (mailbox: Mailbox) => (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const to = url.searchParams.get('to') ?? undefined;
  if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET\n');
  if (url.pathname === '/') return send(response, 200, 'text/html', mailPage(mailbox.list(to)));
  if (url.pathname === '/style.css') return send(response, 200, 'text/css', pageStyle);
  if (url.pathname === '/messages') {
    return send(response, 200, 'application/json', JSON.stringify(mailbox.list(to)));
  }
  return send(response, 404, 'text/plain', 'Not found\n');
};
