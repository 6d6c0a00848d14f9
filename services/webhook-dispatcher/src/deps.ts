import type { Cipher } from '@tds/base';
import type { Messaging } from '@tds/messaging';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';
import type { DestinationGuard } from './upstream/destination-guard.ts';
import type { DocumentReader } from './upstream/read-document.ts';

export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly guard: DestinationGuard;
  readonly documents: DocumentReader;
  readonly cipher: Cipher;
  readonly publicUrl: string | null;
  readonly sender: { start(): void; stop(): Promise<void>; wake(): void };
  readonly now: () => Date;
};
/** What tests replace. */
export type Overrides = Partial<Pick<Deps, 'now'>>;
