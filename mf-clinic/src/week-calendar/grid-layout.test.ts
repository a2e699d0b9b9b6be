import type { CalendarAppointment, CalendarDay, CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';
import { blocksOf, dropOn, openSlots, rangeOf, scaleOf, shownSpan, sideBySide, type DayColumn } from './grid-layout.ts';

const day: CalendarDay = {
  date: '2026-12-01',
  hours: [{ from: '08:15', until: '19:30', place: '' }],
  off: [],
  slots: [
    { time: '08:15', until: '08:45', free: false },
    { time: '08:45', until: '09:15', free: true },
  ],
};
const doctor = { _id: 'd', email: 'grey@clinic.example', anyTime: false } as CalendarDoctor;
const at = (time: string, ends: string): CalendarAppointment => ({ _id: time, time, ends }) as CalendarAppointment;
const column = (fields: Partial<DayColumn> = {}): DayColumn => ({
  key: 'd 2026-12-01',
  doctor,
  day,
  appointments: [],
  ...fields,
});
const now = { date: '2026-12-01', time: '09:10' };

test('shows whole hours with everything in them, and at least the usual opening hours', () => {
  expect(rangeOf([column()])).toEqual({ from: 480, until: 1200 });
  expect(rangeOf([column({ day: { ...day, hours: [] } })])).toEqual({ from: 540, until: 1020 });
  expect(rangeOf([column({ appointments: [at('23:45', '24:00')] })])).toEqual({ from: 480, until: 1440 });
});

test('short appointments make the day longer, within limits', () => {
  expect(scaleOf([column()])).toBe(1.3);
  expect(scaleOf([column({ appointments: [at('09:00', '09:15')] })])).toBeCloseTo(26 / 15);
  expect(scaleOf([column({ appointments: [at('09:00', '09:01')] })])).toBe(2.6);
});

test('appointments that overlap are side by side, others alone', () => {
  const placed = sideBySide([at('09:00', '10:00'), at('09:30', '10:00'), at('10:00', '10:30'), at('10:10', '10:40')]);
  expect(placed.map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 2],
    [1, 2],
    [0, 2],
    [1, 2],
  ]);
  expect(sideBySide([at('09:00', '09:30'), at('09:30', '10:00')]).map(({ lanes }) => lanes)).toEqual([1, 1]);
});

test('a doctor without listed times can be asked for every half hour that isn’t past or taken', () => {
  const any = column({
    doctor: { ...doctor, anyTime: true },
    day: { ...day, hours: [], slots: [] },
    appointments: [at('10:15', '10:45')],
  });
  expect(openSlots(any, { from: 540, until: 720 }, now).map(({ time }) => time)).toEqual(['09:30', '11:00', '11:30']);
  expect(openSlots(any, { from: 540, until: 720 }, { ...now, date: '2026-12-02' })).toEqual([]);
  expect(openSlots(column(), { from: 540, until: 720 }, now).map(({ time }) => time)).toEqual(['08:45']);
});

test('a dropped appointment goes where it was dropped, or stays with a reason; never to a free time nearby', () => {
  const slots = [
    { time: '09:00', until: '09:30', free: true },
    { time: '09:30', until: '10:00', free: false },
    { time: '10:00', until: '10:30', free: true },
  ];
  const other = { ...at('09:30', '10:00'), patientname: 'Ben Roy' };
  const full = column({ day: { ...day, slots }, appointments: [other] });
  const dropped = { ...at('15:00', '15:30'), date: '2026-11-01' };
  expect(dropOn(full, 545, dropped)).toEqual({ slot: { time: '09:00', until: '09:30' } });
  expect(dropOn(full, 575, dropped)).toEqual({ refused: '9:30 AM is taken by Ben Roy' });
  expect(dropOn({ ...full, appointments: [] }, 575, dropped)).toEqual({ refused: '9:30 AM isn’t free' });
  expect(dropOn(full, 700, dropped)).toEqual({ refused: 'That’s outside the hours' });
  expect(dropOn(full, 575, { ...other, date: day.date })).toBeUndefined();
});

test('writes spans with one half of the day where both ends are in it', () => {
  expect(shownSpan('09:00', '09:30')).toBe('9:00 – 9:30 AM');
  expect(shownSpan('11:30', '12:00')).toBe('11:30 AM – 12:00 PM');
  expect(shownSpan('23:30', '24:00')).toBe('11:30 PM – 12:00 AM');
});

test('blocked time across midnight has a height: to midnight and from it, or to midnight with an older service', () => {
  const night = { date: day.date, from: '22:30', until: '01:30' };
  const { date: _date, ...off } = night;
  expect(blocksOf({ ...day, off: [off] })).toEqual([{ from: '22:30', until: '24:00', exception: night }]);
  const blocks = [{ from: '00:00', until: '01:30', exception: night }];
  expect(blocksOf({ ...day, date: '2026-12-02', blocks })).toEqual(blocks);
});
