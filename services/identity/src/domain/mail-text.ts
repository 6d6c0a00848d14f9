/** The page on which the reader goes on. */
export type Link = { readonly words: string; readonly path: string };
/** Lines of text, and the page that they are about. */
export type Paragraph = string | { readonly text: string; readonly link: Link };
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly link: Link;
};
export type Places = { readonly supportEmail: string; readonly publicUrl: string };
export type Mail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Ends mails of this kind, by one click in the mail program (RFC 8058). */
  readonly stopUrl?: string;
};

const MAX_SHOWN_NAME_LENGTH = 60;

/** A name that its customer chose: letters, digits, spaces and hyphens. A thief of a key could otherwise mail the holder a link. */
export const quoteName = (name: string): string =>
  `"${name
    .slice(0, MAX_SHOWN_NAME_LENGTH)
    .replace(/[^\p{L}\p{M}\p{Nd}-]+/gu, ' ')
    .trim()}"`;

/** A host, or the scheme of a program, that is not read as a link, for the same reason. */
export const defangHost = (host: string): string =>
  host.replaceAll('.', '[.]').replace(/^(.*):$/, 'the scheme $1');

/** What is not seen, or turns the text around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** Dots of hosts and addresses of machines, also in full width. */
const DOT = /[.．｡](?=[\p{L}\p{M}])|。(?=\p{Script=Latin})|(?<=\d)[.．｡](?=\d{1,3}[.．｡]\d)/gu;

/** Words of others, on one line: mail programs make no link of them, and of what looks like an address. */
export const quoteText = (text: string): string =>
  `"${text
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(DOT, '[.]')
    .replace(/(?<=\p{L}):(?=\S)/gu, ': ')
    .replace(/@(?=\S)/g, '@ ')}"`;

/** Escapes words of others for HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const buildHtml = (...parts: readonly string[]): string =>
  ['<!doctype html><html lang="en"><body style="font-family:sans-serif">', ...parts, '</body></html>'].join(
    '\n',
  );

/** `stopPath` leads to the page that ends mails of this kind. */
export const buildMail = (
  { subject, paragraphs, link: last }: MailText,
  { publicUrl }: Places,
  stopPath?: string,
): Mail => {
  const stop = stopPath === undefined ? [] : [{ words: 'Stop these mails', path: stopPath }];
  const parts = [...paragraphs, ...[last, ...stop].map((link) => ({ text: '', link }))].map((part) =>
    typeof part === 'string' ? { text: part } : part,
  );
  const toText = ({ words, path }: Link) => `${words}: ${publicUrl}${path}`;
  const toHtml = ({ words, path }: Link) => `<a href="${escapeHtml(publicUrl + path)}">${words}</a>`;
  const lines = (show: (link: Link) => string, { text, link }: { text: string; link?: Link }) => [
    ...(text === '' ? [] : [text]),
    ...(link ? [show(link)] : []),
  ];
  return {
    subject,
    text: parts.map((part) => lines(toText, part).join('\n')).join('\n\n'),
    html: buildHtml(
      ...parts.map(({ text, ...rest }) => {
        const escaped = escapeHtml(text).replaceAll('\n', '<br>');
        return `<p>${lines(toHtml, { text: escaped, ...rest }).join('<br>')}</p>`;
      }),
    ),
    ...(stopPath !== undefined && { stopUrl: publicUrl + stopPath }),
  };
};
