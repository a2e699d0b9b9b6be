// `npm run bench -- reports`: measures the appointments report.
import { addDays } from '@clinic/contracts';
import { measure, store, year, type Measured } from '../../bench/src/support/report-measurements.ts';
import type { AppointmentRecord } from '../src/appointments/appointment-record.ts';
import { appointmentStatuses } from '../src/contract/transitions.ts';
import { keepAppointmentRollups } from '../src/reports/appointment-rollups.ts';
import { startTestClinic, storedAppointment } from '../src/testing/test-clinic.ts';

const doctors = 50;

function appointmentOf(n: number): AppointmentRecord {
  // Cycles through all doctors' slots, so that none is taken twice.
  const slot = Math.floor(n / doctors);
  const round = Math.floor(slot / year.days);
  return storedAppointment({
    patientEmail: `patient${n % 5_000}@mail.example`,
    doctorEmail: `doctor${n % doctors}@clinic.example`,
    date: addDays(year.firstDay, slot % year.days),
    time: `${String(8 + Math.floor(round / 60)).padStart(2, '0')}:${String(round % 60).padStart(2, '0')}`,
    status: appointmentStatuses[n % appointmentStatuses.length] ?? 'Pending',
  });
}

/**
 * Measures over real HTTP on the embedded database.
 *
 * @param records - appointments, spread over a year and fifty doctors
 */
export async function measureReports(records: number): Promise<Measured[]> {
  const clinic = await startTestClinic({ LOG_LEVEL: 'warn' });
  try {
    await store(clinic.appointments, records, appointmentOf);
    return await measure(() => keepAppointmentRollups(clinic.context), clinic.as('admin'), [
      ['reportAppointments, 30 days', '/appoinments/report?from=2026-05-12&to=2026-06-10'],
      ['reportAppointments, a year', `/appoinments/report?from=${year.firstDay}&to=${year.lastDay}`],
    ]);
  } finally {
    await clinic.close();
  }
}
