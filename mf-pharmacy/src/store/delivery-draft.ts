/** Where an order goes. */
export interface DeliveryDetails {
  readonly phone: string;
  readonly address: string;
}

const blank: DeliveryDetails = { phone: '', address: '' };

let draft: { readonly email: string; readonly details: DeliveryDetails } | undefined;

/** What this customer has typed so far: the form goes away with the cart's dialog, and while the session is looked at again. */
export function draftOf(email: string): DeliveryDetails {
  return draft?.email === email ? draft.details : blank;
}

/** Keeps it for as long as the page lives; it is nobody else's. */
export function keepDraft(email: string, details: Partial<DeliveryDetails>): void {
  draft = { email, details: { ...blank, ...details } };
}

/** The order is made. */
export function forgetDraft(): void {
  draft = undefined;
}
