import { type Layout, type Link, layout, linkHtml } from './layout.ts';

/** A page as the gateway serves it. */
export type SitePage = {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly html: string;
  /** The same page in Markdown, and its address. */
  readonly twin: { readonly path: string; readonly markdown: string };
};

export const twinPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

type Parts = Omit<Layout, 'twin'> & { readonly markdown: string };

/** A page and its twin. */
export const createPage = ({ markdown, ...parts }: Parts): SitePage => {
  const { path, title, description } = parts;
  const twin = twinPath(path);
  return { path, title, description, html: layout({ ...parts, twin }), twin: { path: twin, markdown } };
};

type Group = { readonly title: string; readonly links: readonly Link[] };

const guides: readonly Group[] = [
  {
    title: 'Start',
    links: [
      { href: '/docs', text: 'Overview' },
      { href: '/docs/curl', text: 'curl' },
      { href: '/docs/typescript', text: 'TypeScript' },
      { href: '/docs/python', text: 'Python' },
      { href: '/docs/command-line', text: 'Terminal' },
      { href: '/docs/langchain', text: 'LangChain.js' },
      { href: '/docs/n8n', text: 'n8n' },
    ],
  },
  {
    title: 'Guides',
    links: [
      { href: '/docs/jobs', text: 'Jobs and archives' },
      { href: '/docs/monitors', text: 'Monitors' },
      { href: '/docs/webhooks', text: 'Webhooks' },
      { href: '/docs/credits', text: 'Credits and limits' },
      { href: '/docs/retries', text: 'Errors and retries' },
      { href: '/docs/assistants', text: 'Assistants' },
    ],
  },
  {
    title: 'Look up',
    links: [
      { href: '/reference', text: 'API reference' },
      { href: '/docs/errors', text: 'Errors' },
      { href: '/docs/changes', text: 'Changes' },
    ],
  },
];

/** The list of guides, for pages below /docs. */
export const docsNavigation = (path: string): string =>
  `<nav aria-label="Documentation">${guides
    .map(
      ({ title, links }) =>
        `<p class="group">${title}</p><ul>${links.map((link) => `<li>${linkHtml(link, link.href === path)}</li>`).join('')}</ul>`,
    )
    .join('')}</nav>`;
