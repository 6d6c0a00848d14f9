import { describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { objectPermissionsOf, objectUsers } from './rights.ts';

const keeper = defineContract('transcript-fetcher', {
  objects: { cues: 'cues', rendered: 'files' },
});
const surfaces = {
  keeper: defineSurface(keeper),
  both: defineSurface(defineContract('archiver', { objects: { archives: 'ZIPs' } }), {
    readsObjects: [keeper.objects.rendered],
  }),
  reader: defineSurface(defineContract('gateway', {}), { readsObjects: [keeper.objects.rendered] }),
  none: defineSurface(defineContract('identity', {})),
};
const users = objectUsers(Object.values(surfaces), (name) => `the secret of ${name}`);

describe('rights to objects', () => {
  it('a service writes what its contract keeps, and reads that and what its surface takes', () => {
    expect(Object.values(surfaces).map(objectPermissionsOf)).toEqual([
      { writes: ['cues/', 'rendered/'], reads: [] },
      { writes: ['archives/'], reads: ['rendered/'] },
      { writes: [], reads: ['rendered/'] },
      { writes: [], reads: [] },
    ]);
  });

  it('each service with objects has a role and an address of its own, and no other service has any', () => {
    const url = 'postgres://postgres@127.0.0.1:7/objects?sslmode=disable';
    expect(users.urlOf('gateway', url)).toBe(
      'postgres://objects_gateway:the%20secret%20of%20objects_gateway@127.0.0.1:7/objects?sslmode=disable',
    );
    expect(users.urlOf('identity', url)).toBeUndefined();
    expect([...users.rolesSql.matchAll(/ALTER ROLE "(\w+)"/g)].map(([, role]) => role)).toEqual([
      'objects_transcript_fetcher',
      'objects_archiver',
      'objects_gateway',
    ]);
  });

  it('a reader is granted no statement that changes anything', () => {
    const granted = users.rightsSql.match(/GRANT .* TO "objects_gateway"/g);
    expect(granted).toEqual([
      `GRANT CONNECT ON DATABASE %I TO "objects_gateway"`,
      'GRANT USAGE ON SCHEMA public TO "objects_gateway"',
      'GRANT SELECT ON public.objects, public.object_chunks TO "objects_gateway"',
    ]);
    expect(users.rightsSql.match(/CREATE POLICY "objects_gateway .*/g)).toEqual([
      `CREATE POLICY "objects_gateway reads" ON public.objects FOR SELECT TO "objects_gateway" USING (left(key, 9) = 'rendered/');`,
      `CREATE POLICY "objects_gateway reads" ON public.object_chunks FOR SELECT TO "objects_gateway" USING (left(key, 9) = 'rendered/');`,
    ]);
  });

  it('names and passwords cannot end the statement that they stand in', () => {
    const { rolesSql } = objectUsers([surfaces.reader], () => `'; DROP TABLE objects; --`);
    expect(rolesSql).toContain(`PASSWORD '''; DROP TABLE objects; --'`);
  });
});
