import { nextFreeText } from './next-free-text.ts';

const today = '2026-11-30';
const doctor = (nextFree: { date: string; time: string } | null, isAvailable = true, availableTimes = ['09:30']) => ({
  isAvailable,
  availableTimes,
  nextFree,
});

test('names the next free slot relative to today', () => {
  expect(nextFreeText(doctor({ date: '2026-11-30', time: '17:00' }), today)).toBe('Next free: today, 5:00 PM');
  expect(nextFreeText(doctor({ date: '2026-12-01', time: '09:30' }), today)).toBe('Next free: tomorrow, 9:30 AM');
  expect(nextFreeText(doctor({ date: '2026-12-03', time: '00:00' }), today)).toBe('Next free: Thu, Dec 3, 12:00 AM');
});

test('explains why there is none', () => {
  expect(nextFreeText(doctor({ date: '2026-11-29', time: '17:00' }), today)).toBe('Looking for the next free time…');
  expect(nextFreeText(doctor(null), today)).toBe('Fully booked for the next few weeks');
  expect(nextFreeText(doctor(null, true, []), today)).toBe('Times by arrangement');
  expect(nextFreeText(doctor(null, false), today)).toBe('Not taking new appointments');
});
