import {
  fillDerivedFields,
  historyCarriesAccounts,
  rewriteRecords,
  type SchemaChange,
  type ServiceContext,
} from '@clinic/service-kit';
import { accountsOfEvents } from './access/accounts-of-events.ts';
import { dataHoldersOf } from './personal-data/deletion-record.ts';
import { fillAccountFeed } from './account-feed/fill-account-feed.ts';
import { searchFields, userSearchFields, usersOf } from './users/user-record.ts';

const searched = ({ settings }: Pick<ServiceContext, 'settings'>) => userSearchFields(settings.CLINIC_COUNTRY);

/** Data migrations of the `identity` database, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  {
    number: 1,
    name: 'accounts with a staff role are marked',
    up: async (context) => {
      await usersOf(context).updateMany(
        { role: { $ne: 'patient' }, staff: { $exists: false } },
        { $set: { staff: true } },
      );
    },
  },
  {
    number: 2,
    name: 'users are found by search keys',
    up: async (context) => {
      await rewriteRecords(context, usersOf(context), ['firstName', 'lastName', 'phone', 'email'], (user) =>
        searchFields(user, user.email),
      );
    },
  },
  fillDerivedFields(3, 'users are found by parts of their names', searched),
  {
    number: 4,
    name: 'accounts are in the account feed',
    up: async (context) => {
      await fillAccountFeed(context);
    },
  },
  historyCarriesAccounts(5, accountsOfEvents),
  {
    number: 6,
    name: 'deletions wait for the services of the clinic',
    up: async (context) => {
      // Their earlier releases don't ask for deletions. A new clinic's note themselves when they start.
      if (!(await usersOf(context).findOne({}, { projection: { _id: 1 } }))) return;
      for (const service of ['clinic', 'pharmacy', 'messages'])
        await dataHoldersOf(context).updateOne(
          { _id: service },
          { $setOnInsert: { firstSeenAt: new Date() } },
          { upsert: true },
        );
    },
  },
  fillDerivedFields(7, 'users are found without accents, and by phone numbers however they are typed', searched),
  {
    number: 8,
    name: 'the account feed says when each address was whose',
    up: async (context) => {
      await fillAccountFeed(context);
    },
  },
  fillDerivedFields(9, 'users are found by one letter, or by two', searched),
];
