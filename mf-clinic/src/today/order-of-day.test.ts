import { clinicInstant } from '@clinic/contracts/clinic-time';
import type { AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { orderOfDay } from './order-of-day.ts';

const date = '2030-05-06';
const timeZone = 'Asia/Dhaka';
const at = (time: string, status: VisitOfDay['status'] = 'Confirmed', state?: AttendanceState, arrivedAt = '') =>
  ({ date, time, status, ...(state && { attendance: { state, since: arrivedAt, arrivedAt } }) }) as VisitOfDay;
const day = [at('11:00'), at('09:00'), at('10:00', 'Cancelled'), at('09:30', 'Pending'), at('14:00')];
const plan = (visits: readonly VisitOfDay[], time: string) => {
  const { next, waiting, later, earlier } = orderOfDay(visits, {
    now: clinicInstant({ date, time }, timeZone).getTime(),
    today: date,
    timeZone,
  });
  return [next?.time, ...[waiting, later, earlier].map((list) => list.map((one) => one.time))];
};

test('while nobody is noted, the next patient comes first, then the rest of the day, without cancelled appointments', () => {
  expect(plan(day, '08:00')).toEqual(['09:00', [], ['09:30', '11:00', '14:00'], []]);
  expect(plan(day, '10:05')).toEqual(['11:00', [], ['14:00'], ['09:00', '09:30']]);
});

test('the current patient stays first for a while, and the day ends', () => {
  expect(plan(day, '09:19')[0]).toBe('09:00');
  expect(plan(day, '09:20')[0]).toBe('09:30');
  expect(plan(day, '23:00')).toEqual([undefined, [], [], ['09:00', '09:30', '11:00', '14:00']]);
});

test('who is inside comes first, then who was called, then who waits longest, whatever their times', () => {
  const here = [
    at('09:00', 'Confirmed', 'finished'),
    at('09:30', 'Confirmed', 'missed'),
    at('10:00', 'Confirmed', 'arrived', '2'),
    at('11:00', 'Confirmed', 'arrived', '1'),
    at('12:00', 'Confirmed', 'called', '3'),
  ];
  expect(plan([...here, at('13:00')], '09:40')).toEqual(['12:00', ['11:00', '10:00'], ['13:00'], ['09:00', '09:30']]);
  expect(plan([...here, at('08:00', 'Confirmed', 'with doctor', '9')], '15:00')[0]).toBe('08:00');
});
