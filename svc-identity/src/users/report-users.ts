import { roles, type Role } from '@clinic/contracts';
import type { UserReport } from '../contract/reports.ts';
import { daysOf, reportPeriod, type ReportPeriod } from '@clinic/service-kit';
import type { ClientSession, Document } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from './user-record.ts';
import { userRollupsOf } from './user-rollups.ts';

interface DayRow {
  readonly _id: string;
  readonly count: number;
}

/** The report's pipelines over users and their rollups; each uses an index. */
export function userPipelines({ from, to }: ReportPeriod) {
  return {
    ofRole: (role: Role): Document[] => [{ $match: { role } }, { $count: 'count' }],
    newByDay: [
      { $match: { day: { $gte: from, $lte: to } } },
      { $group: { _id: '$day', count: { $sum: '$created' } } },
    ] satisfies Document[],
  };
}

/** How many users there are, and how many registered in a period. */
export function reportUsers(
  context: IdentityContext,
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<UserReport> {
  const period = reportPeriod(query, context.settings.CLINIC_TZ);
  // One snapshot, so that the parts of the report add up despite concurrent registrations.
  return context.inTransaction((session) => userReport(context, period, session));
}

async function userReport(context: IdentityContext, period: ReportPeriod, session: ClientSession): Promise<UserReport> {
  const users = usersOf(context);
  const { ofRole, newByDay } = userPipelines(period);
  const byRole: Record<Role, number> = { admin: 0, doctor: 0, patient: 0, pharmacist: 0 };
  for (const role of roles) {
    const [counted] = await users.aggregate<{ readonly count: number }>(ofRole(role), { session }).toArray();
    byRole[role] = counted?.count ?? 0;
  }
  const rows = await userRollupsOf(context).aggregate<DayRow>(newByDay, { session }).toArray();
  const countOf = new Map(rows.map(({ _id, count }) => [_id, count]));
  return {
    ...period,
    total: roles.reduce((sum, role) => sum + byRole[role], 0),
    byRole,
    created: rows.reduce((sum, { count }) => sum + count, 0),
    newByDay: daysOf(period).map((date) => ({ date, count: countOf.get(date) ?? 0 })),
  };
}
