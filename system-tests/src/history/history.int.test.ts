import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment, type RecordEvent, type Route, type User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { mergeEvents, type ListedEvent } from '../../../mf-admin/src/history/merge-events.ts';
import { callOf, openRequestMaker, send } from '../access/requests.ts';
import { ownCalls, type TestedService } from '../support/every-call.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { keepsLong } from '../support/orderable.ts';
import type { ServiceName } from '../support/every-call.ts';

// The whole history, as admins read it on /dash/history: the three services' own histories, merged by the page's own
// code.

let services: ThreeServices;
const cookies = new Map<string, string>();
before(async () => {
  services = await startThreeServices({ messages: 'idle' });
  for (const { email } of Object.values(people)) cookies.set(email, await services.signIn(email));
});
after(() => services.close());

const as = (who: keyof typeof people) => services.from(cookies.get(people[who].email) ?? '');
const histories: Readonly<Record<ServiceName, string>> = {
  identity: '/access-events/all',
  clinic: '/appoinments/events',
  pharmacy: '/orderMedi/events',
};

/** All pages of one service's history. */
async function pagesOf(service: ServiceName, query: string): Promise<RecordEvent[]> {
  const rows: RecordEvent[] = [];
  let next: string | undefined = `${histories[service]}?limit=3&${query}`;
  while (next !== undefined) {
    const page: Response = await as('admin')(service)(next);
    rows.push(...(await readJson<RecordEvent[]>(page.clone())));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

async function historyOf(query: string): Promise<ListedEvent[]> {
  const names = Object.keys(histories) as ServiceName[];
  const parts = await Promise.all(
    names.map(async (service) => ({ service, rows: await pagesOf(service, query), more: false })),
  );
  return mergeEvents(parts);
}

test('changes in each service appear exactly once, in order of time, with who, before and after', async () => {
  const doctor =
    (await readJson<Doctor[]>(as('admin')('clinic')('/doctors'))).find(({ email }) => email === people.doctor.email) ??
    assert.fail('no doctor');
  const medicine =
    (await readJson<Medicine[]>(as('admin')('pharmacy')('/medicine'))).find(
      ({ status, medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && status === 'in stock' && keepsLong(expiryDate) && Number(quantity.$numberInt) >= 100,
    ) ?? assert.fail('no medicine');
  const user = await readJson<User>(as('admin')('identity')(`/users/${bystanders[0]}`));
  const from = new Date().toISOString();
  const send = (
    who: keyof typeof people,
    service: ServiceName,
    method: string,
    path: string,
    json: unknown,
  ): Promise<Response> => as(who)(service)(path, { method, json });
  const stock = Number(medicine.medicine.quantity.$numberInt);

  // Alternating services, so that the order of time differs from the order by service.
  const appointment = await readJson<Appointment>(
    send('patient', 'clinic', 'POST', '/appoinments', {
      patientname: 'Amina Khatun',
      patientemail: people.patient.email,
      age: 35,
      address: '12 Lake Road',
      number: '+880 1555 010400',
      date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 90),
      time: doctor.availableTimes[0] ?? '09:00',
      doctorname: doctor.name,
      doctoremail: doctor.email,
    }),
  );
  await readJson(send('admin', 'identity', 'PATCH', `/update-role/${user._id}`, { newRole: 'pharmacist' }));
  const order = await readJson<Order>(
    send('patient', 'pharmacy', 'POST', '/orderMedi', {
      items: [{ medicineId: medicine.medicine.medicineId, quantity: 2 }],
      deliveryAddress: '12 Lake Road',
      customeremail: people.patient.email,
      customerPhone: '+880 1555 010400',
    }),
  );
  await readJson(
    send('doctor', 'clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Confirmed' }),
  );
  await readJson(send('pharmacist', 'pharmacy', 'PATCH', `/orderMedi/${order._id}`, { newStatus: 'Shipped' }));
  await readJson(send('admin', 'identity', 'PATCH', `/update-role/${user._id}`, { newRole: 'patient' }));
  // Rejected and ineffective changes make no entry.
  assert.equal(
    (await send('patient', 'pharmacy', 'PATCH', `/orderMedi/${order._id}`, { newStatus: 'Cancelled' })).status,
    403,
  );
  assert.equal(
    (await send('otherPatient', 'clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Cancelled' }))
      .status,
    403,
  );
  await readJson(send('admin', 'clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Confirmed' }));
  await readJson(send('pharmacist', 'pharmacy', 'PATCH', `/medicine/${medicine._id.$oid}`, { restock: 5 }));
  await readJson(
    send('patient', 'clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Cancelled' }),
  );

  const { email: patient } = people.patient;
  const medicineId = medicine._id.$oid;
  type Line = readonly [service: ServiceName, action: string, who: string, record: string, was: unknown, is: unknown];
  // Changes in one transaction have nearly the same time, so their order among each other doesn't count.
  const expected: readonly (readonly Line[])[] = [
    [['clinic', 'booked', patient, appointment._id, null, 'Pending']],
    [['identity', 'role changed', people.admin.email, user._id, { role: 'patient' }, { role: 'pharmacist' }]],
    [
      [
        'pharmacy',
        'ordered',
        patient,
        medicineId,
        { quantity: stock, status: 'in stock' },
        { quantity: stock - 2, status: 'in stock', orderId: order._id },
      ],
      ['pharmacy', 'placed', patient, order._id, null, { status: 'pending' }],
    ],
    [
      [
        'clinic',
        'status changed',
        people.doctor.email,
        appointment._id,
        { status: 'Pending' },
        { status: 'Confirmed' },
      ],
    ],
    [['pharmacy', 'status changed', people.pharmacist.email, order._id, { status: 'pending' }, { status: 'Shipped' }]],
    [['identity', 'role changed', people.admin.email, user._id, { role: 'pharmacist' }, { role: 'patient' }]],
    [
      [
        'pharmacy',
        'restocked',
        people.pharmacist.email,
        medicineId,
        { quantity: stock - 2, status: 'in stock' },
        { quantity: stock + 3, status: 'in stock' },
      ],
    ],
    [['clinic', 'status changed', patient, appointment._id, { status: 'Confirmed' }, { status: 'Cancelled' }]],
  ];
  const lineOf = ({ service, action, actor, record, before: was, after: is }: ListedEvent): Line => [
    service,
    action,
    actor?.email ?? '',
    record.id,
    was,
    action === 'booked' ? is['status'] : is,
  ];
  const oldestFirst = (await historyOf(`from=${from}`)).toReversed();
  let read = 0;
  for (const group of expected) {
    const entries = oldestFirst
      .slice(read, (read += group.length))
      .toSorted((a, b) => a.action.localeCompare(b.action));
    assert.deepEqual(entries.map(lineOf), group);
  }
  assert.deepEqual(oldestFirst.slice(read).map(lineOf), [], 'no other entry');
  assert.equal(new Set(oldestFirst.map(({ _id }) => _id)).size, read);
  assert.ok(oldestFirst.every(({ requestId }) => requestId !== ''));

  // Everything about the patient, whoever did it; and the history of one record.
  const idsWhere = (which: (event: ListedEvent) => boolean) =>
    oldestFirst
      .filter(which)
      .map(({ _id }) => _id)
      .toReversed();
  const idsFound = async (query: string) => (await historyOf(`from=${from}&${query}`)).map(({ _id }) => _id);
  assert.deepEqual(
    await idsFound(`person=${patient}`),
    idsWhere(({ service, action }) => service !== 'identity' && action !== 'restocked'),
  );
  assert.deepEqual(
    await idsFound(`record=${order._id}`),
    idsWhere(({ record }) => record.id === order._id),
  );
  assert.deepEqual(
    await idsFound(`person=${bystanders[0]}`),
    idsWhere(({ service }) => service === 'identity'),
  );
});

/** The only change to existing events: a deletion replaces the person, as the law requires, and keeps the rest. */
const isAnonymised = (event: object): boolean => JSON.stringify(event).includes('@deleted.invalid');

test('every call on an events path only reads it', async () => {
  const all: readonly [string, Route][] = Object.entries(ownCalls);
  const aboutEvents = all.filter(([, { path }]) => /events/.test(path));
  assert.ok(aboutEvents.length >= 4);
  assert.deepEqual(
    aboutEvents.filter(([, { method }]) => method !== 'GET').map(([id]) => id),
    [],
  );
  for (const [service, path] of Object.entries(histories) as [ServiceName, string][]) {
    const [event] = await readJson<RecordEvent[]>(as('admin')(service)(`${path}?limit=1`));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const address of [path, `${path}/${event?._id}`]) {
        const { status } = await as('admin')(service)(address, { method, json: {} });
        assert.ok([400, 404, 405].includes(status), `${method} ${address} answered ${status}`);
      }
    }
  }
});

test('no call changes or deletes an existing event', { timeout: 300_000 }, async () => {
  const maker = await openRequestMaker(services);
  const eventsOf = async (service: TestedService) =>
    new Map(
      (await services.databases[service].collection('events').find().toArray()).map((event) => [
        String(event['_id']),
        event,
      ]),
    );
  let tried = 0;
  for (const [name, make] of Object.entries(maker.requests)) {
    const { id, route } = callOf(name);
    if (route.method === 'GET') continue;
    const request = await make();
    // People order and register for themselves only; an admin may do the rest.
    const { access } = route;
    const ownOnly = access.kind === 'restricted' && access.roles.length === 0;
    const who = ownOnly || id === 'registerUser' ? 'patient' : 'admin';
    const cookie = await services.signIn(people[who].email);
    const before = await eventsOf(route.service);
    const { status } = await send(services.from(cookie)(route.service), route, request);
    assert.ok(status < 300 || status === request.letIn || id === 'startSession', `${name} answered ${status}`);
    const after = await eventsOf(route.service);
    for (const [key, event] of before) {
      const now = after.get(key) ?? assert.fail(`${name} deleted ${JSON.stringify(event)}`);
      if (isAnonymised(now)) {
        const lasting = ({ at, call, action, requestId }: Record<string, unknown>) => ({ at, call, action, requestId });
        assert.deepEqual(lasting(now), lasting(event), `${name} changed what an event says happened`);
      } else assert.deepEqual(now, event, `${name} changed an event`);
    }
    tried += 1;
  }
  assert.ok(tried >= 20, `only ${tried} calls were tried`);
});
