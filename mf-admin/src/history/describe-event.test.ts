import { fieldChanges, recordAddress, recordName } from './describe-event.ts';

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

test('a record’s name shows whose it is without opening it', () => {
  const record = (type: string) => ({ type, id: '0123456789abcdef01234567' });
  expect(recordName({ ...event, record: record('user') })).toBe('ann@x.example');
  expect(recordName({ ...event, record: record('order') })).toBe('#234567, ann@x.example');
  expect(recordName({ ...event, record: record('medicine'), before: { name: 'Aspirin' } })).toBe('Aspirin');
  // The person who signs in is already named.
  expect(recordName({ ...event, record: record('sign-in'), people: ['admin@x.example'] })).toBe('');
});
