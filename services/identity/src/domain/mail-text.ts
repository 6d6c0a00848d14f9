/** The page on which the reader goes on. */
export type Link = { readonly words: string; readonly path: string };
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: Link;
};
export type Places = { readonly supportEmail: string; readonly publicUrl: string };
export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

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

/** Escapes names and hosts for HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const buildHtml = (...parts: readonly string[]): string =>
  ['<!doctype html><html lang="en"><body style="font-family:sans-serif">', ...parts, '</body></html>'].join(
    '\n',
  );

export const buildMail = ({ subject, paragraphs, link }: MailText, { publicUrl }: Places): Mail => ({
  subject,
  text: [...paragraphs, `${link.words}: ${publicUrl}${link.path}`].join('\n\n'),
  html: buildHtml(
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    `<p><a href="${escapeHtml(publicUrl + link.path)}">${link.words}</a></p>`,
  ),
});
