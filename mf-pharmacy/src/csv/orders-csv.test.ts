import { writeOrders } from './write-csv.ts';

test('orders are written for a courier: who gets each, where, and what to collect', () => {
  const order = {
    _id: 'abcdef'.repeat(4),
    items: [
      {
        medicineId: 'M',
        name: 'Aspirin',
        manufacturer: '',
        quantity: 3,
        unit: 'box',
        pricePerUnit: 0.1,
        expiryDate: '',
      },
    ],
    orderDate: '2026-11-20T20:30:00.000Z',
    status: 'pending' as const,
    deliveryAddress: '5 Lake Road\nDhaka',
    customeremail: 'a@b.example',
    customerPhone: '+880 1555 010400',
    recipientName: '=HYPERLINK("x")',
  };
  const { recipientName: _, ...earlier } = order;
  const [, header, first, second] = /^\uFEFF(.*)\r\n([^]*)\r\n(#ABCDEF[^]*)\r\n$/.exec(
    writeOrders([order, earlier], 'Asia/Dhaka'),
  ) as RegExpExecArray;
  expect(header).toBe('Order,Ordered,Status,Recipient,Address,Phone,Email,Items,Collect in cash');
  expect(first).toContain(
    `pending,"'=HYPERLINK(""x"")","5 Lake Road\nDhaka","'+880 1555 010400",a@b.example,3 × Aspirin,0.3`,
  );
  expect(second).toContain('pending,,"5 Lake Road');
});
