export type { ReceivedWebhook } from './received.ts';
export { startWebhookReceiver, type WebhookReceiver } from './receiver.ts';
export type { Behaviour } from './script.ts';
export { verifyWebhook } from './verify-webhook.ts';
