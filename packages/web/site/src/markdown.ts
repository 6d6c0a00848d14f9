import escapeHtml from 'escape-html';
import { Marked, type RendererObject, type Tokens } from 'marked';

/** The anchor of a heading: its words in lower case. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const languages: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  py: 'Python',
  python: 'Python',
  go: 'Go',
  json: 'JSON',
};

/** A block of code that the keyboard reaches, as it may scroll. */
export const codeHtml = (code: string, label: string): string =>
  `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre></figure>`;

const safeHref = (href: string): string => (/^(https?:|mailto:|\/(?!\/)|#)/.test(href) ? href : '#');

const renderer: RendererObject = {
  heading({ tokens, depth, text }: Tokens.Heading): string {
    return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  code({ text, lang = '' }: Tokens.Code): string {
    return codeHtml(text, languages[lang] ?? (lang || 'Text'));
  },
  // Content holds no HTML; what platform texts hold of it is shown as text.
  html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  },
  image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  },
  link({ href, tokens }: Tokens.Link): string {
    return `<a href="${escapeHtml(safeHref(href))}">${this.parser.parseInline(tokens)}</a>`;
  },
};

const marked = new Marked({
  renderer,
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
});

/** HTML of Markdown. HTML inside of it is escaped. */
export const markdownHtml = (markdown: string): string => marked.parse(markdown, { async: false });

/** A cell of a Markdown table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
