import type { OrderStatus } from '../contract/transitions.ts';

/**
 * An order of the demo pharmacy: the index of the demo patient, where 0 is the demo account, and units by the medicine's
 * position in the demo inventory, starting at 1.
 */
export type DemoOrder = readonly [
  customer: number,
  hoursAgo: number,
  status: OrderStatus,
  ...lines: (readonly [medicine: number, quantity: number])[],
];

/** Twenty-five orders with every status, from the last hour back over about five weeks; seven are the demo patient's. */
export const demoOrders: readonly DemoOrder[] = [
  [1, 1, 'pending', [1, 2], [13, 1]],
  [0, 3, 'pending', [17, 10], [32, 30], [24, 1]],
  [4, 5, 'pending', [6, 1], [7, 1]],
  [8, 9, 'pending', [8, 2], [12, 60], [10, 1], [11, 1]],
  [2, 20, 'Shipped', [26, 2]],
  [0, 27, 'Shipped', [20, 1], [19, 2]],
  [9, 33, 'pending', [34, 12]],
  [6, 46, 'Shipped', [33, 1], [32, 60]],
  [3, 58, 'Shipped', [6, 2], [8, 2], [7, 2]],
  [5, 75, 'Cancelled', [21, 1]],
  [10, 92, 'Delivered', [2, 2], [23, 3]],
  [7, 118, 'Delivered', [3, 1], [25, 1]],
  [0, 142, 'Delivered', [1, 3], [2, 1]],
  [11, 170, 'Delivered', [4, 1]],
  [4, 196, 'Delivered', [22, 1], [27, 1]],
  [1, 220, 'Cancelled', [14, 2]],
  [8, 263, 'Delivered', [11, 1], [12, 60]],
  [0, 310, 'Cancelled', [19, 1]],
  [2, 365, 'Delivered', [35, 1], [26, 1]],
  [6, 410, 'Delivered', [16, 10], [34, 20]],
  [9, 480, 'Delivered', [5, 1], [15, 2]],
  [0, 560, 'Delivered', [24, 2], [33, 1], [1, 1]],
  [3, 655, 'Delivered', [6, 2], [8, 2], [7, 2], [12, 60]],
  [5, 740, 'Cancelled', [29, 50]],
  [0, 890, 'Delivered', [13, 2], [25, 1]],
];

/** The demo patients' addresses, by index. */
export const demoAddresses: readonly string[] = [
  'House 14, Road 7, Dhanmondi, Dhaka 1205',
  '22/3 Mirpur Road, Shyamoli, Dhaka 1207',
  'Apartment 5B, Lake View, Gulshan 2, Dhaka 1212',
  '9 Agrabad Avenue, Chattogram 4100',
  'House 31, Sector 11, Uttara, Dhaka 1230',
  '4 Embassy Row, Baridhara, Dhaka 1212',
  '117 Elephant Road, Dhaka 1205',
  'Flat 2C, Rose Garden, Banani, Dhaka 1213',
  '8 Zindabazar Lane, Sylhet 3100',
  '56 Station Road, Khulna 9100',
  'House 3, Road 27, Mohammadpur, Dhaka 1207',
  '19 Shaheb Bazar, Rajshahi 6100',
];
