import { addDays, type CallId, clinicMoment } from '@clinic/contracts';
import type { ThreeServices } from '../support/three-services.ts';
import { folded } from './as-people-read.ts';
import { clinicTimeZone, events, looks } from './common-models.ts';
import { at, beginningsOf, equal, keyOf, ofEmail, orAddress, partOf, recordsOf, some } from './filter-models.ts';
import { byId, type ListModel, type Raw } from './list-model.ts';
import { unavailable } from './seed-clinic.ts';
import { timesOf, type WeeklyHours } from './weekly-times.ts';

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
  q: beginningsOf('patientName', 'doctorName', 'patientEmail', 'doctorEmail'),
};

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

/** The lists of svc-clinic. */
export const clinicModels: Readonly<Partial<Record<CallId, ListModel>>> = {
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
        matches: ({ specialization }, value) => folded(String(specialization)) === folded(value),
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
      q: orAddress('patientEmail', beginningsOf('patientName', 'patientEmail', 'doctorName', 'specialty')),
      open: {
        values: () => ['true', 'false'],
        matches: ({ status }, value) => (status === 'waiting' || status === 'offered') === (value === 'true'),
      },
    },
    orders: { '-joined': [[at('joinedAt'), -1], byId(-1)], joined: [[at('joinedAt'), 1], byId(1)] },
    usualOrder: () => '-joined',
  },
  listWaitingForDoctor: {
    records: async (services) =>
      (await recordsOf('clinic', 'waitlist')(services)).filter(({ status }) =>
        ['waiting', 'offered'].includes(String(status)),
      ),
    filters: {
      id: {
        required: true,
        values: () => [unavailable._id.toHexString()],
        matches: ({ doctorEmail }) => doctorEmail === unavailable.email,
      },
    },
    orders: { joined: [[at('joinedAt'), 1], byId(1)] },
    usualOrder: () => 'joined',
  },
  listOffers: {
    // An offer has its patient's account only; the address is in the waitlist's entry.
    async records(services) {
      const places = await recordsOf('clinic', 'waitlist')(services);
      const emails = new Map(places.map(({ _id, patientEmail }) => [String(_id), patientEmail as string]));
      const offers = await recordsOf('clinic', 'waitlistOffers')(services);
      return offers.map((offer) => ({ ...offer, patientEmail: emails.get(String(offer['entryId'])) }));
    },
    filters: {
      email: ofEmail('patientEmail'),
      open: {
        values: () => ['true', 'false'],
        matches: ({ status, until }, value) =>
          value === 'false' ? status !== 'open' : status === 'open' && (until as Date).getTime() > Date.now(),
      },
    },
    orders: { '-made': [[at('madeAt'), -1], byId(-1)] },
    usualOrder: () => '-made',
  },
  listClinicLooks: looks('clinic'),
  listClinicEvents: events('clinic', () => true),
};
