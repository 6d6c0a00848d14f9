import { listPage } from '@tds/local-http';
import escapeHtml from 'escape-html';
import type { ReceivedWebhook } from './received.ts';

const verdict = ({ isVerified }: ReceivedWebhook) => (isVerified ? 'signature verified' : 'NOT verified');

const article = (webhook: ReceivedWebhook): string => `
<article>
<h2>${escapeHtml(webhook.event)}</h2>
<p>${verdict(webhook)}, delivery ${escapeHtml(webhook.deliveryId)}, <time>${webhook.receivedAt}</time>, at ${escapeHtml(webhook.path)}</p>
<pre>${escapeHtml(webhook.body)}</pre>
</article>`;

/** The received webhooks, newest first, and a form for the secret that verifies them. */
export const receiverPage = (hookUrl: string, webhooks: readonly ReceivedWebhook[]): string => {
  const url = escapeHtml(hookUrl);
  const content = `<p>Send them to ${url} or, to have some of them fail, to ${url}?script=500,reset,200.</p>
<form method="post" action="/secrets"><label>Secret <input name="secret" size="60" placeholder="whsec_..."></label>
<button>Verify with it</button></form>`;
  return listPage('Received webhooks', content, webhooks.toReversed().map(article));
};
