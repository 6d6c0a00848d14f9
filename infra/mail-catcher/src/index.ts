export { type MailCatcher, type MailCatcherOptions, newestCode, startMailCatcher } from './mail-catcher.ts';
