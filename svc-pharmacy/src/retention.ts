import type { RetentionRule, SettingsOf } from '@clinic/service-kit';
import type { settings as spec } from './settings.ts';

/** Days after which an order on its way loses a deleted customer's recipient, address and phone, arrived or not. */
const onTheWayDays = 30;

/** Retention rules of the pharmacy. */
export function retention({ settings }: { readonly settings: SettingsOf<typeof spec> }): readonly RetentionRule[] {
  return [
    {
      what: 'details of cancelled orders',
      collection: 'orders',
      keptDays: settings.PHARMACY_CANCELLED_DETAILS_KEPT_DAYS,
      over: (before) => [
        { status: 'Cancelled', deliveryAddress: { $gt: '' }, orderDate: { $lt: before } },
        // The previous release empties all but the number in international form, of which it doesn't know.
        { status: 'Cancelled', customerPhoneE164: { $gt: '' }, orderDate: { $lt: before } },
      ],
      // The order itself stays, as part of the customer's own record and of the report.
      empty: { deliveryAddress: '', customerPhone: '', customerPhoneE164: '', recipientName: '', recipientKeys: [] },
    },
    {
      what: 'details of deleted customers’ orders on their way',
      collection: 'orders',
      keptDays: onTheWayDays,
      over: (before) => [{ erasedAt: { $lt: before } }],
      empty: { deliveryAddress: '', customerPhone: '' },
      remove: ['erasedAt', 'recipientName'],
    },
  ];
}
