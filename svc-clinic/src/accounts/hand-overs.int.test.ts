import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { assertHandedOver, handOverParts } from '@clinic/service-kit/testing/hand-overs';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import type { Appointment } from '../contract/schemas.ts';
import { requestBooking, sharedClinic } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000000' });
await clinic.addDoctor();

const lives = fc.array(fc.constantFrom(...handOverParts), { minLength: 2, maxLength: 7 }).map((parts) => parts.flat());

let days = 0;
const bookByReception = async (patientemail: string): Promise<string> => {
  days += 1;
  const visit = { patientemail, date: addDays(clinic.soon, days % 60), time: '09:00' };
  const answer = await requestBooking(clinic, 'admin', visit);
  if (answer.status !== 201) throw new Error(`booking answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as Appointment)._id;
};
const patientOf = async (id: string): Promise<string | undefined> =>
  (await clinic.appointments.findOne({ _id: new ObjectId(id) }))?.patientId;

test('a visit that reception books for an address goes to whoever has it then, or next, whatever the service missed', async () => {
  await fc.assert(
    fc.asyncProperty(lives, (life) => assertHandedOver(clinic, life, bookByReception, patientOf)),
    { numRuns: 10 },
  );
});
