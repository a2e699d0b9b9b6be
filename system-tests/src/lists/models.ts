import {
  addDays,
  clinicInstant,
  clinicMoment,
  nearExpiryDays,
  roles,
  type CallId,
  type ServiceName,
} from '@clinic/contracts';
import { accessActions } from '@clinic/contracts/event-actions';
import { searchKey, searchWords } from '@clinic/contracts/search-key';
import type { ThreeServices } from '../support/three-services.ts';
import { at, equal, instants, keyOf, nameOfUser, ofEmail, partOf, recordsOf, some, textsAt } from './filter-models.ts';
import { byId, type ListModel, type Query, type Raw } from './list-model.ts';
import { messagesModels } from './messages-models.ts';
import { searches } from './searches.ts';
import { timesOf, type WeeklyHours } from './weekly-times.ts';

const clinicTimeZone = 'Asia/Dhaka';

const events = (service: ServiceName, ofChanges: (record: Raw) => boolean): ListModel => ({
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

const looks = (service: ServiceName): ListModel => ({
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

const appointmentOrders: ListModel['orders'] = {
  date: [[at('date'), 1], [at('time'), 1], byId(1)],
  '-date': [[at('date'), -1], [at('time'), -1], byId(-1)],
};
const appointmentFilters: ListModel['filters'] = {
  status: equal('status', ['Confirmed']),
  open: { values: () => ['true'], matches: ({ status }) => status !== 'Cancelled' },
  from: {
    values: (records) => some(records.map(({ date }) => String(date))),
    matches: ({ date }, value) => String(date) >= value,
  },
  until: {
    values: (records) => some(records.map(({ date }) => String(date))),
    matches: ({ date }, value) => String(date) <= value,
  },
  q: {
    values: (records) =>
      searches(
        records.map((record) =>
          ['patientName', 'doctorName', 'patientEmail', 'doctorEmail'].flatMap((path) => textsAt(record, path)),
        ),
      ),
    // Beginnings of words, in any order.
    matches(record, value) {
      const words = searchWords(
        ...['patientName', 'doctorName', 'patientEmail', 'doctorEmail'].flatMap((path) => textsAt(record, path)),
      );
      const searched = searchWords(value);
      return searched.length > 0 && searched.every((beginning) => words.some((word) => word.startsWith(beginning)));
    },
  },
};

const isByCustomer = ({ q = '', email }: Query): boolean => q !== '' && !q.startsWith('#') && email === undefined;
const today = (): string => clinicMoment(new Date(), clinicTimeZone).date;

/** The doctors, each with the first free slot of the next 90 days; '9999' if there is none. */
async function doctorsWithFirstSlot(services: ThreeServices): Promise<Raw[]> {
  const doctors = await recordsOf('clinic', 'doctors')(services);
  const held = new Set(
    (await recordsOf('clinic', 'appointments')(services))
      .filter(({ status }) => status !== 'Cancelled')
      .map(({ doctorEmail, date, time }) => [doctorEmail, date, time].join(' ')),
  );
  const now = clinicMoment(new Date(), clinicTimeZone);
  const firstSlot = ({ email, isAvailable, suspended, availableTimes, daysOff, hours }: Raw): string => {
    if (isAvailable !== true || suspended === true) return '9999';
    for (let day = 0; day <= 90; day += 1) {
      const date = addDays(now.date, day);
      if ((daysOff as readonly string[] | undefined)?.includes(date)) continue;
      const times = hours ? timesOf(hours as WeeklyHours, date) : (availableTimes as readonly string[]).toSorted();
      const time = times.find((one) => (day > 0 || one >= now.time) && !held.has([email, date, one].join(' ')));
      if (time !== undefined) return `${date} ${time}`;
    }
    return '9999';
  };
  return doctors.map((doctor) => ({ ...doctor, firstSlot: firstSlot(doctor) }));
}

/** Every list that is read page by page. */
export const models: Readonly<Partial<Record<CallId, ListModel>>> = {
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
          ...some(records.map(({ phone }) => String(phone)).filter((phone) => phone.length > 5)),
        ],
        // Parts of the words of the name, beginnings of words of the address; a telephone number is one word, however it is grouped.
        matches(record, value) {
          const digits = (text: unknown): string => String(text).replaceAll(/\D/g, '');
          const email = String(record['email']);
          const name = `${textsAt(record, 'firstName').join('')} ${textsAt(record, 'lastName').join('')}`;
          const ofName = name.split(/\s+/).flatMap((word) => searchKey(word).split(' '));
          const words = [email, ...email.split(/[@.]/), digits(record['phone'])]
            .flatMap((word) => searchKey(word).split(' '))
            .filter((word) => word !== '');
          const searched = /^\+?[\d\s().-]{3,}$/.test(value)
            ? [digits(value)]
            : searchKey(value).split(' ').slice(0, 8);
          const isIn = (part: string): boolean =>
            words.some((word) => word.startsWith(part)) || ofName.some((word) => word.includes(part));
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
  listDoctors: {
    records: doctorsWithFirstSlot,
    filters: {
      email: ofEmail('email'),
      q: partOf('name', 'specialization'),
      specialty: {
        values: (records) =>
          some(records.map(({ specialization }) => String(specialization))).flatMap((text) => [
            text,
            text.toUpperCase(),
            text.normalize('NFD'),
          ]),
        matches: ({ specialization }, value) => searchKey(String(specialization)) === searchKey(value),
      },
    },
    // When somebody is free depends on the clock: svc-clinic's own tests cover that.
    notFilters: ['_id', 'from', 'until', 'part'],
    orders: {
      name: [[keyOf('name'), 1], byId(1)],
      experience: [[at('experience'), -1], byId(1)],
      rating: [[at('rating'), -1], byId(1)],
      soonest: [[at('firstSlot'), 1], [keyOf('name'), 1], byId(1)],
    },
    usualOrder: () => 'name',
  },
  listPharmacists: {
    records: recordsOf('clinic', 'pharmacists'),
    filters: { q: partOf('name', 'specialization') },
    orders: { name: [[keyOf('name'), 1], byId(1)] },
    usualOrder: () => 'name',
  },
  listAppointments: {
    records: recordsOf('clinic', 'appointments'),
    // Depends on the minute: svc-clinic's own tests cover it.
    notFilters: ['when'],
    filters: { ...appointmentFilters, email: ofEmail('people') },
    orders: appointmentOrders,
    usualOrder: () => '-date',
  },
  listUnconfirmedAppointments: {
    records: async (services) =>
      (await recordsOf('clinic', 'appointments')(services)).filter(({ status }) => status === 'Pending'),
    // Depends on the minute: svc-clinic's own tests cover it.
    notFilters: ['when'],
    filters: { ...appointmentFilters, email: ofEmail('doctorEmail', { required: true }) },
    orders: appointmentOrders,
    usualOrder: () => 'date',
  },
  listWaitlist: {
    records: recordsOf('clinic', 'waitlist'),
    filters: {
      email: ofEmail('patientEmail'),
      open: { values: () => ['true'], matches: ({ status }) => status === 'waiting' || status === 'offered' },
    },
    orders: { '-joined': [[at('joinedAt'), -1], byId(-1)], joined: [[at('joinedAt'), 1], byId(1)] },
    usualOrder: () => '-joined',
  },
  listOffers: {
    // An offer has its patient's account only; the address is that of the place.
    async records(services) {
      const places = await recordsOf('clinic', 'waitlist')(services);
      const emails = new Map(places.map(({ _id, patientEmail }) => [String(_id), patientEmail as string]));
      const offers = await recordsOf('clinic', 'waitlistOffers')(services);
      return offers.map((offer) => ({ ...offer, patientEmail: emails.get(String(offer['entryId'])) }));
    },
    filters: {
      email: ofEmail('patientEmail'),
      open: {
        values: () => ['true'],
        matches: ({ status, until }) => status === 'open' && (until as Date).getTime() > Date.now(),
      },
    },
    orders: { '-made': [[at('madeAt'), -1], byId(-1)] },
    usualOrder: () => '-made',
  },
  listClinicLooks: looks('clinic'),
  listClinicEvents: events('clinic', () => true),
  listStockRequests: {
    // All are the test's own caller's.
    records: recordsOf('pharmacy', 'stockRequests'),
    filters: {},
    orders: { newest: [[at('askedAt'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listMedicines: {
    records: recordsOf('pharmacy', 'medicines'),
    rowId: ({ _id }) => (_id as { readonly $oid: string }).$oid,
    filters: {
      status: equal('status'),
      category: equal('category', ['Vitamins']),
      q: partOf('name'),
      expiry: {
        values: () => ['soon', 'expired'],
        matches: ({ expiryDate }, value) =>
          value === 'expired'
            ? String(expiryDate) < today()
            : String(expiryDate) >= today() && String(expiryDate) <= addDays(today(), nearExpiryDays),
      },
      medicineIds: {
        values: (records) => [
          some(records.map(({ medicineId }) => String(medicineId))).join(),
          ` ${String(records[0]?.['medicineId'])} ,,NONE`,
          'NONE',
        ],
        matches: ({ medicineId }, value) =>
          value
            .split(',')
            .map((id) => id.trim())
            .includes(String(medicineId)),
      },
    },
    orders: {
      name: [[keyOf('name'), 1], byId(1)],
      expiry: [[at('expiryDate'), 1], byId(1)],
      stock: [[at('quantity'), 1], byId(1)],
    },
    usualOrder: ({ expiry }) => (expiry === undefined ? 'name' : 'expiry'),
  },
  listOrders: {
    records: recordsOf('pharmacy', 'orders'),
    filters: {
      email: ofEmail('customerEmail'),
      status: equal('status'),
      unusual: { values: () => ['true'], matches: ({ unusual }) => unusual === true },
      from: {
        values: (records) => some(records.map(({ orderDate }) => clinicMoment(orderDate as Date, clinicTimeZone).date)),
        matches: ({ orderDate }, value) =>
          (orderDate as Date) >= clinicInstant({ date: value, time: '00:00' }, clinicTimeZone),
      },
      q: {
        values: (records) => [
          ...searches(records.map((record) => [...textsAt(record, 'items.name'), String(record['customerEmail'])])),
          ...some(records.map(({ number }) => `#${String(number).toLowerCase()}`)),
          '#',
          '# FFFFFF',
        ],
        // The number; for one customer, part of a medicine's name; for all, the beginning of the customer's address.
        matches(record, value, { email }) {
          if (value.startsWith('#')) return record['number'] === value.slice(1).trim().toUpperCase();
          const key = searchKey(value);
          if (key === '') return false;
          return email === undefined
            ? String(record['customerEmail']).startsWith(key)
            : textsAt(record, 'items.name').some((name) => searchKey(name).includes(key));
        },
      },
    },
    orders: {
      newest: [[at('orderDate'), -1], byId(-1)],
      customer: [[at('customerEmail'), 1], [at('orderDate'), -1], byId(-1)],
    },
    usualOrder: (query) => (isByCustomer(query) ? 'customer' : 'newest'),
  },
  listPharmacyLooks: looks('pharmacy'),
  listPharmacyEvents: events('pharmacy', () => true),
  ...messagesModels,
};
