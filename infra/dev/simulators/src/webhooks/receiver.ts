import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import escapeHtml from 'escape-html';
import { type LocalServerOptions, listPage, pageStyle, send, startLocalServer } from '../http/local-server.ts';
import { createWebhookStore, type ReceivedWebhook } from './received.ts';
import { act, type Behaviour, readScript } from './script.ts';

const outcome = ({ isVerified }: ReceivedWebhook) => (isVerified ? 'signature verified' : 'NOT verified');

const article = (webhook: ReceivedWebhook): string => `
<article>
<h2>${escapeHtml(webhook.event)}</h2>
<p>${outcome(webhook)}, delivery ${escapeHtml(webhook.deliveryId)}, <time>${webhook.receivedAt}</time>, at ${escapeHtml(webhook.path)}</p>
<pre>${escapeHtml(webhook.body)}</pre>
</article>`;

/** The received webhooks, newest first, and a form for the secret that verifies them. */
const receiverPage = (hookUrl: string, webhooks: readonly ReceivedWebhook[]): string => {
  const url = escapeHtml(hookUrl);
  const content = `<p>Send them to ${url} or, to have some of them fail, to ${url}?script=500,reset,200.</p>
<form method="post" action="/secrets"><label>Secret <input name="secret" size="60" placeholder="whsec_..."></label>
<button>Verify with it</button></form>`;
  return listPage('Received webhooks', content, webhooks.toReversed().map(article));
};

const HOOKS = '/hooks';
const OK = 200;
const MAX_KEPT = 1_000;

export type ReceiverOptions = LocalServerOptions & {
  /** The number of newest webhooks that it keeps. */
  readonly capacity?: number;
  /** Where people and senders reach it, if not at its port; it listens at the port of this address, too. */
  readonly publicOrigin?: string | undefined;
};

export type WebhookReceiver = {
  /** The page for people. */
  readonly url: string;
  /** The address for webhooks. Each path below it has a script of its own. */
  readonly hookUrl: string;
  addSecret(secret: string): void;
  /** The behaviours that the next requests at `/hooks<path>` meet, one after the other; the last one stays. */
  script(behaviours: readonly Behaviour[], path?: string): void;
  /** Oldest first. */
  received(path?: string): readonly ReceivedWebhook[];
  stop(): Promise<void>;
};

/** Scripts by path; one that stands in the address begins with the first request there. */
const createScripts = () => {
  const pending = new Map<string, Behaviour[]>();
  return {
    set: (path: string, behaviours: readonly Behaviour[]) => void pending.set(path, [...behaviours]),
    next({ pathname, search, searchParams }: URL): Behaviour {
      const script = pending.get(pathname + search) ?? readScript(searchParams.get('script') ?? '');
      pending.set(pathname + search, script);
      return (script.length > 1 ? script.shift() : script[0]) ?? OK;
    },
  };
};

/** A server that receives webhooks, follows scripts, checks signatures and shows all webhooks. */
export const startWebhookReceiver = async ({
  capacity = MAX_KEPT,
  publicOrigin,
  ...place
}: ReceiverOptions = {}): Promise<WebhookReceiver> => {
  const webhooks = createWebhookStore(capacity);
  const scripts = createScripts();

  const takeHook = async (url: URL, request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    webhooks.add({ path: url.pathname + url.search, headers: request.headers, body });
    await act(scripts.next(url), response);
  };
  const takeSecret = async (request: IncomingMessage, response: ServerResponse) => {
    const secret = new URLSearchParams(await text(request)).get('secret');
    if (secret) webhooks.addSecret(secret.trim());
    response.writeHead(303, { location: '/' }).end();
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin());
    if (request.method === 'POST' && url.pathname.startsWith(HOOKS)) return takeHook(url, request, response);
    if (request.method === 'POST' && url.pathname === '/secrets') return takeSecret(request, response);
    if (url.pathname === '/style.css') return send(response, OK, 'text/css', pageStyle);
    if (url.pathname === '/received')
      return send(response, OK, 'application/json', JSON.stringify(webhooks.list()));
    if (url.pathname !== '/') return send(response, 404, 'text/plain', 'Not found\n');
    send(response, OK, 'text/html', receiverPage(origin() + HOOKS, webhooks.list()));
  };
  const server = await startLocalServer(place, serve);
  const publicPort = Number(new URL(publicOrigin ?? 'http://127.0.0.1').port);
  const isElsewhere = publicPort !== 0 && publicPort !== server.port;
  const second = isElsewhere ? await startLocalServer({ ...place, port: publicPort }, serve) : undefined;
  const origin = () => publicOrigin ?? `http://127.0.0.1:${server.port}`;
  return {
    url: origin(),
    hookUrl: origin() + HOOKS,
    addSecret: webhooks.addSecret,
    script: (behaviours, path = '') => scripts.set(HOOKS + path, behaviours),
    received: (path) => webhooks.list().filter((one) => path === undefined || one.path === HOOKS + path),
    stop: async () => {
      await Promise.all([server.close(), second?.close()]);
    },
  };
};
