import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicInstant, timeOf } from '@clinic/contracts';
import { applyRetention } from '@clinic/service-kit/retention';
import { arrivalRetention } from './retention.ts';
import { collectionsOf } from '../collections.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { admin, ann, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { attendanceAt } from '../testing/test-attendance.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
const { visit, day } = attendanceAt(clinic);
beforeEach(() => clinic.empty('appointments', 'events', 'arrivalNumbers', 'appointmentTallies'));

const idOf = (who: { readonly email: string }) => clinic.issuer.idOf(who.email);

test('the day has everybody’s visits for the desk, a doctor’s own for the doctor, and who has missed visits before', async () => {
  await visit({ time: '10:00' });
  await visit({ time: '09:00', doctorEmail: drHouse.email, doctorAccountId: idOf(drHouse) });
  await visit({ time: '11:00', status: 'Cancelled' });
  const before = addDays(clinic.today, -3);
  await visit({
    date: before,
    attendance: { date: before, time: '00:00', state: 'missed', since: new Date() },
  });
  // Whoever has the address now isn't who missed this one.
  await visit({
    date: before,
    time: '01:00',
    patientId: 'f'.repeat(24),
    attendance: { date: before, time: '01:00', state: 'missed', since: new Date() },
  });
  // Nor is this one missed: the patient came, and left before the doctor had time.
  await visit({
    date: before,
    time: '02:00',
    attendance: { date: before, time: '02:00', state: 'missed', since: new Date(), arrivedAt: new Date() },
  });
  const shown = async (who: Who, query = '') =>
    (await day(who, query)).visits.map(({ time, missedBefore }) => [time, missedBefore]);
  assert.deepEqual(await shown(admin), [
    ['09:00', 1],
    ['10:00', 1],
  ]);
  assert.deepEqual(await shown(admin, `&email=${drHouse.email}`), [['09:00', 1]]);
  assert.deepEqual(await shown(drGrey, `&email=${drGrey.email}`), [['10:00', 1]]);
  for (const [who, query] of [
    [drGrey, ''],
    [drGrey, `&email=${drHouse.email}`],
    [ann, `&email=${ann.email}`],
  ] as const)
    assert.equal(await verdict(clinic.as(who)(`/appoinments/day?date=${clinic.today}${query}`)), '403 forbidden');
});

test('the numbers of past days are purged after a week, those of earlier releases too; today’s count on', async () => {
  const { arrivalNumbers } = collectionsOf(clinic.db);
  for (const days of [-400, -8, -7, 0]) await arrivalNumbers.insertOne({ _id: addDays(clinic.today, days), last: 3 });
  const noon = clinicInstant({ date: clinic.today, time: '12:00' }, 'Asia/Dhaka');
  await applyRetention(clinic.context, arrivalRetention(clinic.context), noon);
  const left = await arrivalNumbers.find({}).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    left.map(({ _id }) => _id),
    [addDays(clinic.today, -7), clinic.today],
  );
});

const seen = (time: string) => ({ date: clinic.today, time, state: 'finished' as const, since: new Date() });

test('the report counts who came and who didn’t, and how long half and nine tenths of them waited', async () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50];
  for (const [index, waited] of waits.entries())
    await visit({ time: timeOf(index * 30), attendance: { ...seen(timeOf(index * 30)), waited } });
  await visit({ time: '20:00', attendance: { ...seen('20:00'), state: 'missed' } });
  await visit({ time: '20:30', attendance: { ...seen('20:30'), state: 'missed', arrivedAt: new Date() } });
  await visit({ time: '21:00', attendance: { ...seen('21:00'), state: 'arrived' } });
  const { attendance } = await read<AppointmentReport>(
    clinic.as(admin),
    `/appoinments/report?from=${clinic.today}&to=${clinic.today}`,
  );
  assert.deepEqual(attendance, { seen: 10, missed: 1, waiting: { median: 5, ninetieth: 9 } });
});
