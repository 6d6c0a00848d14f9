export { callPlainRoute, callRoute, type RouteHandlers } from './call-route.ts';
export { listsTag } from './entity-tags.ts';
export { type AnswerTo, type BodyAt, createAnswers, listPage } from './route-answer.ts';
export type { PageAnswer, RouteDeps } from './route-deps.ts';
export {
  type CallContext,
  type Input,
  type OtherRowInput,
  onRoute,
  type RouteHandler,
} from './route-handler.ts';
