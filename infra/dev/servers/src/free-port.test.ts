import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('gives each caller another port, although no process listens yet', async () => {
    const ports = await Promise.all(Array.from({ length: 400 }, () => freePort()));
    expect(new Set(ports).size).toBe(ports.length);
  });
});
