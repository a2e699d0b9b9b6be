import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicMoment, type Problem } from '@clinic/contracts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { verdict, minutesFrom } from '../testing/test-clinic.ts';
import { replicatedClinic } from '../testing/service-process.ts';
import { passMidnight } from '@clinic/service-kit/testing/hold-clock';
import { untilServed } from '@clinic/service-kit/testing/wait-until';

const most = 5;
const { clinic, startReplica } = await replicatedClinic({ CLINIC_MAX_CHANGES_PER_DAY: String(most) });
const replica = await startReplica();
beforeEach(async () => {
  await passMidnight();
  await clinic.empty('appointments', 'doctors', 'events', 'persons', 'idempotency');
  await clinic.addDoctor({ availableTimes: ['09:00', ...minutesFrom('10:00', 60)] });
});

const at = (minute: number): string => `10:${String(minute).padStart(2, '0')}`;
const eventsOf = (id: string) => clinic.db.collection('events').countDocuments({ 'record.id': id });
const tryToBook = (json: object, key?: string) =>
  clinic.as(ann)('/appoinments', {
    method: 'POST',
    json,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

/** Repeats a request whose turn among its user's others doesn't come in time, as on a busy machine. */
async function untilItsTurn(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await untilServed(send);
    const { detail } = (await answer.clone().json()) as Partial<Problem>;
    if (detail !== 'You sent too many requests at once. Try again in a moment.') return answer;
  }
}

test('of forty concurrent moves of one appointment, over two processes, as many succeed as the daily limit allows', async () => {
  const { _id } = await clinic.book();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, minute) =>
      untilItsTurn(() => (minute % 2 === 0 ? clinic : replica).reschedule(ann, _id, clinic.soon, at(minute))),
    ),
  );
  const verdicts = await Promise.all(answers.map((answer) => verdict(answer.clone())));
  assert.deepEqual([...new Set(verdicts)].toSorted(), ['200', '429 rate_limited']);
  // One that was answered for its length may have been done, and counted, before it was repeated.
  const done = verdicts.filter((one) => one === '200').length;
  assert.ok(done < most, String(done));
  assert.equal(await eventsOf(_id), most);
  const record = await clinic.appointments.findOne({});
  assert.equal(record?.sequence, most - 1);

  const rejected = answers.find(({ status }) => status === 429) ?? assert.fail();
  const { detail } = (await rejected.json()) as Problem;
  assert.equal(
    detail,
    'You’ve booked or moved appointments 5 times today, the most you can in one day. Try again tomorrow, or call the clinic and we’ll do it for you.',
  );
  // The clinic's next midnight, whichever that is by now.
  const seconds = Number(rejected.headers.get('retry-after'));
  const again = clinicMoment(new Date(Date.now() + seconds * 1_000 + 1_000), 'Asia/Dhaka');
  assert.equal(again.time, '00:00', `Retry-After is ${seconds}`);
});

test('bookings and moves count together, cancelling and confirming don’t, and a new day starts at zero', async () => {
  const [first, second] = [
    await clinic.book({ time: at(1) }),
    await clinic.book({ time: at(2) }),
    await clinic.book({ time: at(3) }),
  ];
  assert.equal(await verdict(clinic.reschedule(ann, first._id, clinic.soon, at(4))), '200');
  assert.equal(await verdict(clinic.reschedule(ann, first._id, clinic.soon, at(5))), '200');
  assert.equal(await verdict(clinic.reschedule(ann, first._id, clinic.soon, at(6))), '429 rate_limited');
  assert.equal(await verdict(tryToBook(clinic.booking({ time: at(7) }))), '429 rate_limited');
  assert.deepEqual(
    (await clinic.appointments.find({}).sort({ time: 1 }).toArray()).map(({ time }) => time),
    [at(2), at(3), at(5)],
  );
  assert.equal(await clinic.db.collection('events').countDocuments({}), 5);
  assert.equal(await verdict(clinic.setStatus(ann, second._id, 'Confirmed')), '200');
  assert.equal(await verdict(clinic.setStatus(ann, first._id, 'Cancelled')), '200');

  const counted = { 'today.counts.bookings': most };
  assert.equal(
    (await clinic.db.collection('persons').updateOne(counted, { $set: { 'today.day': addDays(clinic.today, -1) } }))
      .modifiedCount,
    1,
  );
  assert.equal(await verdict(tryToBook(clinic.booking({ time: at(7) }))), '201');
});

test('neither rejected nor repeated requests count', async () => {
  await clinic.book({ patientemail: ben.email, time: at(0) });
  for (let time = 0; time < most + 1; time += 1)
    assert.equal(await verdict(tryToBook(clinic.booking({ time: at(0) }))), '409 slot_taken');
  const requested = clinic.booking({ time: at(1) });
  for (let time = 0; time < most + 1; time += 1) assert.equal(await verdict(tryToBook(requested, 'again')), '201');
  const id = (await clinic.appointments.findOne({ time: at(1) }))?._id.toHexString() ?? '';
  for (let time = 0; time < most + 1; time += 1)
    assert.equal(await verdict(clinic.reschedule(ann, id, clinic.soon, at(1))), '200');
  for (let minute = 2; minute <= most; minute += 1) await clinic.book({ time: at(minute) });
  assert.equal(await verdict(tryToBook(clinic.booking({ time: at(50) }))), '429 rate_limited');
});

test('the limit is per patient, and doctors and admins have none', async () => {
  const { _id } = await clinic.book({ time: at(1) });
  for (let minute = 2; minute <= most; minute += 1) await clinic.book({ time: at(minute) });
  assert.equal(await verdict(tryToBook(clinic.booking({ time: at(50) }))), '429 rate_limited');
  await clinic.book({ patientemail: ben.email, time: at(51) });
  for (let minute = 10; minute < 10 + 2 * most; minute += 1) {
    assert.equal(
      await verdict(clinic.reschedule(minute % 2 === 0 ? drGrey : 'admin', _id, clinic.soon, at(minute))),
      '200',
    );
  }
  assert.equal(await verdict(clinic.requestBooking('admin', { time: at(52) })), '201');
});
