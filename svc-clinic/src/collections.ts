import type { Db } from 'mongodb';
import type { AppointmentRecord } from './appointments/appointment-record.ts';
import type { DoctorRecord } from './doctors/doctor-record.ts';
import type { CalendarFeedRecord } from './calendar-feeds/calendar-feed-record.ts';
import type { ArrivalCodeRecord, ArrivalNumbersRecord } from './attendance/attendance-record.ts';
import type { WaitingScreenRecord } from './attendance/waiting-screen-record.ts';
import type { QuestionFormRecord } from './questions/question-record.ts';
import type { PharmacistRecord } from './pharmacists/pharmacist-record.ts';
import type { AppointmentRollup } from './reports/rollup-record.ts';
import type { HolidaysRecord } from './schedule/hours-record.ts';
import type { FreedRecord, OfferRecord, WaitlistRecord } from './waitlist/waitlist-record.ts';

/** The typed collections of the clinic's database. */
export function collectionsOf(db: Db) {
  return {
    doctors: db.collection<DoctorRecord>('doctors'),
    pharmacists: db.collection<PharmacistRecord>('pharmacists'),
    appointments: db.collection<AppointmentRecord>('appointments'),
    calendarFeeds: db.collection<CalendarFeedRecord>('calendarFeeds'),
    holidays: db.collection<HolidaysRecord>('holidays'),
    waitlist: db.collection<WaitlistRecord>('waitlist'),
    waitlistOffers: db.collection<OfferRecord>('waitlistOffers'),
    arrivalCodes: db.collection<ArrivalCodeRecord>('arrivalCodes'),
    arrivalNumbers: db.collection<ArrivalNumbersRecord>('arrivalNumbers'),
    waitingScreens: db.collection<WaitingScreenRecord>('waitingScreens'),
    questionForms: db.collection<QuestionFormRecord>('questionForms'),
    freedTimes: db.collection<FreedRecord>('freedTimes'),
    appointmentTallies: db.collection<AppointmentRollup>('appointmentTallies'),
  };
}

export type ClinicCollections = ReturnType<typeof collectionsOf>;
