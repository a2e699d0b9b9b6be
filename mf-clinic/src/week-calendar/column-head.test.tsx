import type { CalendarAppointment, CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';
import { render, screen } from '@testing-library/react';
import { appointment as anyAppointment } from '../testing/records.ts';
import { AppointmentBlock } from './appointment-block.tsx';
import { ColumnHead } from './column-head.tsx';

const day = { date: '2100-01-05', hours: [], off: [], slots: [] };
const doctor: CalendarDoctor = {
  _id: 'd'.repeat(24),
  name: 'Dr. Wilhelmina Featherstonehaugh-Cholmondeley',
  email: 'wilhelmina@clinic.example',
  specialization: 'Otorhinolaryngology',
  location: 'Level 3',
  anyTime: false,
  days: [day],
};
const appointment: CalendarAppointment = {
  ...anyAppointment({ patientname: doctor.name }),
  ends: '10:30',
  outside: false,
};

test('a column’s head wraps a long name; a block, which has no room, says it whole in its title', () => {
  render(
    <>
      <ColumnHead
        column={{ key: 'one', doctor, day, appointments: [] }}
        today={day.date}
        byDoctor
        hidden={false}
        onMoveDay={undefined}
      />
      <AppointmentBlock
        appointment={appointment}
        movable={false}
        faded={false}
        style={{}}
        item={{}}
        onPointerDown={() => undefined}
        onClick={() => undefined}
      />
    </>,
  );
  for (const text of [doctor.name, doctor.specialization])
    for (const shown of screen.getAllByText(text))
      expect(shown.closest('[title]')?.getAttribute('title')?.includes(text) ?? !shown.closest('.truncate')).toBe(true);
  expect(screen.getByText(doctor.specialization).className).toContain('wrap-anywhere');
});
