import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { hostileNames } from '@clinic/service-kit/testing/hostile-names';
import { icalFaults } from '@clinic/service-kit/testing/ical-grammar';
import ICAL from 'ical.js';
import { clinic, openSubscribedClinic, readFeed, subscribe } from '../testing/test-calendar-feed.ts';
import { ann, drGrey } from '../testing/people.ts';
import { storedAppointment } from '../testing/test-clinic.ts';

await openSubscribedClinic();

/** Blanks and what isn't shown are the same in every program. */
const shown = (text: unknown): string => (typeof text === 'string' ? text : '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/** The events of a calendar that both parsers accept. */
function eventsIn(text: string, about: string): ICAL.Component[] {
  assert.deepEqual(icalFaults(text), [], about);
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
}

test('files and subscriptions keep to the grammar whatever patients, doctors and places are called, for two parsers', async () => {
  const records = hostileNames.map((name, index) =>
    storedAppointment(
      {
        date: addDays(clinic.soon, index),
        time: '09:00',
        patientName: name,
        doctorName: hostileNames.at(-1 - index) ?? '',
        patientId: clinic.issuer.idOf(ann.email),
        doctorAccountId: clinic.issuer.idOf(drGrey.email),
        status: index % 2 === 0 ? 'Confirmed' : 'Cancelled',
      },
      { minutes: 45, place: name },
      'Europe/London',
    ),
  );
  await clinic.appointments.insertMany(records);
  for (const who of [ann, drGrey, 'admin'] as const)
    for (const { _id, patientName, doctorName } of records) {
      const answer = await clinic.as(who)(`/appoinments/${_id.toHexString()}/calendar`);
      const about = `${JSON.stringify(who)} ${JSON.stringify(patientName)}`;
      assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="appointment-[\d-]+\.ics"$/);
      const [event, ...more] = eventsIn(await answer.text(), about);
      assert.deepEqual(more, [], about);
      assert.equal(shown(event?.getFirstPropertyValue('summary')), shown(`Appointment with ${doctorName}`), about);
      assert.equal(shown(event?.getFirstPropertyValue('location')), shown(patientName), about);
      assert.ok(shown(event?.getFirstPropertyValue('description')).includes(shown(patientName)), about);
      assert.equal(event?.getAllProperties('attendee').length, 0, about);
    }
  for (const who of [ann, drGrey]) {
    const events = eventsIn(await (await readFeed(await subscribe(who))).text(), who.email);
    assert.deepEqual(
      events.map((event) => shown(event.getFirstPropertyValue('summary'))),
      records.map(({ patientName, doctorName, status }) =>
        shown(
          `${status === 'Cancelled' ? 'Cancelled: ' : ''}${who === ann ? `Appointment with ${doctorName}` : patientName}`,
        ),
      ),
    );
  }
});
