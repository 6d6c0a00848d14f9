export { type MailCatcher, newestCode, startMailCatcher } from './mail-catcher.ts';
