export { type Asset, assets } from './assets.ts';
export { type Download, isDownload, readBuiltSite, toDownload } from './built.ts';
export { VIDEO } from './facts.ts';
export {
  cancelledPageHtml,
  connectFailedHtml,
  mailStoppedHtml,
  missingPageHtml,
  stopMailHtml,
} from './forms.ts';
export { webhookVectors } from './guides.ts';
export { linkPageHtml, missingLinkHtml } from './link-page.ts';
export type { SitePage } from './page.ts';
export { buildSamples, type Sample } from './samples/samples.ts';
export { createSite } from './site.ts';
export { statusPageHtml } from './status-page.ts';
