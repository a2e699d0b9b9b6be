import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { Appointment } from './contract/schemas.ts';
import { ann, drGrey } from './testing/people.ts';
import { sharedClinic, minutesFrom } from './testing/test-clinic.ts';

const clinic = await sharedClinic();
const doctorPath = `/doctors/${(await clinic.addDoctor({ availableTimes: ['09:00', '09:30', ...minutesFrom('10:00', 60), ...minutesFrom('11:00', 60)] }))._id.toHexString()}`;
beforeEach(() => clinic.empty('appointments', 'events'));

const long = 'x'.repeat(10_240);
/** Invalid as the value of any field. */
const never: readonly unknown[] = [null, undefined, true, [], {}, ['09:00'], { $gt: '' }, { $ne: null }];
const badText = [...never, 7, '', '   ', '\t\n', long];
const badDates = [
  ...badText,
  '2026-02-30',
  '2027-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '20261201',
  '01/12/2026',
  'tomorrow',
  '2026-12-01T00:00Z',
  '-002026-12-01',
  '٢٠٢٦-١٢-٠١',
];
const badTimes = [...badText, '24:00', '9:00', '09:60', '09:00:00', '9 am', '٠٩:٠٠', '-1:00'];
const badEmails = [
  ...badText,
  'ann',
  'ann@',
  '@mail.example',
  'a b@mail.example',
  'ann@mail.example, ben@mail.example',
  '<script>@mail.example',
  `${'a'.repeat(250)}@mail.example`,
];

/** Every booking field with its invalid values. */
const table: Readonly<Record<string, readonly unknown[]>> = {
  patientname: badText,
  age: [...never, '', 'thirty', '34', 0, -1, 0.5, 151, 1e9],
  address: badText,
  number: [...badText, 'call me', '12', '+'.repeat(40), '<b>123</b>', '123; DROP TABLE'],
  date: badDates,
  time: badTimes,
  doctoremail: badEmails,
};

for (const [field, values] of Object.entries(table)) {
  test(`a booking with a wrong ${field} is rejected at that field, and nothing is stored`, async () => {
    for (const value of values) {
      const answer = await clinic.as(ann)('/appoinments', {
        method: 'POST',
        json: { ...clinic.booking(), [field]: value },
      });
      const problem = (await answer.json()) as Problem;
      const shown = JSON.stringify(value)?.slice(0, 60);
      assert.deepEqual([answer.status, problem.code], [400, 'validation_failed'], `${field}: ${shown}`);
      assert.deepEqual(
        [...new Set(problem.errors?.map((error) => error.field.split('.')[0]))],
        [field],
        `${field}: ${shown}`,
      );
      assert.ok(!JSON.stringify(problem).includes('xxxxxxxxxx'), 'the response repeats the input');
    }
    assert.equal(await clinic.appointments.countDocuments({}), 0);
    assert.equal(await clinic.db.collection('events').countDocuments({}), 0);
  });
}

test('an email of somebody else or of nobody books nothing', async () => {
  for (const patientemail of badEmails) {
    const answer = await clinic.as(ann)('/appoinments', {
      method: 'POST',
      json: { ...clinic.booking(), patientemail },
    });
    assert.ok([400, 403].includes(answer.status), String(patientemail));
  }
  assert.equal(await clinic.appointments.countDocuments({}), 0);
});

test('a move to an invalid day or time is rejected at that field, and the old slot stays', async () => {
  const { _id } = await clinic.book();
  for (const [field, values] of [
    ['date', badDates],
    ['time', badTimes],
  ] as const) {
    for (const value of values) {
      const answer = await clinic.as(drGrey)(`/appoinments/${_id}`, {
        method: 'PATCH',
        json: { date: clinic.soon, time: '10:00', [field]: value },
      });
      assert.deepEqual(
        [answer.status, ((await answer.json()) as Problem).errors?.[0]?.field],
        [400, field],
        JSON.stringify(value),
      );
    }
  }
  assert.equal((await clinic.appointments.findOne({}))?.time, '09:00');
});

test('names in any script, with emoji or tags, are stored unchanged and stay plain text', async () => {
  const names = [
    'আমিনা খাতুন',
    '李小龙',
    'שרה כהן',
    'র\u200d্যাব',
    'Zoë 👩‍👩‍👧',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'O’Brien; DROP TABLE--',
    '{"$gt":""}',
    'a'.repeat(200),
  ];
  for (const [index, patientname] of names.entries()) {
    const { _id, patientname: shown } = await clinic.book({
      patientname,
      address: patientname,
      time: `10:${10 + index}`,
    });
    assert.equal(shown, patientname);
    assert.equal((await clinic.appointments.findOne({ time: `10:${10 + index}` }))?.patientName, patientname);
    const list = await clinic.as('admin')(`/appoinments?q=${encodeURIComponent(patientname.slice(0, 60))}&limit=5`);
    assert.match(list.headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(
      ((await list.json()) as Appointment[]).some((one) => one._id === _id),
      patientname,
    );
    const file = await (await clinic.as(ann)(`/appoinments/${_id}/calendar`)).text();
    assert.equal(file.split('\r\n').filter((line) => line.startsWith('BEGIN:VEVENT')).length, 1);
  }
});

test('invisible characters are removed from names', async () => {
  const { _id, patientname } = await clinic.book({ patientname: '\u202eAnn\u202c \u200bLee\u2066', time: '11:40' });
  assert.equal(patientname, 'Ann Lee');
  const list = await clinic.as('admin')('/appoinments?q=ann%20lee&limit=200');
  assert.ok(((await list.json()) as Appointment[]).some((one) => one._id === _id));
});

test('malformed queries are rejected', async () => {
  const admin = clinic.as('admin');
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=1e9',
    'limit=x',
    'cursor=x',
    'sort=password',
    'status=Done',
    'from=2026-02-30',
    'until=soon',
    'email=nobody',
    'q=%00',
    `q=${'x'.repeat(101)}`,
    'limit=1&limit=2',
  ]) {
    assert.equal((await admin(`/appoinments?${query}`)).status, 400, query);
  }
  for (const query of [
    '',
    'from=2026-01-01',
    'from=2026-01-02&until=2026-01-01',
    'from=2026-01-01&until=2026-12-31',
    'from=x&until=y',
  ]) {
    assert.equal((await clinic.anonymous(`${doctorPath}/free-days?${query}`)).status, 400, query);
  }
  for (const query of ['q[$ne]=x', 'status[$ne]=Pending', 'email[$gt]=']) {
    const answer = await clinic.as(ann)(`/appoinments?${query}`);
    assert.ok([400, 403].includes(answer.status), query);
  }
});

test('a wrong state, day or address on the day of a visit is rejected, and nothing is noted', async () => {
  const { _id } = await clinic.book();
  const admin = clinic.as('admin');
  const note = (id: string, json: object) =>
    admin(`/appoinments/${id}/attendance`, { method: 'PATCH', json: { from: 'expected', to: 'arrived', ...json } });
  for (const field of ['from', 'to'])
    for (const value of [...badText, 'Arrived', 'arrived ', 'constructor', '__proto__']) {
      const answer = await note(_id, { [field]: value });
      const { errors } = (await answer.json()) as Problem;
      assert.deepEqual([answer.status, errors?.[0]?.field], [400, field], JSON.stringify(value)?.slice(0, 60));
    }
  for (const id of ['x', '%00', 'f'.repeat(25), '{"$ne":null}'])
    for (const answer of [await note(id, {}), await admin(`/appoinments/${encodeURIComponent(id)}/queue`)])
      assert.equal(answer.status, 400, id);
  assert.equal((await note('f'.repeat(24), {})).status, 404);
  for (const query of [
    '',
    'date=',
    'date[$gt]=',
    ...badDates.flatMap((one) => (typeof one === 'string' ? `date=${encodeURIComponent(one)}` : [])),
  ])
    assert.equal((await admin(`/appoinments/day?${query}`)).status, 400, query);
  assert.equal((await admin(`/appoinments/day?date=${clinic.today}&email=nobody`)).status, 400);
  assert.equal((await clinic.appointments.findOne({}))?.attendance, undefined);
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'attendance noted' }), 0);
});

test('no address but the screen’s own shows the waiting room, which few can read very often', async () => {
  const made = await clinic.as('admin')('/appoinments/waiting-screen', { method: 'POST' });
  const { secret } = (await made.json()) as { readonly secret: string };
  const read = (address: string) => clinic.anonymous(`/waiting-room/${address}`);
  for (const wrong of [
    'x',
    '%00',
    '..%2f..%2fappoinments',
    encodeURIComponent('{"$ne":""}'),
    'x'.repeat(201),
    secret.slice(0, -1),
    `${secret}x`,
    secret.toUpperCase(),
  ])
    assert.ok([400, 404].includes((await read(wrong)).status), wrong.slice(0, 60));
  await clinic.empty('counts');
  assert.equal((await read(secret)).status, 200);
  // As after a dozen screens' ten minutes; the attempt at a wrong address is taken back.
  await clinic.db.collection('counts').updateMany({ hits: 1 }, { $set: { hits: 1_500 } });
  const answer = await read(secret);
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
});
