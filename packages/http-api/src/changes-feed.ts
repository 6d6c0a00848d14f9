import escapeHtml from 'escape-html';
import { type ApiChange, apiChanges } from './api-changes.ts';
import { routes } from './routes.ts';

const updatedAt = ({ date }: ApiChange): string => `${date}T00:00:00Z`;

/** Where a change is described: its part of the page of changes. */
export const changeUrl = ({ date }: ApiChange, publicUrl: string): string =>
  `${publicUrl}/docs/changes#${date}`;

const entry = (change: ApiChange, publicUrl: string): string => {
  const url = escapeHtml(changeUrl(change, publicUrl));
  return `<entry><id>${url}</id><title>${escapeHtml(change.title)}</title><updated>${updatedAt(change)}</updated>
<link href="${url}"/><content type="text">${escapeHtml(change.text)}</content></entry>`;
};

/** RFC 4287. */
export const changesAtom = (publicUrl: string): string => {
  const self = escapeHtml(`${publicUrl}${routes.changesFeed.path}`);
  const [newest] = apiChanges;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id><title>Changes of the Transcript Delivery Service API</title>
<updated>${newest ? updatedAt(newest) : ''}</updated>
<author><name>Transcript Delivery Service</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/><link href="${escapeHtml(publicUrl)}/docs/changes"/>
${apiChanges.map((change) => entry(change, publicUrl)).join('\n')}
</feed>
`;
};

/** For people: every change has the id of its day. */
export const changesHtml = (): string =>
  apiChanges
    .map(
      ({ date, title, text }) =>
        `<section id="${date}"><h2>${date}: ${escapeHtml(title)}</h2><p>${escapeHtml(text)}</p></section>`,
    )
    .join('\n');
