import escapeHtml from 'escape-html';
import type { ReceivedWebhook } from './received.ts';

export const pageStyle = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #ccc; padding: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
p { color: #555; margin: 0; }
`;

const verdict = ({ isVerified }: ReceivedWebhook) => (isVerified ? 'signature verified' : 'NOT verified');

const article = (webhook: ReceivedWebhook): string => `
<article>
<h2>${escapeHtml(webhook.event)}</h2>
<p>${verdict(webhook)}, delivery ${escapeHtml(webhook.deliveryId)}, <time>${webhook.receivedAt}</time>, at ${escapeHtml(webhook.path)}</p>
<pre>${escapeHtml(webhook.body)}</pre>
</article>`;

/** What came, newest first, and how to have it verified. */
export const receiverPage = (
  hookUrl: string,
  webhooks: readonly ReceivedWebhook[],
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Received webhooks</title>
<link rel="stylesheet" href="/style.css">
<h1>Received webhooks</h1>
<p>Send them to ${escapeHtml(hookUrl)} or, to have some of them fail, to ${escapeHtml(hookUrl)}?script=500,reset,200.</p>
<form method="post" action="/secrets"><label>Secret <input name="secret" size="60" placeholder="whsec_..."></label>
<button>Verify with it</button></form>
${webhooks.length === 0 ? '<p>None yet.</p>' : webhooks.toReversed().map(article).join('\n')}
</html>
`;
