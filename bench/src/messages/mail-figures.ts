/** The reminders that the mail server has received. */
export interface MailFigures {
  /** Addresses that have a reminder. */
  readonly people: number;
  /** All reminders; more than people if some came twice. */
  readonly mails: number;
  /** When the last one came, milliseconds since 1970. */
  readonly lastAt: number;
}

/** The address of a patient who is reminded; each has one appointment. */
export const remindedAddress = (index: number): string => `reminded${index}@mail.example`;

/** Whether somebody has an appointment to be reminded of, as opposed to those who book meanwhile. */
export const isReminded = (address: string): boolean => address.startsWith('reminded');
