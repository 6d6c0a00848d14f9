import { changesHtml, htmlPage } from '@tds/api-docs';
import { routes } from '@tds/contracts';

const FEED = `<link rel="alternate" type="application/atom+xml" href="${routes.changesFeed.path}">`;

export const changesPageHtml = (): string =>
  htmlPage(
    'Changes of the API',
    `<p>Also as <a href="${routes.listChanges.path}">JSON</a> and as an <a href="${routes.changesFeed.path}">Atom feed</a>.</p>
${changesHtml()}`,
    FEED,
  );
