import type { TestedService, ServiceName } from '../support/every-call.ts';
import { at, equal, instants, ofEmail, recordsOf } from './filter-models.ts';
import { byId, type ListModel, type Raw } from './list-model.ts';

export const clinicTimeZone = 'Asia/Dhaka';

/** The history of a service. @param ofChanges - whether an event is a change of a record */
export const events = (service: ServiceName, ofChanges: (record: Raw) => boolean): ListModel => ({
  records: recordsOf(service, 'events'),
  filters: {
    person: ofEmail('people'),
    record: equal('record.id', ['0'.repeat(24)]),
    action: equal('action', ['nothing']),
    changes: { values: () => ['true'], matches: ofChanges },
    from: { values: instants, matches: (record, value) => (record['at'] as Date) >= new Date(value) },
    until: { values: instants, matches: (record, value) => (record['at'] as Date) < new Date(value) },
  },
  orders: { newest: [[at('at'), -1], byId(-1)] },
  usualOrder: () => 'newest',
});

/** Who looked at whose data. */
export const looks = (service: TestedService): ListModel => ({
  records: recordsOf(service, 'looks'),
  // Of people without an account, so that no other records join theirs: this test's own reads are about other people.
  filters: {
    email: {
      values: () => ['seen0@letters.example', 'Seen1@letters.example', 'unseen@letters.example'],
      matches: (record, value) => record['whose'] === value.toLowerCase(),
      required: true,
    },
  },
  orders: { newest: [[at('at'), -1], byId(-1)] },
  usualOrder: () => 'newest',
});
