export { withinDay } from './notices.ts';
export { isTimeZone, saveMailChoices, toMailChoices } from './store/digests.ts';
