// What browsers may load: no schemas, so no validator. Servers import `@clinic/contracts/calls` for the whole table.
export * from './access.ts';
export * from './brand.ts';
export * from './clinic-time.ts';
export * from './ids.ts';
export * from './limits.ts';
export type { AdjustReason, MovementReason } from './pharmacy/stock-reasons.ts';
export * from './money.ts';
export * from './pages.ts';
export * from './problems.ts';
export * from './remotes.ts';
export * from './roles.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './transitions.ts';
export type * from './calls.ts';
export type { Appointment, Doctor, FreeDays, FreeTimes, Pharmacist } from './clinic/schemas.ts';
export type {
  Holiday,
  OutsideAppointment,
  Schedule,
  ScheduledDay,
  ScheduleException,
  SchedulePeriod,
  WeeklySpan,
} from './clinic/schedule-schemas.ts';
export type { WaitlistEntry, WaitlistOffer } from './clinic/waitlist-schemas.ts';
export type { CalendarAppointment, CalendarDay, CalendarDoctor, ClinicCalendar } from './clinic/calendar-schemas.ts';
export type { PlannedDate } from './clinic/series-schemas.ts';
export type { AccessAction } from './event-actions.ts';
export type {
  AccessEvent,
  Deletion,
  Invitation,
  OpenSession,
  Session,
  SessionUser,
  StaffProfile,
  User,
} from './identity/schemas.ts';
export type { Deployment } from './identity/deployment-schemas.ts';
export type { Look } from './schemas/looks.ts';
export type { HistoryEntry, RecordEvent } from './schemas/history.ts';
export type { AppointmentReport } from './clinic/reports.ts';
export type { OrderReport, StockReport } from './pharmacy/reports.ts';
export type { UserReport } from './identity/reports.ts';
export type { Order, OrderItem, Prescription } from './pharmacy/order-schemas.ts';
export type { Movement, StockCheck } from './pharmacy/stock-schemas.ts';
export type { Medicine, StockRequest } from './pharmacy/schemas.ts';
