import { describe, expect, it } from '@jest/globals';
import { routeTable } from '@tds/http-api';
import { startPageHtml } from './start-page.ts';

describe('the start page', () => {
  it('leads from an email address to a transcript, with a video of the configured platform', () => {
    const local = startPageHtml(routeTable, 'http://127.0.0.1:8080');
    const [code, verify, transcript] = ['/v1/auth/code', '/v1/auth/verify', '/v1/transcript?'].map((path) =>
      local.indexOf(`http://127.0.0.1:8080${path}`),
    ) as [number, number, number];
    expect(code).toBeGreaterThan(0);
    expect(verify).toBeGreaterThan(code);
    expect(transcript).toBeGreaterThan(verify);
    expect(local).toContain('video_id=manualEn001');
    expect(startPageHtml(routeTable, 'https://api.example')).toContain('video_id=dQw4w9WgXcQ');
  });

  it('has the limits of both tiers and every route', () => {
    const html = startPageHtml(routeTable, 'https://api.example');
    expect(html).toContain('<td>Monitors</td><td>1</td><td>25</td>');
    for (const { method, path } of routeTable) expect(html).toContain(`<code>${method} ${path}</code>`);
  });
});
