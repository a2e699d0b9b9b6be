import { type CallId, roles } from '@clinic/contracts';
import { accessActions } from '@clinic/svc-identity/contract/actions';
import { folded, isDialled, searchedDigits } from './as-people-read.ts';
import { events, looks } from './common-models.ts';
import { at, nameOfUser, ofEmail, recordsOf, textsAt } from './filter-models.ts';
import { byId, type ListModel, type Raw } from './list-model.ts';
import { phoneSearches, searches } from './searches.ts';

/** The lists of svc-identity. */
export const identityModels: Readonly<Partial<Record<CallId, ListModel>>> = {
  listUsers: {
    records: recordsOf('identity', 'users'),
    filters: {
      role: { values: () => [...roles], matches: (record, value) => record['role'] === value },
      q: {
        values: (records) => [
          ...searches(
            records.map((record) => [
              ...['firstName', 'lastName'].flatMap((path) => textsAt(record, path)),
              String(record['email']),
            ]),
          ),
          ...phoneSearches(records.map(({ phone }) => String(phone))),
        ],
        // Parts of the words of the name, beginnings of words of the address; a telephone number is one word, however
        // it is grouped.
        matches(record, value) {
          const email = String(record['email']);
          const name = `${textsAt(record, 'firstName').join('')} ${textsAt(record, 'lastName').join('')}`;
          const ofName = folded(name).split(' ');
          const words = [email, ...email.split(/[@.]/)].map(folded);
          const digits = searchedDigits(value);
          const searched = digits === undefined ? folded(value).split(' ').slice(0, 8) : [digits];
          const isIn = (part: string): boolean =>
            isDialled(record['phone'], part) ||
            words.some((word) => word.startsWith(part)) ||
            ofName.some((word) => word.includes(part));
          return searched.join('') !== '' && searched.every(isIn);
        },
      },
    },
    orders: {
      name: [[nameOfUser, 1], byId(1)],
      '-name': [[nameOfUser, -1], byId(-1)],
      email: [[at('email'), 1], byId(1)],
      newest: [[at('createdAt'), -1], byId(-1)],
    },
    usualOrder: () => 'name',
  },
  listInvitations: {
    records: recordsOf('identity', 'invitations'),
    filters: {
      state: {
        values: () => ['open', 'accepted', 'revoked', 'expired'],
        matches: ({ state, expiresAt }, value) =>
          (state === 'open' && (expiresAt as Date) <= new Date() ? 'expired' : state) === value,
      },
    },
    orders: { newest: [[at('invitedAt'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listAccessEvents: {
    records: recordsOf('identity', 'events'),
    filters: {
      email: ofEmail('subject'),
      action: { values: () => accessActions, matches: (record, value) => record['action'] === value },
    },
    orders: { newest: [[at('at'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listIdentityEvents: events('identity', ({ record }) => (record as Raw)['type'] === 'user'),
  listIdentityLooks: looks('identity'),
};
