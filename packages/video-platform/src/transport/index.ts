export { proxyAddress } from './connect-via.ts';
export { directExit, toExits } from './exits.ts';
export {
  type HttpAnswer,
  type HttpRequest,
  INTERFACE_LANGUAGE,
  innertubeRequest,
  sendRequest,
  UnknownEncoding,
} from './send-request.ts';
export { isRotating, OpenExit, type Session } from './session-pool.ts';
