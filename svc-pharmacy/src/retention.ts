import type { RetentionRule, SettingsOf } from '@clinic/service-kit';
import type { settings as spec } from './settings.ts';

/** Retention rules of the pharmacy. */
export function retention({ settings }: { readonly settings: SettingsOf<typeof spec> }): readonly RetentionRule[] {
  return [
    {
      what: 'details of cancelled orders',
      collection: 'orders',
      keptDays: settings.PHARMACY_CANCELLED_DETAILS_KEPT_DAYS,
      over: (before) => [{ status: 'Cancelled', deliveryAddress: { $gt: '' }, orderDate: { $lt: before } }],
      // The order itself stays, as part of the customer's own record and of the report.
      empty: { deliveryAddress: '', customerPhone: '', recipientName: '', recipientKeys: [] },
    },
  ];
}
