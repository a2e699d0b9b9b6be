import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { orderOfDay } from './order-of-day.ts';

const at = (time: string, status: Appointment['status'] = 'Confirmed') => ({ time, status }) as Appointment;
const day = [at('11:00'), at('09:00'), at('10:00', 'Cancelled'), at('09:30', 'Pending'), at('14:00')];
const times = (time: string) => {
  const { next, later, earlier } = orderOfDay(day, time);
  return [next?.time, later.map((one) => one.time), earlier.map((one) => one.time)];
};

test('the next patient comes first, then the rest of the day, without cancelled appointments', () => {
  expect(times('08:00')).toEqual(['09:00', ['09:30', '11:00', '14:00'], []]);
  expect(times('10:05')).toEqual(['11:00', ['14:00'], ['09:00', '09:30']]);
});

test('the current patient stays first for a while, and the day ends', () => {
  expect(times('09:19')[0]).toBe('09:00');
  expect(times('09:20')[0]).toBe('09:30');
  expect(times('23:00')).toEqual([undefined, [], ['09:00', '09:30', '11:00', '14:00']]);
});
