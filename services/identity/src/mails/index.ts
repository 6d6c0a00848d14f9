export { isFirstOfDay, noticeAccount } from './notices.ts';
export { isTimeZone, saveMailChoices, toMailChoices } from './store/digests.ts';
