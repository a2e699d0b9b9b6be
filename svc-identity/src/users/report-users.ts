import { roles, type Role, type UserReport } from '@clinic/contracts';
import { dayExpression, daysOf, instantsOf, reportPeriod, type ReportPeriod } from '@clinic/service-kit';
import type { ClientSession, Document } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from './user-record.ts';

interface DayRow {
  readonly _id: string;
  readonly count: number;
}

/** The pipelines of the report; an index leads each. */
export function userPipelines(period: ReportPeriod) {
  return {
    ofRole: (role: Role): Document[] => [{ $match: { role } }, { $count: 'count' }],
    newByDay: [{ $match: { createdAt: instantsOf(period) } }, { $group: { _id: dayExpression('$createdAt', period), count: { $sum: 1 } } }],
  };
}

/** Who has an account, and who came in a period. */
export function reportUsers(context: IdentityContext, query: { readonly from?: string | undefined; readonly to?: string | undefined }): Promise<UserReport> {
  const period = reportPeriod(query, context.settings.CLINIC_TZ);
  // One snapshot: the parts of a report add up, whoever comes meanwhile.
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
  const rows = await users.aggregate<DayRow>(newByDay, { session }).toArray();
  const countOf = new Map(rows.map(({ _id, count }) => [_id, count]));
  return {
    ...period,
    total: roles.reduce((sum, role) => sum + byRole[role], 0),
    byRole,
    created: rows.reduce((sum, { count }) => sum + count, 0),
    newByDay: daysOf(period).map((date) => ({ date, count: countOf.get(date) ?? 0 })),
  };
}
