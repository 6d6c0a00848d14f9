import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CREDIT_BLOCKS } from '@tds/contracts';
import { apiChanges, routes } from '@tds/http-api';
import escapeHtml from 'escape-html';
import { buildFacts, fillIn, type Installation, number } from './facts.ts';
import { markdownHtml } from './markdown.ts';
import { createPage, type SitePage } from './page.ts';
import {
  ERRORS_INTRODUCTION,
  type ErrorSection,
  errorSections,
  errorsReferenceMarkdown,
} from './reference/errors-reference.ts';
import { webhookCatalogueMarkdown } from './reference/webhook-catalogue.ts';
import { endingsTable, spellingsTable } from './search-tables.ts';

const content = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../content', name), 'utf8');

/** The example deliveries that every implementation of the signature is tested with. */
export const webhookVectors = (): string => content('webhook-vectors.json');

type Vector = {
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The first of them, to compare with what a program of the reader computes. */
const signedDelivery = (): string => {
  const [{ secret, headers, body }] = JSON.parse(webhookVectors()) as [Vector];
  return `With the secret \`${secret}\` a test event is sent so:

\`\`\`http
X-Service-Event: ${headers['x-service-event']}
X-Service-Timestamp: ${headers['x-service-timestamp']}
X-Service-Signature: ${headers['x-service-signature']}

${body}
\`\`\``;
};

const priceRow = (block: number): string =>
  `<tr><td>${number(block)} credits</td><td data-price="${block}"></td></tr>`;

/** The payment processor knows the prices, so a script fills them in. Without them the table stays hidden. */
const pricesHtml = `<table hidden><thead><tr><th>Block</th><th>Price</th></tr></thead><tbody>${CREDIT_BLOCKS.map(priceRow).join('')}</tbody></table>`;

/** Each text below `content/`, where it is and what it is about. */
const texts: readonly (readonly [file: string, address: string, description: string])[] = [
  ['reading.md', '/docs/reading', 'For people without a program: read, search, quote, cite, save and print.'],
  ['curl.md', '/docs/curl', 'From an email address to a transcript in three requests.'],
  ['typescript.md', '/docs/typescript', 'Transcripts, jobs, errors and webhooks with the TypeScript SDK.'],
  ['python.md', '/docs/python', 'Transcripts, jobs, errors and webhooks with the Python client.'],
  ['command-line.md', '/docs/command-line', 'Transcripts, jobs and webhooks in a terminal.'],
  ['langchain.md', '/docs/langchain', 'Transcripts of videos and channels as documents for LangChain.js.'],
  ['n8n.md', '/docs/n8n', 'Nodes for n8n: transcripts, lists, searches, jobs, and a trigger for events.'],
  ['jobs.md', '/docs/jobs', 'Many transcripts with one request, and all of them as one archive.'],
  ['files.md', '/docs/files', 'How players, reference managers and tables read our files.'],
  ['search.md', '/docs/search', 'How the words of a search and of a monitor are found, language by language.'],
  ['monitors.md', '/docs/monitors', 'Watch a channel or a playlist for new videos.'],
  ['webhooks.md', '/docs/webhooks', 'Events, how to verify them, and test vectors.'],
  ['receivers.md', '/docs/receivers', 'Events in Slack, Discord and Teams, and at further servers.'],
  ['refills.md', '/docs/refills', 'Buy credits by itself, below a threshold and at most so much in a month.'],
  ['links.md', '/docs/links', 'Hand on a transcript or a quote to people without an account.'],
  ['people.md', '/docs/people', 'Several people in one account: roles, invitations, caps, use, removal.'],
  ['credits.md', '/docs/credits', 'What costs what, what credits cost, and the limits of both tiers.'],
  ['retries.md', '/docs/retries', 'The envelope of errors, and what to retry when.'],
  [
    'assistants.md',
    '/docs/assistants',
    'Let an assistant or an agent read transcripts, over the Model Context Protocol.',
  ],
  ['terms.md', '/terms', 'The terms of this installation.'],
];

/** The catalogue without its title and its link into the repository. */
const events = (): string =>
  `## Events\n\n${webhookCatalogueMarkdown()
    .split('\n')
    .slice(2)
    .join('\n')
    .replace(/^\[.*?\]\(.*?\)\. /, '')
    .replaceAll(/^## /gm, '### ')}`;

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** The guides, quick starts and terms: a Markdown file each. */
export const guidePages = (installation: Installation): readonly SitePage[] => {
  const values = () => ({
    ...buildFacts(installation),
    events: events(),
    signedDelivery: signedDelivery(),
    readers: content('readers.md'),
    spellings: spellingsTable(),
    endings: endingsTable(),
  });
  return texts.map(([file, path, description]) => {
    const text = content(file);
    return createPage({ path, title: titleOf(text), description }, () => {
      const markdown = fillIn(text, values());
      return {
        markdown,
        body: markdownHtml(markdown).replace('<h2 id="limits">', (limits) => `${pricesHtml}${limits}`),
        kind: 'prose',
      };
    });
  });
};

const overviewContent = () => {
  const entries = texts.filter(([, address]) => address !== '/terms');
  const rows = entries.map(
    ([file, address, description]) => `- [${titleOf(content(file))}](${address}): ${description}`,
  );
  const markdown = `# Documentation

Transcripts of videos, cache-first: a cached transcript costs 0 credits, a new one 1, a failure 0.

${rows.join('\n')}
- [API reference](/reference): each operation with its fields, answers, codes and samples.
- [Errors](/docs/errors): each code, and what to do about it.
- [Changes](/docs/changes): dated changes of the API.
`;
  return { markdown, body: markdownHtml(markdown), kind: 'prose overview' };
};

/** /docs: every guide with a sentence. */
export const overviewPage = (): SitePage => {
  const description = 'Quick starts, guides and references of the API.';
  return createPage({ path: '/docs', title: 'Documentation', description }, overviewContent);
};

/** The anchor of a code stands in the section of its own class, once. */
const codeHtml = ({ code, isOwn, status, retryable, message, remedy }: ErrorSection['codes'][number]): string =>
  `<div class="entry"${isOwn ? ` id="${code}"` : ''}><dt><a href="#${code}"><code>${code}</code></a><span class="soft">HTTP ${status}</span>${
    retryable ? '<span class="good">retryable</span>' : ''
  }</dt><dd><p>${escapeHtml(message)}</p><p class="remedy">${escapeHtml(remedy)}</p></dd></div>`;

const sectionHtml = ({ name, meaning, codes }: ErrorSection): string =>
  `<section id="${name}"><h2>${name}</h2><p>${escapeHtml(meaning)}</p>
<dl class="codes">${codes.map(codeHtml).join('\n')}</dl></section>`;

const errorsContent = () => {
  const sections = errorSections();
  const classes = sections.map(({ name }) => `<li><a href="#${name}">${name}</a></li>`);
  return {
    markdown: errorsReferenceMarkdown(),
    body: `<h1>Errors</h1><p>${ERRORS_INTRODUCTION} <a href="/docs/retries">Errors and retries</a> explains the envelope.</p>
<ul class="chips">${classes.join('')}</ul>
${sections.map(sectionHtml).join('\n')}`,
    kind: 'prose',
  };
};

/** /docs/errors, at which `docs_url` of each error points. */
export const errorsPage = (): SitePage => {
  const description = 'Each error class and code, with what to do about it.';
  return createPage({ path: '/docs/errors', title: 'Errors', description }, errorsContent);
};

const changesContent = () => {
  const also = `Also as [JSON](${routes.listChanges.path}) and as an [Atom feed](${routes.changesFeed.path}).`;
  const sections = apiChanges.map(
    ({ date, title, text }) =>
      `<section id="${date}"><h2>${date}: ${escapeHtml(title)}</h2><p>${escapeHtml(text)}</p></section>`,
  );
  return {
    markdown: `# Changes\n\n${also}\n\n${apiChanges.map(({ date, title, text }) => `## ${date}: ${title}\n\n${text}\n`).join('\n')}`,
    body: `<h1>Changes</h1>${markdownHtml(also)}${sections.join('\n')}`,
    kind: 'prose',
  };
};

/** /docs/changes: each change has the id of its day. */
export const changesPage = (): SitePage => {
  const description = 'Dated changes of the API, the newest first.';
  return createPage({ path: '/docs/changes', title: 'Changes', description }, changesContent);
};
