import type { MessageLanguage } from '../contract/languages.ts';
import type { Words } from './words/english.ts';

/** A link and its text. */
export interface WordedLink {
  readonly label: string;
  readonly url: string;
}

/** The contents of a mail, before it is laid out as text or as HTML. */
export interface MessageWords {
  /** What happened. */
  readonly subject: string;
  /** The fact, as the first line. */
  readonly lead: string;
  /** Details by name, such as the doctor and the time. */
  readonly facts?: readonly Fact[];
  readonly paragraphs?: readonly string[];
  /** What most readers do next. */
  readonly button?: WordedLink | undefined;
  readonly links?: readonly WordedLink[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** The sender: the clinic as named in mails. */
interface ClinicIdentity {
  readonly name: string;
  readonly address: string;
  readonly phone: string;
  readonly email: string;
  /** IANA name of the clinic's time zone, or an offset such as `+06:00`. */
  readonly zone: string;
  /** Origin of the clinic's pages, without a slash at its end. */
  readonly url: string;
}

/** Links of one mail, signed by `writeMessage`. */
interface MessageLinks {
  /** Cancels the appointment, after a confirmation. */
  readonly cancel?: string | undefined;
  /** Says that the patient will come, who is asked to; only in reminders. */
  readonly come?: string | undefined;
  /** Says on the day that the patient is here; only in reminders. */
  readonly arrive?: string | undefined;
  /** Chooses another time. */
  readonly move?: string | undefined;
  /** Unsubscribes from this kind with one click; absent if it can't be switched off. */
  readonly unsubscribe?: string | undefined;
  /** The page of people's own preferences. */
  readonly preferences: string;
}

/** What every message depends on besides its data. */
export interface MessageSetting {
  readonly language: MessageLanguage;
  readonly to: {
    readonly email: string;
    readonly name?: string | undefined;
    /** IANA name of the reader's time zone, if it isn't the clinic's. */
    readonly timeZone?: string | undefined;
  };
  readonly clinic: ClinicIdentity;
  readonly links: MessageLinks;
  /** `full`: also names of medicines, which reveal somebody's health. */
  readonly detail: 'minimal' | 'full';
}

/** What all templates get besides their data. */
export interface Setting extends MessageSetting {
  /** Words of the reader's language. */
  readonly words: Words;
}
