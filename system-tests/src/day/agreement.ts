import assert from 'node:assert/strict';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import type { WaitingRoom } from '@clinic/svc-clinic/contract/waiting-room-calls';
import type { ClinicDay } from './clinic-day.ts';
import type { Person } from './people.ts';
import type { Visit } from './visits.ts';

type Everybody = ReadonlyMap<Person, Visit | string>;

/** The visits among what became of everybody. */
export const visitsIn = (everybody: Everybody): Visit[] =>
  [...everybody.values()].filter((one) => typeof one !== 'string');

/**
 * Compares what the desk sees with the answers that everybody got, and with what doctors, patients and the waiting room see.
 * Nothing may change meanwhile.
 *
 * @param shown - the desk's list of the day
 */
export async function screensAgreeWith(
  day: ClinicDay,
  everybody: Everybody,
  shown: readonly VisitOfDay[],
): Promise<void> {
  const visits = visitsIn(everybody);
  const onDay = visits.filter(({ date, status }) => date === day.date && status !== 'Cancelled');
  const lines = (all: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b)));
  const ofVisit = ({ time, status, state, number }: Visit): unknown => [time, status, state, number];
  const ofShown = ({ time, status, attendance }: VisitOfDay): unknown => [
    time,
    status,
    attendance?.state ?? 'expected',
    attendance?.number,
  ];
  assert.deepEqual(
    lines(shown.map((one) => [one.patientname, ofShown(one)])),
    lines(onDay.map((one) => [one.person.name, ofVisit(one)])),
  );

  const numbers = shown.flatMap(({ attendance }) => attendance?.number ?? []);
  assert.equal(new Set(numbers).size, numbers.length, `a number was given twice: ${numbers.join()}`);

  for (const { who, email } of day.doctors) {
    const { body } = await who.insist('GET', `/appoinments/day?date=${day.date}&email=${email}`);
    assert.deepEqual(
      (body as { readonly visits: readonly VisitOfDay[] }).visits.map((one) => [one._id, ofShown(one)]),
      shown.filter(({ doctoremail }) => doctoremail === email).map((one) => [one._id, ofShown(one)]),
    );
  }
  await waitingRoomAgrees(day, shown);
  for (const visit of onDay.filter(({ own, state }) => own && state !== 'expected').slice(0, 3))
    await placeAgrees(visit, shown);
}

const inState = (shown: readonly VisitOfDay[], state: string): VisitOfDay[] =>
  shown.filter(({ attendance }) => attendance?.state === state);

const earliest = (shown: readonly VisitOfDay[], key: 'arrivedAt' | 'since'): VisitOfDay[] =>
  shown.toSorted((a, b) => (a.attendance?.[key] ?? '').localeCompare(b.attendance?.[key] ?? ''));

/** The screen in the waiting room has the same people, by number. */
async function waitingRoomAgrees(day: ClinicDay, shown: readonly VisitOfDay[]): Promise<void> {
  const { status, body } = await day.newVisitor().insist('GET', day.waitingRoom);
  assert.equal(status, 200);
  const { called, waiting } = body as WaitingRoom;
  assert.deepEqual(
    waiting.toSorted((a, b) => a - b),
    inState(shown, 'arrived')
      .map(({ attendance }) => attendance?.number ?? 0)
      .toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    called.map(({ number, room }) => `${number} ${room}`).toSorted(),
    inState(shown, 'called')
      .map(({ attendance, place }) => `${attendance?.number} ${place}`)
      .toSorted(),
  );
  const text = JSON.stringify(body);
  for (const { patientname } of shown) assert.ok(!text.includes(patientname), `the screen names ${patientname}`);
}

/** Patients see their number, and how many came before them to the same doctor. */
async function placeAgrees({ own, id, state, number, doctor, person }: Visit, shown: readonly VisitOfDay[]) {
  const answer = await own?.insist('GET', `/appoinments/${id}/queue`);
  const queue = earliest(
    [...inState(shown, 'arrived'), ...inState(shown, 'called')].filter(
      ({ doctoremail }) => doctoremail === doctor.email,
    ),
    'arrivedAt',
  );
  const ahead = Math.max(
    0,
    queue.findIndex(({ _id }) => _id === id),
  );
  assert.deepEqual(answer?.body, { state, ...(number !== undefined && { number }), ahead }, person.name);
}
