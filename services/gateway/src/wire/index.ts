export { type Answer, asCompressible, asLasting, JSON_TYPE } from './answer.ts';
export { deviceCookie, sessionCookie } from './cookies.ts';
export { asServiceError, describeError, errorAnswer, RESOURCE_METADATA_PATH } from './error-answer.ts';
export {
  type Credential,
  type Exchange,
  type GatewayRequest,
  type GatewayResponse,
  openExchange,
} from './exchange.ts';
