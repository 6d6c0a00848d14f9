import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Customer,
  creditsBalance,
  creditsCharged,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
});
afterAll(() => system?.stop());

describe('a failure never costs anything', () => {
  it.each([
    ['noCaptions1', 404, 'NoCaptions', 'no_captions'],
    ['liveNow_001', 404, 'NoCaptions', 'transcript_not_ready'],
    ['upcoming_01', 410, 'Unavailable', 'transcript_not_ready'],
    ['private_001', 410, 'Unavailable', 'video_unavailable'],
    ['deleted_001', 410, 'Unavailable', 'video_unavailable'],
    ['membersOnly', 410, 'Unavailable', 'video_unavailable'],
    ['botCheck_01', 502, 'IpBlocked', 'ip_blocked'],
    ['tryLater_01', 502, 'RateLimited', 'rate_limited'],
    ['tokenXpe_01', 502, 'PoTokenRequired', 'po_token_required'],
    ['emptyText01', 502, 'PoTokenRequired', 'po_token_required'],
    ['wrongVideo1', 502, 'UpstreamError', 'upstream_error'],
    ['garbageTxt1', 502, 'UpstreamError', 'upstream_error'],
    ['endless10GB', 502, 'UpstreamError', 'upstream_error'],
    ['redirPriv01', 502, 'UpstreamError', 'upstream_error'],
  ])('%s answers %i %s', async (video, status, errorClass, code) => {
    const answer = await customer.get(`/v1/transcript?video_id=${video}`);
    expect([answer.status, answer.json().errorClass, answer.json().code]).toEqual([status, errorClass, code]);
    expect([creditsCharged(answer), creditsBalance(answer)]).toEqual([0, 100]);
    expect(answer.json().request_id).toBe(answer.headers.get('x-request-id'));
  });

  it('a durable fact about a video is answered at once the second time, without asking the platform', async () => {
    await customer.get('/v1/transcript?video_id=private_001');
    system.simulator.resetRequests();
    const again = await customer.get('/v1/transcript?video_id=private_001');
    expect([again.status, system.simulator.requests().total]).toEqual([410, 0]);
  });

  it('a block is never held against the video: the next request asks the platform again', async () => {
    system.simulator.resetRequests();
    const again = await customer.get('/v1/transcript?video_id=botCheck_01');
    expect(again.json().errorClass).toBe('IpBlocked');
    const facts = await customer.get('/v1/video?video_id=botCheck_01');
    expect(facts.json().video).toMatchObject({ status: 'error', error_class: 'IpBlocked' });
  });
});
