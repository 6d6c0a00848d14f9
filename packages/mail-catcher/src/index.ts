export { type MailCatcher, type MailCatcherOptions, startMailCatcher } from './mail-catcher.ts';
