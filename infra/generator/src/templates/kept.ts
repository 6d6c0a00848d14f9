import type { Name } from '../names.ts';

export const model = ({ pascal }: Name, { kebab }: Name): string => `
/// Bound: in all, none: no request adds a row yet.
/// Kept: for ever: there is none yet.
model ${pascal} {
  id        String   @id @db.Uuid
  createdAt DateTime @map("created_at") @db.Timestamptz(3)

  @@map("${tableOf(kebab)}")
}
`;

export const table = ({ kebab }: Name): string => `
CREATE TABLE ${tableOf(kebab)} (
    id UUID NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT ${tableOf(kebab)}_pkey PRIMARY KEY (id)
);
`;

const tableOf = (kebab: string): string => kebab.replaceAll('-', '_');

export const store = ({ camel, pascal }: Name): string => `\
import type { Db } from './database.ts';

export type ${pascal} = { readonly id: string; readonly createdAt: Date };

/** False where it is there already: then it stays as it is. */
export const insert${pascal} = async (db: Db, ${camel}: ${pascal}): Promise<boolean> => {
  const { count } = await db.${camel}.createMany({ data: ${camel}, skipDuplicates: true });
  return count === 1;
};

export const find${pascal} = (db: Db, id: string): Promise<${pascal} | null> =>
  db.${camel}.findUnique({ where: { id } });
`;

export const objects = ({ service, kind }: { readonly service: Name; readonly kind: Name }): string => `\
import { createHash } from 'node:crypto';
import { ${service.camel} } from '@tds/contracts';
import type { Objects } from '@tds/service-kit';

/** Under the digest of what it is: a repeat after a crash finds it there. Resolves to its key. */
export const store${kind.pascal} = async ({ put }: Pick<Objects, 'put'>, data: Uint8Array): Promise<string> => {
  const digest = createHash('sha256').update(data).digest('hex');
  const key = \`\${${service.camel}.objects.${kind.camel}.prefix}\${digest}\`;
  await put(key, data);
  return key;
};
`;
