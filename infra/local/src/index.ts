export { environments } from './environments.ts';
export { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
export { services, storedServiceNames } from './services.ts';
export { type Endpoints, type System, type SystemOptions, startSystem } from './system.ts';
