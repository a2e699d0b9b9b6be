import type { CallSchemas } from '@clinic/contracts/calls';
import { id, paging, text } from '@clinic/contracts/schemas/fields';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { z } from 'zod';

const entry = z.object({
  _id: id,
  title: z.string(),
  note: z.string(),
  /** Email of the author. */
  author: z.string(),
  /** ISO instant. */
  writtenAt: z.string(),
});

/** An entry on the wire. */
export type {{Name}}Entry = z.infer<typeof entry>;

/** The schemas of the domain's calls. */
export const {{camel}}Schemas = {
  list{{Name}}Entries: { query: z.object(paging), response: z.array(entry) },
  add{{Name}}Entry: {
    body: z.object({ title: text('Title'), note: z.string().trim().max(1000, 'Note must be 1000 characters or fewer').default('') }),
    response: entry,
  },
  list{{Name}}Looks: looksAt,
  export{{Name}}Data: exportOfPerson,
  erase{{Name}}Data: erasure,
} satisfies Record<string, CallSchemas>;
