import type { SuppressionReason } from '../contract/kinds.ts';
import type { MessageLanguage } from '../contract/languages.ts';
import type { ClaimedMessage } from './claim.ts';

/** What to do with a message now. */
export type Verdict =
  | {
      readonly act: 'send';
      /** The address it goes to. */
      readonly email: string;
      readonly data: ClaimedMessage['data'];
      readonly language: MessageLanguage;
      readonly timeZone?: string;
    }
  | { readonly act: 'suppress'; readonly reason: SuppressionReason }
  | { readonly act: 'wait'; readonly until: Date };

export type Sending = Extract<Verdict, { readonly act: 'send' }>;

/** Milliseconds before a service that is unavailable is asked again. */
export const askAgainAfter = 5_000;

export const suppress = (reason: SuppressionReason): Verdict => ({ act: 'suppress', reason });
