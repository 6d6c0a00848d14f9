import escapeHtml from 'escape-html';
import type { CaughtMail } from './caught-mail.ts';

export const pageStyle = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #ccc; padding: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
p { color: #555; margin: 0; }
`;

const article = ({ subject, to, receivedAt, text }: CaughtMail): string => `
<article>
<h2>${escapeHtml(subject || '(no subject)')}</h2>
<p>to ${escapeHtml(to.join(', '))}, <time>${escapeHtml(receivedAt)}</time></p>
<pre>${escapeHtml(text)}</pre>
</article>`;

/** The caught mails for people: as text only, since a mail's own HTML may do anything. */
export const mailPage = (mails: readonly CaughtMail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Caught mails</title>
<link rel="stylesheet" href="/style.css">
<h1>Caught mails</h1>
${mails.length === 0 ? '<p>None yet.</p>' : mails.map(article).join('\n')}
</html>
`;
