import { addDays, clinicMoment, type Role, type ServiceName } from '@clinic/contracts';
import type { HistoryEvent } from '@clinic/service-kit';
import { type Db, ObjectId, type OptionalId } from 'mongodb';
import { appointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { collectionsOf as clinicCollectionsOf } from '../../../svc-clinic/src/collections.ts';
import { doctorTarget } from '../../../svc-clinic/src/waitlist/waitlist-record.ts';
import { doctorRecord } from '../../../svc-clinic/src/doctors/doctor-record.ts';
import { pharmacistRecord } from '../../../svc-clinic/src/pharmacists/pharmacist-record.ts';
import { invitationsOf } from '../../../svc-identity/src/invitations/invitation-record.ts';
import { searchFields, userIdOf, usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { medicineRecord } from '../../../svc-pharmacy/src/medicines/medicine-record.ts';
import { itemKeysOf, orderNumberOf } from '../../../svc-pharmacy/src/orders/order-record.ts';
import { collectionsOf as pharmacyCollectionsOf } from '../../../svc-pharmacy/src/collections.ts';
import { people, type ThreeServices } from '../support/three-services.ts';
import { seedMessages } from './seed-messages.ts';

/** Names that searches and sorting get wrong: mixed case, equal, nearly equal, letters that sort oddly, very long. */
const names = [
  'Jos\u00e9 \u0130stanbul',
  'Jose\u0301 Weiß',
  'WEISS jose\u0301',
  'জ\u09dfা রহমান',
  'জ\u09af\u09bcা রহমান',
  "Anne-Marie O'Neil",
  'Ann Lee',
  'ann lee',
  'Ann\u00a0Lee',
  'ANN LEE',
  '\ue000 Private',
  '🧑 Ann',
  'ﬁne Ångström',
  '(Syrup) 5%',
  '.* [a-z]+',
  'র\u200d্যাব',
  'ঔ'.repeat(99),
  'ΟΔΥΣΣΕΥΣ',
  'Ὀδυσσεύς',
  'Zoë',
  'Ž',
  'z',
  '1 2 3',
  '李小龙',
  'שרה כהן',
];
const name = (at: number): string => names[at % names.length] ?? '';
const pick = <T>(from: readonly T[], at: number): T => from[(at * 7) % from.length] ?? fail();

const statuses = {
  appointments: ['Pending', 'Confirmed', 'Cancelled'],
  orders: ['pending', 'Shipped', 'Delivered', 'Cancelled'],
} as const;
const rows = 60;
const hour = 3_600_000;

const { date: today } = clinicMoment(new Date(), 'Asia/Dhaka');
const now = Math.floor(Date.now() / 1_000) * 1_000;
// Many records with the same time: only their ids decide the order.
const moment = (at: number): Date => new Date(now - Math.floor(at / 4) * 7 * hour);
const numbers = Array.from({ length: rows }, (_, at) => at);

/** Fills every list with similar records, in addition to the demo's. */
export async function seedLists({ databases }: ThreeServices): Promise<void> {
  await seedIdentity(databases.identity);
  await seedClinic(databases.clinic);
  await seedWaitlist(databases.clinic);
  await seedPharmacy(databases.pharmacy);
  await seedStockRequests(databases);
  await seedHistory(databases);
  await seedMessages(databases, numbers, moment);
}

async function seedIdentity(db: Db): Promise<void> {
  await usersOf({ db }).insertMany(
    numbers.map((at) => {
      const [firstName = '', ...rest] = name(at).split(' ');
      const person = {
        firstName,
        lastName: rest.join(' '),
        phone: `+880 1700 ${100_000 + at}`,
        dateOfBirth: '1990-01-01',
      };
      const email = `person${at}@letters.example`;
      return {
        _id: new ObjectId(),
        email,
        ...person,
        role: 'patient' as Role,
        emailVerified: true,
        registered: true,
        version: 1,
        createdAt: moment(at),
        ...searchFields(person, email),
      };
    }),
  );
  await invitationsOf({ db }).insertMany(
    numbers
      .map((at) => ({
        _id: new ObjectId(),
        email: `invited${at}@letters.example`,
        role: pick(['doctor', 'pharmacist', 'admin'] as const, at),
        tokenHash: `hash ${at}`,
        state: pick(['open', 'open', 'accepted', 'revoked', 'expired'] as const, at),
        invitedAt: moment(at),
        expiresAt: new Date(now + (at % 3 === 0 ? -hour : 24 * hour)),
        invitedBy: { id: 'f'.repeat(24), email: 'admin@clinic.example' },
      }))
      .map((invitation) =>
        invitation.state === 'expired' ? { ...invitation, expiresAt: new Date(now - hour) } : invitation,
      ),
  );
}

async function seedClinic(db: Db): Promise<void> {
  const { doctors, pharmacists, appointments } = clinicCollectionsOf(db);
  await doctors.insertMany(
    numbers.map((at) =>
      doctorRecord({
        _id: new ObjectId(),
        name: `Dr. ${name(at)}`,
        email: `doctor${at}@letters.example`,
        qualification: 'MD',
        education: 'Dhaka',
        specialization: pick(['Cardiologist', 'Cafe\u0301 Straße', 'Pediatrics'], at),
        experience: at % 5,
        location: '',
        image: '',
        isAvailable: true,
        availableTimes: [],
        rating: (at % 4) / 2,
        createdAt: moment(at),
      }),
    ),
  );
  await pharmacists.insertMany(
    numbers.map((at) =>
      pharmacistRecord({
        _id: new ObjectId(),
        name: name(at),
        email: `pharmacist${at}@letters.example`,
        phone: '',
        status: 'active',
        qualification: 'BPharm',
        specialization: pick(['Hospital', 'Ῥαβδος'], at),
        experience: 1,
        createdAt: moment(at),
      }),
    ),
  );
  await appointments.insertMany(
    numbers.map((at) =>
      appointmentRecord({
        _id: new ObjectId(),
        patientName: name(at),
        patientEmail: `person${at % 5}@letters.example`,
        doctorName: `Dr. ${name(at * 3)}`,
        doctorEmail: `doctor${at % 4}@letters.example`,
        age: 40,
        address: '',
        phone: '1',
        date: addDays(today, (at % 7) - 3),
        time: `${String(8 + (at % 3)).padStart(2, '0')}:${String(at).padStart(2, '0')}`,
        status: pick(statuses.appointments, at),
        bookedAt: moment(at),
      }),
    ),
  );
}

/** Places on the waitlist of a doctor who has no times, so that none is offered meanwhile. */
async function seedWaitlist(db: Db): Promise<void> {
  const { waitlist, waitlistOffers } = clinicCollectionsOf(db);
  const doctor = { doctorEmail: 'away@letters.example', doctorName: 'Dr. Away' };
  const places = numbers.map((at) => ({
    _id: new ObjectId(),
    patientId: new ObjectId().toHexString(),
    patientName: name(at),
    patientEmail: `person${at % 5}@letters.example`,
    confirmed: true,
    age: 40,
    address: '',
    phone: '1',
    target: doctorTarget(doctor.doctorEmail),
    about: doctorTarget(doctor.doctorEmail),
    ...doctor,
    from: today,
    until: addDays(today, 30),
    parts: ['morning' as const],
    status: pick(['waiting', 'offered', 'booked', 'left', 'ended'] as const, at),
    joinedAt: moment(at),
  }));
  await waitlist.insertMany(places);
  await waitlistOffers.insertMany(
    places.map(({ _id: entryId, patientId }, at) => ({
      _id: new ObjectId(),
      entryId,
      patientId,
      ...doctor,
      date: addDays(today, at % 7),
      time: '09:00',
      status: pick(['open', 'accepted', 'declined', 'missed', 'withdrawn'] as const, at),
      madeAt: moment(at),
      until: new Date(now + 24 * hour),
    })),
  );
}

/** Requests of the person who reads the lists. */
async function seedStockRequests({ identity, pharmacy }: ThreeServices['databases']): Promise<void> {
  const { email } = people.admin;
  const accountId = (await userIdOf({ db: identity }, email)) ?? '';
  await pharmacyCollectionsOf(pharmacy).stockRequests.insertMany(
    numbers.map((at) => ({ _id: new ObjectId(), medicine: new ObjectId(), accountId, email, askedAt: moment(at) })),
  );
}

async function seedPharmacy(db: Db): Promise<void> {
  const { medicines, orders } = pharmacyCollectionsOf(db);
  const stock = numbers.map((at) =>
    medicineRecord(
      new ObjectId(),
      {
        medicineId: `LIST-${at}`,
        name: name(at),
        manufacturer: 'Maker',
        quantity: at % 12,
        unit: 'box',
        expiryDate: addDays(today, pick([-30, -1, 0, 1, 29, 30, 31, 400], at)),
        pricePerUnit: 2.5,
      },
      { pharmacistEmail: 'pharmacist@clinic.example', addedDate: today, lowStockBelow: 10 },
    ),
  );
  await medicines.insertMany(stock);
  await orders.insertMany(
    numbers.map((at) => {
      const _id = new ObjectId();
      const items = [stock[at], stock[(at * 5 + 1) % rows]].flatMap((medicine) =>
        medicine
          ? [
              {
                medicineId: medicine.medicineId,
                name: medicine.name,
                manufacturer: '',
                quantity: 1,
                unit: 'box',
                priceMinor: 250,
                expiryDate: medicine.expiryDate,
              },
            ]
          : [],
      );
      return {
        _id,
        number: orderNumberOf(_id),
        items,
        itemKeys: itemKeysOf({ items }),
        ...(at % 4 === 0 && { unusual: true as const }),
        orderDate: moment(at),
        status: pick(statuses.orders, at),
        deliveryAddress: '5 Lake Road',
        customerEmail: `person${at % 9}@letters.example`,
        customerPhone: '1',
        heldUntil: new Date(now + 720 * hour),
      };
    }),
  );
}

async function seedHistory(databases: ThreeServices['databases']): Promise<void> {
  for (const service of ['identity', 'clinic', 'pharmacy'] as const) {
    const db = databases[service];
    await db
      .collection<OptionalId<HistoryEvent>>('events')
      .insertMany(numbers.map((at) => event(service, at, moment(at))));
    await db.collection<{ _id: string }>('looks').insertMany(
      numbers.map((at) => ({
        _id: `look ${at}`,
        at: moment(at),
        by: { id: 'f'.repeat(24), role: 'admin', email: 'admin@clinic.example' },
        whose: `seen${at % 2}@letters.example`,
        email: `seen${at % 2}@letters.example`,
        what: service,
        how: 'opened',
      })),
    );
  }
}

function event(service: ServiceName, at: number, when: Date): HistoryEvent {
  const email = `person${at % 4}@letters.example`;
  return {
    at: when,
    call: 'seed',
    requestId: `list-${at}`,
    record: { type: pick(['user', 'sign-in', 'order'], at), id: String(at % 6).repeat(24) },
    subject: email,
    concerns: [email],
    people: [email, `other${at % 3}@letters.example`],
    action: pick(['status changed', 'signed in', `${service} changed`], at),
    before: null,
    after: { at },
  };
}

function fail(): never {
  throw new Error('there is nothing to pick from');
}
