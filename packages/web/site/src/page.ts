import { type Layout, type Link, layout, linkHtml } from './layout.ts';

type Rendered = { readonly html: string; readonly markdown: string };

/** A page as the gateway serves it. Its first reader has it rendered. */
export type SitePage = {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The address of the same page in Markdown. */
  readonly twin: string;
  render(): Rendered;
};

/** Computes a value when it is first needed, and keeps it. */
export const once = <Value>(compute: () => Value): (() => Value) => {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
};

const twinPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

type Head = Pick<Layout, 'path' | 'title' | 'description'>;
type Content = Omit<Layout, keyof Head | 'twin'> & { readonly markdown: string };

/** A page and its twin. */
export const createPage = (head: Head, createContent: () => Content): SitePage => {
  const twin = twinPath(head.path);
  const render = (): Rendered => {
    const { markdown, ...content } = createContent();
    const guide = head.path.startsWith('/docs') ? { navigation: docsNavigation(head.path) } : {};
    return { markdown, html: layout({ ...head, ...guide, ...content, twin }) };
  };
  return { ...head, twin, render };
};

type Group = { readonly title: string; readonly links: readonly Link[] };

const guides: readonly Group[] = [
  {
    title: 'Start',
    links: [
      { href: '/docs', text: 'Overview' },
      { href: '/docs/reading', text: 'Without a program' },
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
      { href: '/docs/files', text: 'Files in other programs' },
      { href: '/docs/monitors', text: 'Monitors' },
      { href: '/docs/webhooks', text: 'Webhooks' },
      { href: '/docs/receivers', text: 'Slack, Discord, Teams' },
      { href: '/docs/links', text: 'Links to hand on' },
      { href: '/docs/refills', text: 'Buy by itself' },
      { href: '/docs/people', text: 'People of an account' },
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

/** The list of guides. */
const docsNavigation = (path: string): string =>
  `<nav aria-label="Documentation">${guides
    .map(
      ({ title, links }) =>
        `<p class="group">${title}</p><ul>${links.map((link) => `<li>${linkHtml(link, link.href === path)}</li>`).join('')}</ul>`,
    )
    .join('')}</nav>`;
