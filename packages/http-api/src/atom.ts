import escapeHtml from 'escape-html';

type AtomEntry = Readonly<Record<'id' | 'title' | 'updatedAt' | 'url', string>> & {
  /** The content as escaped markup, else as text. */
  readonly html?: string;
  readonly text?: string;
};
type AtomFeed = AtomEntry & { readonly self: string; readonly entries: readonly AtomEntry[] };

/** XML 1.0 has no such characters, not even escaped. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
export const escapeXml = (text: string): string => escapeHtml(text.replaceAll(NO_XML, ''));
/** Look-alikes, because some readers take a title for markup, or decode it twice. */
const toTitle = (title: string): string =>
  escapeXml(title.replaceAll('<', '‹').replaceAll(/&(?=#?\w{1,31};)/g, '＆'));

const toEntry = ({ id, title, updatedAt, url, html, text = '' }: AtomEntry): string =>
  `<entry><id>${escapeXml(id)}</id><title>${toTitle(title)}</title><updated>${updatedAt}</updated>
<link href="${escapeXml(url)}"/><content type="${html ? 'html' : 'text'}">${escapeXml(html ?? text)}</content></entry>`;

/** RFC 4287. The page is the first link, because some readers take no other. */
export const atomFeed = ({ id, title, updatedAt, url, self, entries }: AtomFeed): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(id)}</id><title>${toTitle(title)}</title>
<updated>${updatedAt}</updated>
<author><name>Transcript Delivery Service</name></author>
<link href="${escapeXml(url)}"/><link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
${entries.map(toEntry).join('\n')}
</feed>
`;
