import { draftOf as draftOfForm, keepDraft as keepFormDraft } from '@clinic/app-kit';

/** The delivery details of an order. */
export interface DeliveryDetails {
  /** Who gets the parcel; empty: the account's own name is used. */
  readonly name: string;
  readonly phone: string;
  readonly address: string;
}

const blank: DeliveryDetails = { name: '', phone: '', address: '' };

const keyOf = (email: string): string => `order ${email}`;

/** What this customer has typed so far: the form is removed with the cart's dialog, and while the session is being checked. */
export function draftOf(email: string): DeliveryDetails {
  return { ...blank, ...draftOfForm<DeliveryDetails>(keyOf(email)) };
}

/** Keeps it for the life of the page, for this customer only. */
export function keepDraft(email: string, details: Partial<DeliveryDetails>): void {
  keepFormDraft(keyOf(email), { ...blank, ...details });
}

/** Called when the order is made. */
export function forgetDraft(email: string): void {
  keepFormDraft(keyOf(email));
}
