import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ann, ben, drGrey } from '../testing/people.ts';
import { sharedClinic, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_TZ: 'America/New_York' });
await clinic.addDoctor();

test('everybody with access to an appointment can download it, with a stable UID and a rising sequence', async () => {
  const { _id } = await clinic.book();
  const sequence = async (): Promise<string | undefined> => {
    const answer = await clinic.as(ann)(`/appoinments/${_id}/calendar`);
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="appointment-\d{4}-\d\d-\d\d\.ics"$/,
    );
    const text = await answer.text();
    assert.match(text, new RegExp(`UID:${_id}@`));
    return /SEQUENCE:(\d+)/.exec(text)?.[1];
  };
  assert.equal(await sequence(), '0');
  await clinic.reschedule(drGrey, _id, clinic.soon, '10:00');
  assert.equal(await sequence(), '1');
  await clinic.as(drGrey)(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } });
  assert.equal(await sequence(), '2');
  for (const who of [drGrey, 'admin'] as const)
    assert.equal((await clinic.as(who)(`/appoinments/${_id}/calendar`)).status, 200);
  assert.equal(await verdict(clinic.as(ben)(`/appoinments/${_id}/calendar`)), '403 forbidden');
  assert.equal(await verdict(clinic.anonymous(`/appoinments/${_id}/calendar`)), '401 unauthenticated');
});
