import type { ClinicMoment } from '@clinic/contracts/clinic-time';

/** The words of messages in one language. Names of people, medicines and places stay as typed. */
export interface Words {
  /** Turns a subject into the message's first sentence. */
  readonly sentence: (subject: string) => string;
  /** Day and time without the year, for subjects. */
  readonly shortMoment: (moment: ClinicMoment) => string;
  readonly longMoment: (moment: ClinicMoment) => string;
  readonly count: (number: number) => string;
  /** @param minor - minor units. @param sign - of the currency */
  readonly amount: (minor: number, sign: string) => string;
  readonly footer: FooterWords;
  readonly appointments: AppointmentWords;
  readonly orders: OrderWords;
  readonly account: AccountWords;
}

interface FooterWords {
  /** Instead of `stop`, in messages that people can't switch off. */
  readonly alwaysSent: string;
  readonly stop: string;
  readonly preferences: string;
}

/** Parameters that are moments have the form of `shortMoment`. */
interface AppointmentWords {
  /** Names of details. */
  readonly doctor: string;
  readonly when: string;
  readonly whenByClinic: string;
  /** @param zone - the reader's, such as `America/New York` */
  readonly whenByReader: (zone: string) => string;
  readonly where: string;
  readonly wasOn: string;
  readonly bring: string;
  readonly notConfirmed: string;
  readonly move: string;
  readonly cancel: string;
  readonly open: string;
  /** Subjects. */
  readonly booked: (when: string) => string;
  readonly confirmed: (when: string) => string;
  readonly moved: (when: string) => string;
  readonly reminder: (when: string) => string;
  readonly cancelled: (when: string) => string;
  readonly movedFrom: (was: string) => string;
  readonly ifYouCannotCome: string;
  readonly afterCancelling: string;
  readonly bookAnother: string;
  readonly offer: {
    readonly subject: (when: string) => string;
    readonly lead: (doctor: string) => string;
    readonly until: string;
    readonly otherwise: string;
    readonly open: string;
  };
  /** In the reader's calendar. */
  readonly calendarEntry: (doctor: string) => string;
}

/** Orders are given by their number, without `#`. */
interface OrderWords {
  /** Names of details. */
  readonly order: string;
  readonly medicines: string;
  readonly total: string;
  readonly open: string;
  /** Subjects. */
  readonly placed: (number: string) => string;
  readonly shipped: (number: string) => string;
  readonly cancelled: (number: string) => string;
  readonly afterPlacing: string;
  readonly afterShipping: string;
  readonly afterCancelling: string;
  readonly back: {
    /** Replaces a medicine's name where that would reveal too much. */
    readonly someMedicine: string;
    readonly subject: (medicine: string) => string;
    readonly orderSoon: string;
    readonly open: string;
  };
}

interface AccountWords {
  /** @param role - may be one that this release doesn't know */
  readonly role: (role: string) => string;
  /** @param device - in English, as svc-identity names it: `Chrome on Android`, `Unknown browser` */
  readonly device: (device: string) => string;
  readonly invitation: {
    readonly subject: (clinic: string) => string;
    readonly role: string;
    readonly until: string;
    readonly accept: string;
    readonly unexpected: string;
    readonly open: string;
  };
  readonly address: {
    readonly subject: string;
    readonly lead: string;
    readonly email: string;
    readonly why: (clinic: string) => string;
    readonly unexpected: string;
    readonly confirm: string;
  };
  readonly password: {
    readonly subject: string;
    readonly lead: (clinic: string) => string;
    readonly account: string;
    readonly once: string;
    readonly unexpected: string;
    readonly choose: string;
  };
  readonly newDevice: {
    readonly subject: string;
    readonly lead: string;
    readonly device: string;
    readonly when: string;
    readonly ifYou: string;
    readonly ifNotYou: string;
    readonly open: string;
  };
  readonly newRole: {
    readonly subject: (clinic: string) => string;
    readonly role: string;
    readonly signInAgain: string;
    readonly open: string;
  };
}
