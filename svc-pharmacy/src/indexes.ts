import type { IndexPlan } from '@clinic/service-kit';

/** The indexes behind every query of this service; a test checks with `explain` that each query uses one. */
export const indexes: IndexPlan = {
  medicines: [
    { key: { medicineId: 1 }, unique: true },
    { key: { nameKey: 1, _id: 1 } },
    { key: { nameParts: 1 } },
    { key: { status: 1, nameKey: 1, _id: 1 } },
    { key: { category: 1, nameKey: 1, _id: 1 } },
    { key: { expiryDate: 1, _id: 1 } },
    { key: { quantity: 1, _id: 1 } },
    { key: { pharmacistEmail: 1 } },
    { key: { pharmacistId: 1 } },
    { key: { archived: 1, nameKey: 1, _id: 1 }, partialFilterExpression: { archived: true }, name: 'archived' },
  ],
  movements: [{ key: { medicine: 1, place: -1, _id: -1 } }],
  stockRequests: [
    { key: { medicine: 1, accountId: 1 }, unique: true },
    { key: { accountId: 1, askedAt: -1, _id: -1 } },
    { key: { email: 1 } },
  ],
  orders: [
    { key: { number: 1 } },
    { key: { recipientKeys: 1 } },
    { key: { orderDate: -1, _id: -1 } },
    { key: { status: 1, orderDate: -1, _id: -1 } },
    { key: { customerId: 1, orderDate: -1, _id: -1 } },
    { key: { customerId: 1, status: 1, orderDate: -1, _id: -1 } },
    { key: { customerEmail: 1, orderDate: -1, _id: -1 } },
    { key: { customerEmail: 1, status: 1, orderDate: -1, _id: -1 } },
    // Orders that may expire, and those that staff review first; few at a time.
    { key: { heldUntil: 1 }, partialFilterExpression: { status: 'pending' }, name: 'held' },
    { key: { unusual: 1, orderDate: -1, _id: -1 }, partialFilterExpression: { unusual: true }, name: 'unusual' },
    // The medicines of pending orders.
    { key: { 'items.medicineId': 1 }, partialFilterExpression: { status: 'pending' }, name: 'held_medicines' },
    // Cancelled orders that still have their details.
    {
      key: { orderDate: 1 },
      partialFilterExpression: { status: 'Cancelled', deliveryAddress: { $gt: '' } },
      name: 'cancelled_details',
    },
    {
      key: { orderDate: 1 },
      partialFilterExpression: { status: 'Cancelled', customerPhoneE164: { $gt: '' } },
      name: 'cancelled_phones',
    },
    // Orders on their way whose customers are deleted.
    { key: { erasedAt: 1 }, partialFilterExpression: { erasedAt: { $exists: true } }, name: 'erased_on_the_way' },
    // For the staff's search by email prefix within one status.
    { key: { status: 1, customerEmail: 1, orderDate: -1, _id: -1 } },
  ],
  orderTallies: [{ key: { day: 1 } }],
  medicineTallies: [{ key: { span: 1 } }],
};
