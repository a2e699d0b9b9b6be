/** The reminders that the mail server has received. */
export interface MailFigures {
  /** Addresses that got a reminder. */
  readonly people: number;
  /** All reminders; more than people if some came twice. */
  readonly mails: number;
  /** When the last one came, milliseconds since 1970. */
  readonly lastAt: number;
}

/** The address of a patient who is reminded; each has one appointment. */
export const remindedAddress = (index: number): string => `reminded${index}@mail.example`;

/** Whether an address is a reminded patient's, rather than of one who books during the run. */
export const isReminded = (address: string): boolean => address.startsWith('reminded');
