import type { SchemaChange } from '@clinic/service-kit';
import { usersOf } from './users/user-record.ts';

/** Changes of what the database `identity` holds, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  {
    number: 1,
    name: 'accounts with a staff role are marked',
    up: async (context) => {
      await usersOf(context).updateMany({ role: { $ne: 'patient' }, staff: { $exists: false } }, { $set: { staff: true } });
    },
  },
];
