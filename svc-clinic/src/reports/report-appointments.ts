import { leftVisits } from '../attendance/attendance-record.ts';
import type { AttendanceState } from '../contract/attendance.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { daysOf, reportPeriod, type Handler, type ReportPeriod } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import { slotHoldingStatuses, type AppointmentStatus } from '../contract/transitions.ts';
import type { ClinicContext } from '../settings.ts';
import { sumRollups } from './appointment-rollups.ts';

/** Number of appointments by status. */
interface Counts {
  readonly pending: number;
  readonly confirmed: number;
  readonly cancelled: number;
}

/** Specialty of doctors without a profile. */
const noSpecialty = 'Other';

const none: Counts = { pending: 0, confirmed: 0, cancelled: 0 };

/** Appointments of a period, by the day they take place. */
export const reportAppointments = (context: ClinicContext): Handler<'reportAppointments'> => {
  const collections = collectionsOf(context.db);
  return ({ query }) => {
    const period = reportPeriod(query, context.settings.CLINIC_TZ);
    // One snapshot, so that the parts of the report add up despite concurrent bookings.
    return context.inTransaction((session) => appointmentReport(collections, period, session));
  };
};

async function appointmentReport(
  collections: ClinicCollections,
  period: ReportPeriod,
  session: ClientSession,
): Promise<AppointmentReport> {
  const ofDays = await countBy(collections, 'date', period, session);
  const ofDoctors = await countBy(collections, 'doctorEmail', period, session);
  const byDay = daysOf(period).map((date) => ({ date, ...withTotal(ofDays.get(date) ?? none) }));
  const byDoctor = await nameDoctors(collections, ofDoctors, session);
  const { total: all, ...states } = withTotal(sumOf([...ofDays.values()]));
  return {
    ...period,
    totals: { all, ...states },
    byDay,
    bySpecialty: bySpecialty(byDoctor),
    byDoctor,
    attendance: await attendanceOf(collections, period, session),
    walkIns: await countWalkIns(collections, period, session),
    cancellations: { count: states.cancelled, rate: all === 0 ? 0 : states.cancelled / all },
  };
}

const countWalkIns = (
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { from, to }: ReportPeriod,
  session: ClientSession,
): Promise<number> =>
  appointments.countDocuments(
    { walkIn: true, date: { $gte: from, $lte: to }, status: { $in: [...slotHoldingStatuses] } },
    { session },
  );

/** Who came, who didn't, and how long patients waited. */
async function attendanceOf(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { from, to }: ReportPeriod,
  session: ClientSession,
): Promise<AppointmentReport['attendance']> {
  const groups = await appointments
    .aggregate<{ readonly _id: { readonly state: AttendanceState; readonly waited?: number }; readonly count: number }>(
      [
        {
          $match: {
            date: { $gte: from, $lte: to },
            'attendance.state': { $in: ['with doctor', 'finished', 'missed'] satisfies AttendanceState[] },
          },
        },
        { $group: { _id: { state: '$attendance.state', waited: '$attendance.waited' }, count: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const left = await appointments.countDocuments({ ...leftVisits, date: { $gte: from, $lte: to } }, { session });
  const sum = (of: typeof groups): number => of.reduce((total, { count }) => total + count, 0);
  const seen = groups.filter(({ _id }) => _id.state !== 'missed');
  const waits = seen
    .flatMap(({ _id: { waited }, count }) => (typeof waited === 'number' ? [{ waited, count }] : []))
    .toSorted((one, other) => one.waited - other.waited);
  const [median, ninetieth] = [waitOf(waits, 0.5), waitOf(waits, 0.9)];
  return {
    seen: sum(seen),
    missed: sum(groups) - sum(seen) - left,
    ...(median !== undefined && ninetieth !== undefined && { waiting: { median, ninetieth } }),
  };
}

/** The least number of minutes that this share of patients waited no longer than. @param waits - shortest first */
function waitOf(
  waits: readonly { readonly waited: number; readonly count: number }[],
  share: number,
): number | undefined {
  const all = waits.reduce((total, { count }) => total + count, 0);
  let passed = 0;
  return waits.find(({ count }) => (passed += count) >= all * share)?.waited;
}

/** Counts of the period by day or by doctor. */
async function countBy(
  { appointmentTallies }: ClinicCollections,
  field: 'date' | 'doctorEmail',
  { from, to }: ReportPeriod,
  session: ClientSession,
): Promise<Map<string, Counts>> {
  const rows = await appointmentTallies
    .aggregate<Record<AppointmentStatus, number> & { readonly _id: string }>(sumRollups(field, from, to), { session })
    .toArray();
  const counts = rows.map(
    ({ _id, Pending, Confirmed, Cancelled }) =>
      [_id, { pending: Pending, confirmed: Confirmed, cancelled: Cancelled }] as const,
  );
  return new Map(counts.filter(([, { pending, confirmed, cancelled }]) => pending + confirmed + cancelled > 0));
}

async function nameDoctors(
  collections: ClinicCollections,
  counts: ReadonlyMap<string, Counts>,
  session: ClientSession,
): Promise<AppointmentReport['byDoctor']> {
  const profiles = await collections.doctors
    .find({ email: { $in: [...counts.keys()] } }, { session, projection: { name: 1, email: 1, specialization: 1 } })
    .toArray();
  const profileOf = new Map(profiles.map((profile) => [profile.email, profile]));
  const named: AppointmentReport['byDoctor'] = [];
  for (const [email, ofDoctor] of counts) {
    const profile = profileOf.get(email);
    const name = profile?.name ?? (await lastKnownName(collections, email, session));
    named.push({
      id: profile?._id.toHexString() ?? null,
      name,
      email,
      specialty: profile?.specialization ?? noSpecialty,
      ...withTotal(ofDoctor),
    });
  }
  return named.toSorted((a, b) => b.total - a.total || a.name.localeCompare(b.name));
}

/** The name on the appointments of a doctor without a profile. */
async function lastKnownName(
  { appointments }: ClinicCollections,
  doctorEmail: string,
  session: ClientSession,
): Promise<string> {
  const appointment = await appointments.findOne({ doctorEmail }, { session, projection: { doctorName: 1 } });
  return appointment?.doctorName ?? doctorEmail;
}

function bySpecialty(doctors: AppointmentReport['byDoctor']): AppointmentReport['bySpecialty'] {
  const groups = [...Map.groupBy(doctors, ({ specialty }) => specialty)];
  const rows = groups.map(([specialty, members]) => {
    const { total, cancelled } = withTotal(sumOf(members));
    return { specialty, total, cancelled };
  });
  return rows.toSorted((a, b) => b.total - a.total || a.specialty.localeCompare(b.specialty));
}

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, { pending, confirmed, cancelled }) => ({
      pending: sum.pending + pending,
      confirmed: sum.confirmed + confirmed,
      cancelled: sum.cancelled + cancelled,
    }),
    none,
  );
}

function withTotal({ pending, confirmed, cancelled }: Counts): Counts & { readonly total: number } {
  return { total: pending + confirmed + cancelled, pending, confirmed, cancelled };
}
