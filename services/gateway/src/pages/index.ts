export { createMissingPage } from './missing-page.ts';
export { openToAnySite, type Pages, pageHeaders, scriptlessHeaders } from './page-headers.ts';
