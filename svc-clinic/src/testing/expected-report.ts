import { addDays } from '@clinic/contracts';
import type { Appointment, Doctor } from '../contract/schemas.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { appointmentStatuses } from '../contract/transitions.ts';
import { admin } from './people.ts';
import { read, type TestClinic } from './test-clinic.ts';

/**
 * The report of appointments, computed from the raw lists.
 *
 * @param from - first day, 'yyyy-mm-dd'
 * @param to - last day, inclusive
 */
export async function expectedReport(
  clinic: Pick<TestClinic, 'as'>,
  from: string,
  to: string,
): Promise<AppointmentReport> {
  const appointments = (await read<Appointment[]>(clinic.as(admin), '/appoinments')).filter(
    ({ date }) => date >= from && date <= to,
  );
  const profiles = await read<Doctor[]>(clinic.as(admin), '/doctors');
  const countsOf = (of: readonly Appointment[]) => {
    const [pending = 0, confirmed = 0, cancelled = 0] = appointmentStatuses.map(
      (status) => of.filter((each) => each.status === status).length,
    );
    return { total: of.length, pending, confirmed, cancelled };
  };
  const byDay: AppointmentReport['byDay'] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    byDay.push({ date, ...countsOf(appointments.filter((each) => each.date === date)) });
  const mostFirst = <T extends { readonly total: number }>(rows: readonly T[], name: (row: T) => string): T[] =>
    rows.filter(({ total }) => total > 0).toSorted((a, b) => b.total - a.total || name(a).localeCompare(name(b)));
  const { total: all, ...states } = countsOf(appointments);
  return {
    from,
    to,
    timeZone: 'Asia/Dhaka',
    totals: { all, ...states },
    byDay,
    byDoctor: mostFirst(
      profiles.map(({ _id, name, email, specialty }) => ({
        id: _id,
        name,
        email,
        specialty,
        ...countsOf(appointments.filter(({ doctoremail }) => doctoremail === email)),
      })),
      ({ name }) => name,
    ),
    bySpecialty: mostFirst(
      [...new Set(profiles.map(({ specialty }) => specialty))].map((specialty) => {
        const { total, cancelled } = countsOf(
          appointments.filter(
            ({ doctoremail }) => profiles.find(({ email }) => email === doctoremail)?.specialty === specialty,
          ),
        );
        return { specialty, total, cancelled };
      }),
      ({ specialty }) => specialty,
    ),
    attendance: {
      seen: appointments.filter(({ attendance }) => attendance?.state === 'finished').length,
      missed: appointments.filter(({ attendance }) => attendance?.state === 'missed' && !attendance.arrivedAt).length,
    },
    walkIns: appointments.filter(({ walkIn, status }) => walkIn === true && status !== 'Cancelled').length,
    cancellations: { count: states.cancelled, rate: all === 0 ? 0 : states.cancelled / all },
  };
}
