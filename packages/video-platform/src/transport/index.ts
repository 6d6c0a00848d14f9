export { proxyAddress } from './connect-via.ts';
export {
  exchange,
  type HttpAnswer,
  type HttpRequest,
  innertubeRequest,
  LANGUAGE,
  UnknownEncoding,
} from './exchange.ts';
export { directExit, toExits } from './exits.ts';
export { isRotating, OpenExit, type Session } from './session-pool.ts';
