import { problemResponse } from '@clinic/app-kit/test-gateway';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../testing/index.tsx';
import { record, open, openStore, service, card, add, addButton, cart, fillAndOrder } from './store-scenario.tsx';

test('only medicines in or low in stock and not expired can be added', async () => {
  await openStore(undefined);
  const enabled = (name: string) => !addButton(name).disabled;
  expect(['Aspirin', 'Ibuprofen', 'Loratadine', 'Erythromycin'].map(enabled)).toEqual([true, true, false, false]);
  expect(card('Erythromycin').getByText('Expired')).toBeTruthy();
  expect(card('Aspirin').getByText('$2.50')).toBeTruthy();
});

test('what its HTML told search engines about medicines leaves with the page', async () => {
  await openStore(undefined);
  const fact = document.createElement('script');
  fact.type = 'application/ld+json';
  fact.dataset['shown'] = '';
  document.head.append(fact);
  cleanup();
  expect(fact.isConnected).toBe(false);
});

const buttonNames = () =>
  screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
    .filter(Boolean);

test('no two buttons have one name, nor have those of medicines with one name', async () => {
  const { catalogue } = service;
  service.catalogue = [...catalogue, record(5, 'Ibuprofen', { manufacturer: 'Beximco' })];
  try {
    await openStore(undefined);
    await userEvent.click(screen.getByRole('button', { name: 'Add to Cart: Ibuprofen, Maker' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add to Cart: Ibuprofen, Beximco' }));
    expect(cart().getByRole('button', { name: 'Remove Ibuprofen, Beximco from the cart' })).toBeTruthy();
    const names = buttonNames();
    expect([...new Set(names)]).toEqual(names);
  } finally {
    service.catalogue = catalogue;
  }
});

test('no two buttons have one name, and the one of what is in the cart says so', async () => {
  await openStore(undefined);
  const names = buttonNames();
  expect([...new Set(names)]).toEqual(names);
  expect([addButton('Aspirin').textContent, addButton('Ibuprofen').textContent]).toEqual([
    'Add to Cart',
    'Add to Cart',
  ]);
  await add('Aspirin');
  expect([addButton('Aspirin').textContent, addButton('Ibuprofen').textContent]).toEqual([
    'In the cart',
    'Add to Cart',
  ]);
});

test('the cart counts up from one and stops at the stock, with the reason', async () => {
  await openStore(undefined);
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await add('Ibuprofen');
  await add('Ibuprofen');
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  const more = cart().getByRole('button', { name: 'One Ibuprofen more' });
  await userEvent.click(more);
  expect(cart().getByText('We only have 2 strips left.')).toBeTruthy();
  await userEvent.click(more);
  expect(cart().getAllByText('$5.00')).toHaveLength(2);
  const less = cart().getByRole('button', { name: 'One Ibuprofen less' });
  for (let press = 0; press < 3; press += 1) await userEvent.click(less);
  const quantity = cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Ibuprofen' });
  expect(quantity.value).toBe('1');
  await userEvent.click(cart().getByRole('button', { name: 'Remove Ibuprofen from the cart' }));
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
});

test('what was removed from the cart can be put back, in its place and quantity', async () => {
  await openStore(undefined);
  await add('Aspirin');
  await add('Ibuprofen');
  await userEvent.click(cart().getByRole('button', { name: 'One Aspirin more' }));
  await userEvent.click(cart().getByRole('button', { name: 'Remove Aspirin from the cart' }));
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Undo: put Aspirin back' }));
  expect(
    cart()
      .getAllByRole<HTMLInputElement>('textbox', { name: /^Quantity of/ })
      .map((field) => [field.getAttribute('aria-label'), field.value]),
  ).toEqual([
    ['Quantity of Aspirin', '2'],
    ['Quantity of Ibuprofen', '1'],
  ]);
  expect(cart().queryByText('Aspirin is removed.')).toBeNull();
  // So can the last one; once added again by hand, there is nothing to undo.
  await userEvent.click(cart().getByRole('button', { name: 'Remove Aspirin from the cart' }));
  await userEvent.click(cart().getByRole('button', { name: 'Remove Ibuprofen from the cart' }));
  expect(cart().getByText('Ibuprofen is removed.')).toBeTruthy();
  await add('Ibuprofen');
  expect(cart().queryByText('Ibuprofen is removed.')).toBeNull();
});

test('without a login it links to the login, which returns here', async () => {
  await openStore(undefined);
  await add('Aspirin');
  expect(screen.queryByRole('button', { name: 'Place Order' })).toBeNull();
  await userEvent.click(cart().getByRole('link', { name: 'Login Please To Order Medicine' }));
  expect(await screen.findByText('login, then back to /medicinestore')).toBeTruthy();
  expect(localStorage.getItem('pharmacy-cart')).toContain('Aspirin');
});

test('the order form is there with an empty cart, too, and keeps what was typed', async () => {
  const orders = await openStore('patient', () =>
    problemResponse('validation_failed', 400, { detail: 'Add at least one medicine to your cart.' }),
  );
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Add at least one medicine to your cart.')).toBeTruthy();
  expect(orders()).toHaveLength(1);
  await add('Aspirin');
  await userEvent.click(cart().getByRole('button', { name: 'Remove Aspirin from the cart' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone/).value).toBe('+880 1555 010999');
});

test('a visitor with an empty cart finds the way to the login', async () => {
  await openStore(undefined);
  expect(cart().getByText('Your cart is empty')).toBeTruthy();
  expect(cart().getByRole('link', { name: 'Login Please To Order Medicine' })).toBeTruthy();
});

test('the quantity can be typed, up to what can be ordered', async () => {
  await openStore(undefined);
  await add('Aspirin');
  const quantity = cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Aspirin' });
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '30');
  expect(cart().getAllByText('$75.00')).toHaveLength(2);
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '900');
  await userEvent.tab();
  expect(quantity.value).toBe('40');
  expect(cart().getByText('We only have 40 strips left.')).toBeTruthy();
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '0x');
  await userEvent.tab();
  expect(Number(quantity.value)).toBeGreaterThanOrEqual(1);
});

test('a search without matches can be cleared', async () => {
  await openStore(undefined);
  await userEvent.type(screen.getByRole('searchbox'), 'unobtainium');
  await waitFor(() => expect(screen.getByText('We couldn’t find “unobtainium”')).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'Show all medicines' }));
  expect(await screen.findByText('Aspirin')).toBeTruthy();
});

test('a page left open over midnight at the clinic stops selling what has expired', async () => {
  // Only the date is fixed; pages continue to load.
  pretendItIs('2026-11-22T17:59:50Z');
  serve(undefined, () =>
    Response.json([
      record(1, 'Aspirin'),
      record(5, 'Insulin', { expiryDate: '2026-11-22' }),
      record(6, 'Salbutamol', { expiryDate: '2026-11-22' }),
    ]),
  );
  await open();
  await add('Insulin');
  expect(addButton('Salbutamol').disabled).toBe(false);
  expect(cart().queryByText('Expired. Remove it to order.')).toBeNull();
  jest.setSystemTime(new Date('2026-11-22T18:00:00Z'));
  fireEvent.focus(window);
  expect(await cart().findByText('Expired. Remove it to order.')).toBeTruthy();
  expect(addButton('Salbutamol').disabled).toBe(true);
  expect(card('Salbutamol').getByText(/^Expired Nov 22, 2026/)).toBeTruthy();
  expect(addButton('Aspirin').disabled).toBe(false);
});

test('says where prices are in dollars and where in taka, and nothing of a demo', async () => {
  await openStore('patient');
  expect(document.body.textContent).toContain(
    'We’ll deliver them to your door. Prices are in $ in the store and in ৳ on orders.',
  );
  expect(document.body.textContent).not.toMatch(/demo/i);
});
