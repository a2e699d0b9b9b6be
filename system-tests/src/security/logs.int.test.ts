import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoPassword } from '@clinic/demo-data';
import { testFetch } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';
import { keepsLong } from '../support/orderable.ts';

// All services and the gateway log at the most verbose level while somebody signs in, books, orders and is rejected.
// Lines may identify people by id, but never contain a secret, an email address, or anything about a person or their
// health.

const lines: string[] = [];
const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(
      ...chunk
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    );
    done();
  },
});

let clinic: WholeClinic;
before(async () => {
  clinic = await startWholeClinic({ logTo, gatewayLogTo: logTo });
});
after(() => clinic.close());

/** What the person enters: texts that occur nowhere else. */
const entered = {
  patientname: 'Zubaida Quxworthy',
  address: '99 Nightingale Passage',
  number: '+880 1999 424242',
  age: 117,
  firstName: 'Zubaida-First',
  lastName: 'Quxworthy-Last',
  dateOfBirth: '1909-09-19',
  phone: '+880 1999 434343',
  deliveryAddress: '77 Parcel Corner',
  customerPhone: '+880 1999 454545',
  search: 'quxworthysearch',
};

test('no log has a password, token, cookie, email address or anything about a person', async () => {
  const { email } = people.patient;
  const token = await clinic.services.idToken(email);
  const signIn = (headers: Record<string, string>, body: unknown): Promise<Response> =>
    testFetch(clinic.url)('/jwt', { method: 'POST', json: body, headers });
  const signedIn = await signIn({ Authorization: `Bearer ${token}` }, { email });
  assert.equal(signedIn.status, 200);
  const cookies = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const ask = testFetch(clinic.url, { Cookie: cookies.join('; ') });
  const read = async <T>(answer: Promise<Response>): Promise<T> => {
    const given = await answer;
    assert.ok(given.ok, `${given.url} answered ${given.status}: ${await given.clone().text()}`);
    return (await given.json()) as T;
  };

  // Rejected and broken sign-ins.
  await signIn({ Authorization: `Bearer ${token}x` }, { email });
  await signIn({ Authorization: `Bearer ${token}` }, { email: people.admin.email });
  await signIn(
    { Authorization: `Basic ${Buffer.from(`${email}:${demoPassword}`).toString('base64')}` },
    { email, password: demoPassword },
  );
  await testFetch(clinic.url)('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo', {
    method: 'POST',
    json: { email, password: demoPassword, returnSecureToken: true },
  });
  await read(ask('/users', { method: 'POST', json: { ...entered, email, password: demoPassword } }));
  await read(ask(`/users/${encodeURIComponent(email)}`));
  await read(ask('/jwt/refresh', { method: 'POST', json: {} }));

  const doctors = await read<Doctor[]>(ask('/doctors'));
  const doctor = doctors.find((one) => one.email === people.doctor.email);
  assert.ok(doctor);
  const date = addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 45);
  const booking = {
    patientname: entered.patientname,
    patientemail: email,
    age: entered.age,
    address: entered.address,
    number: entered.number,
    date,
    time: doctor.availableTimes[0],
    doctoremail: doctor.email,
  };
  const booked = await read<Appointment>(
    ask('/appoinments', { method: 'POST', json: booking, headers: { 'Idempotency-Key': 'key-quxworthy-1' } }),
  );
  assert.equal(
    (await ask('/appoinments', { method: 'POST', json: { ...booking, age: 0, number: 'none' } })).status,
    400,
  );
  assert.equal(
    (await ask('/appoinments', { method: 'POST', json: { ...booking, patientemail: people.otherPatient.email } }))
      .status,
    403,
  );
  await read(ask(`/appoinments?email=${encodeURIComponent(email)}&q=${entered.search}&limit=5`));
  await read(ask(`/update-appoinment/${booked._id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } }));
  await (await ask(`/appoinments/${booked._id}/calendar`)).text();

  const medicines = await read<Medicine[]>(ask('/medicine'));
  const medicineId = medicines.find(
    ({ status, medicine }) => !medicine.prescriptionOnly && status === 'in stock' && keepsLong(medicine.expiryDate),
  )?.medicine.medicineId;
  const order = {
    items: [{ medicineId, quantity: 1 }],
    deliveryAddress: entered.deliveryAddress,
    customeremail: email,
    customerPhone: entered.customerPhone,
  };
  const placed = await read<Order>(ask('/orderMedi', { method: 'POST', json: order }));
  await read(ask(`/orderMedi/${placed._id}/history`));
  assert.equal(
    (await ask('/orderMedi', { method: 'POST', json: { ...order, items: [{ medicineId, quantity: 9_999_999 }] } }))
      .status,
    400,
  );
  assert.equal(
    (
      await fetch(`${clinic.url}/orderMedi`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookies.join('; ') },
        body: `{"deliveryAddress":"${entered.deliveryAddress}`,
      })
    ).status,
    400,
  );
  assert.equal((await ask('/jwt', { method: 'DELETE' })).status, 204);

  const calls = new Set(lines.map((line) => (JSON.parse(line) as { call?: string }).call));
  for (const call of [
    'startSession',
    'registerUser',
    'bookAppointment',
    'changeAppointmentStatus',
    'placeOrder',
    'endSession',
  ])
    assert.ok(calls.has(call), `${call} was logged`);
  const log = lines.join('\n');
  const secrets: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      cookies
        .filter((cookie) => !cookie.startsWith('signed_in'))
        .map((cookie) => [cookie.split('=', 1)[0] ?? '', cookie.slice(cookie.indexOf('=') + 1)]),
    ),
    password: demoPassword,
    'ID token': token,
    'signature of the ID token': token.split('.')[1] ?? '',
    email: email,
    'encoded email': encodeURIComponent(email),
    'another email': people.otherPatient.email,
    'a doctor’s email': doctor.email,
    'Idempotency-Key': 'key-quxworthy-1',
    'Basic credentials': Buffer.from(`${email}:${demoPassword}`).toString('base64'),
    ...Object.fromEntries(Object.entries(entered).map(([name, value]) => [name, String(value)])),
    age: '"age":',
    'query of a search': entered.search,
  };
  const found = Object.entries(secrets).flatMap(([name, secret]) => {
    assert.ok(secret.length > 4, `${name} is too short to be unique`);
    const line = lines.find((one) => one.includes(secret));
    return line === undefined ? [] : [`${name}: ${line}`];
  });
  assert.deepEqual(found, []);
  assert.doesNotMatch(log, /"(?:cookie|authorization|set-cookie|body|headers)":/i);
});

/** What was logged from a line on, once it includes so many requests. */
async function linesOf(requests: number, from: number): Promise<readonly string[]> {
  // Only the gateway's lines about requests have a target; they are written once the response is closed.
  await waitUntil(() => lines.slice(from).filter((line) => line.includes('"target":')).length >= requests);
  return lines.slice(from);
}

test('personal data typed into an address by mistake is in no log', async () => {
  const before = lines.length;
  const spilled = ['s3cret-token', 'Hunter2-hunter2', 'Quxina', 'quxina%40mail.example', '8801999474747'];
  const addresses = [
    '/doctors?token=s3cret-token&password=Hunter2-hunter2',
    '/medicine?limit=Quxina&status=Quxina&sort=Quxina&q=Quxina',
    '/doctors?Quxina=1&8801999474747',
    '/doctors/Quxina/free-times?date=Quxina',
    '/doctors/Quxina',
    '/users/Quxina',
    '/users/quxina%40mail.example/history',
    '/appoinment/Quxina',
    '/Quxina',
    '/no/such/Quxina?token=s3cret-token',
    '/login?email=quxina%40mail.example&password=Hunter2-hunter2',
    '/mf/Quxina/x.js',
    '/mf/mf-public/Quxina.js',
    '/shell/Quxina',
    '/identitytoolkit.googleapis.com/v1/accounts:Quxina?key=s3cret-token',
    '/identitytoolkit.googleapis.com/v1/accounts:lookup?key=s3cret-token',
    '/jwt/session?session=s3cret-token',
    '/orderMedi?number=8801999474747',
    '/orderMedi/Quxina',
    '/page-errors?Quxina',
  ];
  for (const address of addresses) await (await fetch(clinic.url + address)).arrayBuffer();
  await fetch(`${clinic.url}/users?token=s3cret-token`, {
    method: 'POST',
    body: '{',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
  });
  await fetch(`${clinic.url}/page-errors`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'broken', page: '/appoinment/Quxina' }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  const added = await linesOf(addresses.length + 2, before);
  assert.deepEqual(
    spilled.flatMap((text) => added.filter((line) => line.includes(text))),
    [],
  );
  // Operators still get what they need.
  for (const address of [
    '/doctors?[unknown]',
    '/users/[redacted]/history',
    '/doctors/[redacted]/free-times?date=[redacted]',
    '/medicine?limit=[redacted]&status=[redacted]&sort=[redacted]&q=[redacted]',
    '/mf/mf-public/[redacted]',
  ]) {
    assert.ok(
      added.some((line) => (JSON.parse(line) as { url?: string }).url === address),
      address,
    );
  }
});

test('a log line stays one line, whatever a visitor sends', async () => {
  const before = lines.length;
  await fetch(`${clinic.url}/doctors?q=%0a%7b%22level%22%3a%22fatal%22%7d`);
  await fetch(`${clinic.url}/no/such%0apage%1b%5b31m`, {
    headers: { 'User-Agent': 'x\u00ff"}', 'X-Request-Id': 'evil"evil' },
  });
  const added = await linesOf(2, before);
  for (const line of added) {
    assert.doesNotMatch(line, /\p{Cc}/u);
    assert.notEqual((JSON.parse(line) as { level?: unknown }).level, 'fatal');
    assert.doesNotMatch(line, /evil"evil/);
  }
});
