// `npm run bench -w @clinic/svc-clinic`: measures the appointments report, and the cost of its rollups per booking.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { addDays, appointmentStatuses } from '@clinic/contracts';
import type { AppointmentRecord } from '../src/appointments/appointment-record.ts';
import { keepAppointmentRollups } from '../src/reports/appointment-rollups.ts';
import { startTestClinic, storedAppointment } from '../src/testing/test-clinic.ts';

/** The best of several measurements, because the machine does other work too. */
export interface Measured {
  readonly what: string;
  readonly milliseconds: number;
}

/** Time budget of a report, milliseconds. */
export const reportBudget = 300;

const doctors = 50;
const tries = 5;
const firstDay = '2026-01-01';
const days = 365;

function appointmentOf(n: number): AppointmentRecord {
  // Cycles through all doctors' slots, so that none is taken twice.
  const slot = Math.floor(n / doctors);
  const round = Math.floor(slot / days);
  return storedAppointment({
    patientEmail: `patient${n % 5_000}@mail.example`,
    doctorEmail: `doctor${n % doctors}@clinic.example`,
    date: addDays(firstDay, slot % days),
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
    for (let from = 0; from < records; from += 2_000) {
      await clinic.appointments.insertMany(
        Array.from({ length: Math.min(2_000, records - from) }, (_, index) => appointmentOf(from + index)),
      );
    }
    const begun = performance.now();
    await keepAppointmentRollups(clinic.context);
    const counting = performance.now() - begun;
    const measured: Measured[] = [];
    for (const [what, from, to] of [
      ['reportAppointments, 30 days', '2026-05-12', '2026-06-10'],
      ['reportAppointments, a year', firstDay, addDays(firstDay, days - 1)],
    ] as const) {
      const times: number[] = [];
      for (let turn = 0; turn < tries; turn += 1) {
        const start = performance.now();
        const answer = await clinic.as('admin')(`/appoinments/report?from=${from}&to=${to}`);
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`the report answered ${answer.status}`);
        times.push(performance.now() - start);
      }
      measured.push({ what, milliseconds: Math.min(...times) });
    }
    return [...measured, { what: 'counting all again, at the start after an update', milliseconds: counting }];
  } finally {
    await clinic.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const records = Number(process.argv[2] ?? 100_000);
  console.log(`${records} appointments, at most ${reportBudget} ms for a report`);
  for (const { what, milliseconds } of await measureReports(records))
    console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
}
