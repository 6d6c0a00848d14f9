import { describe, expect, it } from '@jest/globals';
import { defineContract } from './define-contract.ts';
import { checkSurfaces, defineSurface } from './surface.ts';

describe('checkSurfaces', () => {
  const keeper = defineContract('archiver', { objects: { archives: 'ZIPs' } });
  const reader = defineSurface(defineContract('gateway', {}), { readsObjects: [keeper.objects.archives] });

  it('is valid if one service keeps the read projections', () => {
    expect(checkSurfaces([defineSurface(keeper), reader])).toEqual([]);
  });

  it('names objects that are read and that no service keeps', () => {
    expect(checkSurfaces([reader])).toEqual(['gateway: archiver.archives is read but no service gives it']);
  });

  it('names objects that two services keep: each could delete those of the other', () => {
    const second = defineSurface(defineContract('search', { objects: { archives: 'other ZIPs' } }));
    expect(checkSurfaces([defineSurface(keeper), second])).toEqual([
      'objects archives/ are kept by archiver and search',
    ]);
  });
});
