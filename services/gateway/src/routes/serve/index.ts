export { callPlainRoute, callRoute, type RouteHandlers } from './call-route.ts';
export { csvPage } from './csv-page.ts';
export { listsTag } from './entity-tags.ts';
export { createSecrets, createSessionSecrets, type RepeatScope, workKeyOf } from './key-secrets.ts';
export { publicFields } from './public-fields.ts';
export { type AnswerTo, createAnswers, listPage } from './route-answer.ts';
export type { RouteDeps } from './route-deps.ts';
export {
  type CallContext,
  type Input,
  type OtherRowInput,
  onRoute,
  type RouteHandler,
} from './route-handler.ts';
