import type { ManifestEntry, TranscriptFormat } from '@tds/contracts';
import { channelUrl } from '@tds/platform-addresses';
import { readingTime } from '@tds/transcript-format';
import { omittedText } from './document.ts';

const languageText = ({ delivered_language: language, translation }: ManifestEntry): string =>
  `${language ?? ''}${translation === 'served' ? ', translated by machine' : ''}`;

/** A format of an archive with its manifest; paths are relative to the root of the ZIP. */
export type FormatRows = { readonly format: TranscriptFormat; readonly entries: readonly ManifestEntry[] };

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Titles of strangers keep their own direction. */
const link = (href: string, text: string): string =>
  `<a href="${escapeHtml(href)}"><bdi>${escapeHtml(text)}</bdi></a>`;

/** The path of a file as a reader of the page in `folder` follows it. */
const toHref = (folder: string, file: string): string =>
  file.slice(folder.length).split('/').map(encodeURIComponent).join('/');

const renderFiles = (
  folder: string,
  files: readonly (readonly [TranscriptFormat, ManifestEntry | undefined])[],
) =>
  files
    .flatMap(([format, entry]) => (entry?.output_file ? [link(toHref(folder, entry.output_file), format)] : []))
    .join(' ');

const renderChannel = ({ channel_id: id, channel_title: title }: ManifestEntry): string => {
  const name = title ?? id;
  if (name === null) return '';
  return id === null ? `<bdi>${escapeHtml(name)}</bdi>` : link(channelUrl(id), name);
};

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .4rem .8rem .4rem 0; text-align: start; vertical-align: top; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
`;

const COLUMNS = ['Video', 'Channel', 'Published', 'Length', 'Language', 'Transcript'];

/** A page that lists an archive's videos with links to their files and to the platform. It needs no network and no script. */
export const indexPage = (folder: string, formats: readonly FormatRows[], omitted = 0): string => {
  const byFormat = formats.map(({ format, entries }) => ({
    format,
    byVideo: new Map(entries.map((entry) => [entry.video_id, entry])),
  }));
  const title = folder.slice(0, -1);
  const toRow = (entry: ManifestEntry): string => {
    const files = byFormat.map(({ format, byVideo }) => [format, byVideo.get(entry.video_id)] as const);
    const cells = [
      `<td>${link(entry.url, entry.title ?? entry.video_id)}</td>`,
      `<td>${renderChannel(entry)}</td>`,
      `<td class="number">${escapeHtml(entry.published_date ?? '')}</td>`,
      `<td class="number">${entry.duration === null ? '' : readingTime(entry.duration)}</td>`,
      `<td>${escapeHtml(languageText(entry))}</td>`,
      `<td>${renderFiles(folder, files) || escapeHtml(entry.error_code ?? entry.status)}</td>`,
    ];
    return `<tr>${cells.join('')}</tr>`;
  };
  const rows = formats[0]?.entries ?? [];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p>${rows.filter(({ output_file: file }) => file !== null).length} of ${rows.length} videos have a transcript.${omitted > 0 ? ` ${omittedText(omitted)}` : ''}</p>
<table>
<thead><tr>${COLUMNS.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(toRow).join('\n')}
</tbody>
</table>
</html>
`;
};
