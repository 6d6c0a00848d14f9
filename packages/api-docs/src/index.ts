export { changesAtom, changesHtml, changeUrl } from './changes-feed.ts';
export { errorsReferenceHtml, errorsReferenceMarkdown } from './errors-reference.ts';
export { htmlPage } from './html.ts';
export { messageMapMarkdown } from './message-map.ts';
export { openApiDocument } from './openapi/document.ts';
export { webhookCatalogueMarkdown } from './webhook-catalogue.ts';
