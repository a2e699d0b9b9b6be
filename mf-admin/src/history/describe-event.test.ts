import { appointment } from '@clinic/svc-clinic/contract/appointment-schema';
import { doctor, pharmacist } from '@clinic/svc-clinic/contract/profile-schemas';
import { holiday } from '@clinic/svc-clinic/contract/schedule-schemas';
import { waitlistEntry, waitlistOffer } from '@clinic/svc-clinic/contract/waitlist-calls';
import { noEmail } from '@clinic/contracts/erased-person';
import { staffProfile } from '@clinic/contracts/schemas/person';
import { user } from '@clinic/contracts/session/schemas';
import { invitation } from '@clinic/svc-identity/contract/schemas';
import { order, orderItem, prescription } from '@clinic/svc-pharmacy/contract/order-schemas';
import { medicineSchema } from '@clinic/svc-pharmacy/contract/schemas';
import { fieldChanges as changesIn, recordAddress, recordName } from './describe-event.ts';

const fieldChanges = (event: Parameters<typeof changesIn>[0]) => changesIn(event, 'Asia/Dhaka');

/** Fields that events have besides those of the records. */
const ofEventsOnly =
  'accountId address answers archived asked device expiresAt invitedBy left newRole offers patientChoice priceMinor provider questions registered share suspended surplus unreturned weeklyHours'.split(
    ' ',
  );
/** The words that people read in the history. A new field adds the ones it needs, or gets a label. */
const words = new Set(
  'account actor added address after age answer answered answers appointments archived asked at available birth by category clinic code codes collected confirmed created customer customers customer’s date day days delivery device doctor doctor’s education email erasing exceptions experience expiry first for from had held hours id in invited items joined last left length limit location logged made manufacturer medicine minutes more most moved moves name new not number of off offers on only order patient patient’s per periods pharmacist’s phone picture place prescriber prescription price provider qualification quantity questions rating reason recipient recovery registered returned rights role room second series share specialization state status step stock surplus switched taken takes than the time times to unit until unusual version visitors walk-in weekly with words working works years'.split(
    ' ',
  ),
);

test('no field that is recorded is shown by its stored name', () => {
  const recorded = new Set([
    ...[appointment, doctor, pharmacist, holiday, waitlistEntry, waitlistOffer, user, invitation, staffProfile].flatMap(
      ({ shape }) => Object.keys(shape),
    ),
    ...[order, orderItem, prescription, medicineSchema, medicineSchema.shape.medicine].flatMap(({ shape }) =>
      Object.keys(shape),
    ),
    ...ofEventsOnly,
  ]);
  const unknown = [...recorded].flatMap((name) =>
    fieldChanges({ before: null, after: { [name]: 'x' } })
      .map(({ field }) => field)
      .filter((label) => label.split(' ').some((word) => !words.has(word)))
      .map((label) => `${name}: ${label}`),
  );
  expect(unknown).toEqual([]);
});

test('prices, instants and series are written as people write them', () => {
  expect(
    fieldChanges({
      before: null,
      after: { priceMinor: 325, expiresAt: '2026-12-01T04:00:00.000Z', series: { id: 'x', number: 2, of: 8 } },
    }).map(({ field, after }) => `${field}: ${after}`),
  ).toEqual(['price: ৳3.25', 'works until: Dec 1, 2026, 10:00 AM', 'series: 2 of 8']);
});

test('changes are described field by field', () => {
  expect(
    fieldChanges({ before: { status: 'Pending', location: '' }, after: { status: 'Confirmed', location: 'Roof' } }),
  ).toEqual([
    { field: 'status', before: 'Pending', after: 'Confirmed' },
    { field: 'location', before: undefined, after: 'Roof' },
  ]);
  expect(
    fieldChanges({
      before: { daysOff: ['2026-12-01'], isAvailable: true },
      after: { daysOff: [], isAvailable: false },
    }),
  ).toEqual([
    { field: 'takes appointments', before: 'yes', after: 'no' },
    { field: 'days off', before: 'Dec 1, 2026', after: 'none' },
  ]);
  expect(
    fieldChanges({ before: null, after: { _id: 'x', items: [{ name: 'Aspirin', quantity: 2, priceMinor: 150 }] } }),
  ).toEqual([{ field: 'items', before: undefined, after: '2 × Aspirin at ৳1.50' }]);
});

test('nobody has to read stored names, ids or dates', () => {
  expect(
    fieldChanges({
      before: { date: '2026-12-01', time: '09:30' },
      after: {
        date: '2026-12-02',
        time: '15:00',
        patientname: 'Ann Lee',
        orderId: '0123456789abcdef0123abcd',
        patientId: 'x',
      },
    }).map(({ field, before, after }) => `${field}: ${before} → ${after}`),
  ).toEqual([
    'date: Dec 1, 2026 → Dec 2, 2026',
    'time: 9:30 AM → 3:00 PM',
    'patient: undefined → Ann Lee',
    'order: undefined → #23ABCD',
  ]);
});

const event = {
  _id: '1',
  at: '',
  action: '',
  people: ['admin@x.example', 'ann@x.example'],
  actor: { email: 'admin@x.example', role: 'admin' as const },
  before: null,
  after: {},
  requestId: '',
  service: 'identity' as const,
};

test('a record links to where it is shown', () => {
  const address = (type: string) => recordAddress({ ...event, record: { type, id: '0123456789abcdef01234567' } });
  expect(['user', 'doctor', 'order', 'appointment', 'spaceship'].map(address)).toEqual([
    '/dash/admin?q=ann%40x.example',
    '/dash/doctors?profile=0123456789abcdef01234567',
    '/dash/orders?q=%23234567',
    '/dash/appoinments?q=ann%40x.example',
    undefined,
  ]);
});

test.each([
  { action: 'e-mail changed', people: ['ann@x.example', 'former@x.example'], after: { email: 'ann@x.example' } },
  { action: 'invitation accepted', people: ['ann@x.example', 'admin@x.example'], after: { role: 'doctor' } },
])('an event of an account links to it by the address that it has: $action', (changed) => {
  const actor = { email: 'ann@x.example', role: 'patient' as const };
  const record = { type: 'user', id: '0123456789abcdef01234567' };
  expect(recordAddress({ ...event, ...changed, actor, record })).toBe('/dash/admin?q=ann%40x.example');
});

test('a record’s name shows whose it is without opening it', () => {
  const record = (type: string) => ({ type, id: '0123456789abcdef01234567' });
  expect(recordName({ ...event, record: record('user') })).toBe('ann@x.example');
  expect(recordName({ ...event, record: record('order') })).toBe('#234567, ann@x.example');
  expect(recordName({ ...event, record: record('medicine'), before: { name: 'Aspirin' } })).toBe('Aspirin');
  // The person who signs in is already named.
  expect(recordName({ ...event, record: record('sign-in'), people: ['admin@x.example'] })).toBe('');
});

test.each([
  { action: 'booked', after: { patientname: 'Rahim Uddin' }, to: '/dash/appoinments?q=Rahim%20Uddin' },
  { action: 'status changed', after: { status: 'Cancelled' }, to: '/dash/appoinments' },
])('a patient without an email address has none in the history: $action', ({ action, after, to }) => {
  const madeUp = noEmail('e'.repeat(24));
  const event = {
    action,
    at: '2026-01-05T04:00:00.000Z',
    record: { type: 'appointment', id: 'a'.repeat(24) },
    people: ['admin@clinic.example', 'grey@clinic.example', madeUp],
    actor: { id: 'b'.repeat(24), email: 'admin@clinic.example', role: 'admin' },
    before: null,
    after: { ...after, patientemail: madeUp },
  } as unknown as Parameters<typeof recordAddress>[0];
  expect([recordName(event), recordAddress(event)]).toEqual(['grey@clinic.example', to]);
  expect(fieldChanges(event)).toContainEqual({ field: 'patient’s email', before: undefined, after: 'none' });
});
