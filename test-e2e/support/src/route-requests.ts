import type { Route } from '@tds/http-api';
import { type GoodRequest, goodRequests } from '@tds/http-api/testing';
import { loadVideoId } from '@tds/simulators/platform';
import type { Customer } from './customer.ts';

export type RouteRequest = { readonly path: string; readonly body?: object };

let videos = 0;
/** No app has made a request of this id. */
const NO_REQUEST = 'V1StGXR8_Z5jdHi6B-myT';

/** A request of the route that is right in all but its credential; ids in the path are those of `owner`. */
export const buildRequest = (row: Route, owner: Customer): RouteRequest => {
  // An unread video, so that it costs a credit; only a known one can be cited, and a received one handed on.
  const unread = loadVideoId(++videos);
  const videoId = ['citeVideo', 'createLink'].includes(row.id) ? (owner.jobVideoId ?? unread) : unread;
  const facts = { email: owner.email, videoId, accountId: owner.accountId };
  const { search = '', body }: GoodRequest = goodRequests[row.id as keyof typeof goodRequests](facts);
  // No monitor has the id of a key either.
  const monitorId = owner.monitorId ?? owner.keyId.replaceAll('-', '');
  const path = row.path
    .replace('/v1/monitors/{id}', `/v1/monitors/${monitorId}`)
    .replace('{keyId}', owner.keyId)
    .replace('{sessionId}', owner.sessionId)
    .replace('{purchaseId}', owner.purchaseId ?? owner.keyId)
    .replace('{deliveryId}', owner.deliveryId ?? owner.keyId)
    .replace('{requestId}', owner.requestId ?? owner.keyId)
    .replace('{connectionId}', owner.connectionId ?? owner.keyId)
    .replace('{appRequestId}', owner.appRequestId ?? NO_REQUEST)
    .replace('{feedId}', owner.keyId)
    .replace('{linkId}', owner.linkId ?? owner.keyId)
    .replace('{receiverId}', owner.receiverId ?? owner.keyId)
    .replace('{personId}', owner.personId ?? owner.keyId)
    .replace('{videoId}', owner.jobVideoId ?? facts.videoId)
    // No job has the id of a key.
    .replace('{id}', owner.jobId ?? owner.keyId);
  return { path: path + search, ...(body && { body }) };
};
