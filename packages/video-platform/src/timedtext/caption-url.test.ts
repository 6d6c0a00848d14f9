import { describe, expect, it } from '@jest/globals';
import { captionPath, isExpired, needsToken } from './caption-url.ts';

describe('needsToken', () => {
  it.each([
    ['/api/timedtext?v=x', false],
    ['/api/timedtext?exp=xftt,xctw', false],
    ['/api/timedtext?exp=xbt', false],
    ['/api/timedtext?exp=xpe', true],
    ['/api/timedtext?exp=a,xpe', true],
    ['/api/timedtext?exp=a%2Cxpv', true],
    ['/api/timedtext?exp=xpent', false],
    ['/api/timedtext?notexp=xpe', false],
  ])('%s: %s', (path, expected) => {
    expect(needsToken(path)).toBe(expected);
  });
});

describe('captionPath', () => {
  const plain = { translateTo: null, token: null };

  it('requests json3 and keeps signed parameters byte for byte', () => {
    const path = '/api/timedtext?v=x&sparams=ip,expire&name=A+%26%20b&fmt=srv3&tlang=af&lang=en';
    expect(captionPath(path, plain)).toBe(
      '/api/timedtext?v=x&sparams=ip,expire&name=A+%26%20b&lang=en&fmt=json3',
    );
  });

  it('requests a translation', () => {
    expect(captionPath('/api/timedtext?v=x', { ...plain, translateTo: 'zh-Hans' })).toBe(
      '/api/timedtext?v=x&fmt=json3&tlang=zh-Hans',
    );
  });

  it('adds a token like the own player of the client', () => {
    const path = captionPath('/api/timedtext?v=x&xosf=1', {
      ...plain,
      token: { value: 'a=&b', client: 'WEB' },
    });
    expect(path).toBe('/api/timedtext?v=x&fmt=json3&pot=a%3D%26b&potc=1&c=WEB');
  });
});

describe('isExpired', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const at = (seconds: number) => `/api/timedtext?expire=${now.getTime() / 1000 + seconds}`;

  it('treats an address as expired shortly before its time', () => {
    expect(isExpired(at(10), now)).toBe(true);
    expect(isExpired(at(60), now)).toBe(false);
    expect(isExpired('/api/timedtext', now)).toBe(false);
  });
});
