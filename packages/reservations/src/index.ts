export { type Holder, releaseUnknown } from './release-unknown.ts';
