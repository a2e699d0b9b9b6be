import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicInstant, clinicMoment } from '@clinic/contracts';
import { clinicClock } from '../clinic-clock.ts';
import { offerUntil } from './suitable.ts';

const CLINIC_TZ = 'Asia/Dhaka';
const rules = { WAITLIST_OFFER_MINUTES: 30, QUIET_HOURS: { from: '21:00', until: '08:00' } };

const moment = (text: string) => ({ date: `2026-${text.slice(0, 5)}`, time: text.slice(6) });

/** Until when a time is offered; all are 'mm-dd HH:mm' in the clinic. */
function until(freed: string, slot: string, changed: Partial<typeof rules> = {}): string | undefined {
  const now = clinicInstant(moment(freed), CLINIC_TZ);
  const clock = clinicClock({ CLINIC_TZ, CLINIC_BOOKING_HORIZON_DAYS: 90 }, now);
  const end = offerUntil(moment(slot), clock, { ...rules, ...changed });
  if (!end) return undefined;
  const { date, time } = clinicMoment(end, CLINIC_TZ);
  return `${date.slice(5)} ${time}`;
}

test('by day a time is offered for the minutes of the setting, or half of those until it starts', () => {
  assert.equal(until('12-01 10:00', '12-03 09:00'), '12-01 10:30');
  assert.equal(until('12-01 10:00', '12-01 10:40'), '12-01 10:20');
  assert.equal(until('12-01 10:00', '12-01 10:09'), undefined);
});

test('what is freed at night is offered until the morning, by the minutes outside quiet hours', () => {
  for (const freed of ['12-01 21:00', '12-01 23:30', '12-02 03:00', '12-02 07:59'])
    assert.equal(until(freed, '12-03 09:00'), '12-02 08:30', freed);
  assert.equal(until('12-01 20:50', '12-03 09:00'), '12-02 08:20');
  // Half of what is left of the morning.
  assert.equal(until('12-01 23:30', '12-02 08:40'), '12-02 08:20');
  assert.equal(until('12-01 22:00', '12-09 09:00', { WAITLIST_OFFER_MINUTES: 1_440 }), '12-03 19:00');
  assert.equal(until('12-01 23:30', '12-03 09:00', { QUIET_HOURS: { from: '00:00', until: '00:00' } }), '12-02 00:00');
});

test('what starts before there is time in the morning is offered at once', () => {
  assert.equal(until('12-01 23:30', '12-02 08:05'), '12-02 00:00');
  assert.equal(until('12-02 04:00', '12-02 04:40'), '12-02 04:20');
});
