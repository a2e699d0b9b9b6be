import { fillDerivedFields, historyCarriesAccounts, type SchemaChange } from '@clinic/service-kit';
import { accountsOfEvents } from './accounts/accounts-of-events.ts';
import { giveAccounts } from './accounts/assign-accounts.ts';
import { promiseVisits } from './appointments/keep-promises.ts';
import { scheduleWeekly } from './schedule/schedule-weekly.ts';
import { findBySearchKeys, findHoweverTyped, searchFields } from './search-keys.ts';

/** Data migrations of the `clinic` database, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  findBySearchKeys(1),
  {
    number: 2,
    name: 'appointments belong to accounts',
    up: async (context) => {
      await giveAccounts(context);
    },
  },
  fillDerivedFields(3, 'profiles are found by parts of their names and specialties', ({ settings }) =>
    searchFields(settings.CLINIC_COUNTRY),
  ),
  scheduleWeekly(4),
  promiseVisits(5),
  historyCarriesAccounts(6, accountsOfEvents),
  findHoweverTyped(7),
  fillDerivedFields(8, 'places on the waitlist are found by words and phone numbers', ({ settings }) =>
    searchFields(settings.CLINIC_COUNTRY),
  ),
  fillDerivedFields(9, 'patients are found without those of doctors of the same name', ({ settings }) =>
    searchFields(settings.CLINIC_COUNTRY),
  ),
];
