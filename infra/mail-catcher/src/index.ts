export { type MailCatcher, type MailCatcherOptions, startMailCatcher } from './mail-catcher.ts';
export { newestCode } from './newest-code.ts';
