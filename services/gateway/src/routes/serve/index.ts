export { callPlainRoute, callRoute, type RouteHandlers } from './call-route.ts';
export { csvPage } from './csv-page.ts';
export { askForSessionKey, createSecrets, workKeyOf } from './key-secrets.ts';
export { publicFields } from './public-fields.ts';
export { type AnswerTo, createAnswers, listPage, replayHeaders } from './route-answer.ts';
export type { RouteDeps } from './route-deps.ts';
export {
  type CallContext,
  type Input,
  type OtherRowInput,
  onRoute,
  type RouteHandler,
} from './route-handler.ts';
