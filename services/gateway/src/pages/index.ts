export { createMissingPage } from './missing-page.ts';
export { openToAnySite, type Pages, pageHeaders } from './page-headers.ts';
