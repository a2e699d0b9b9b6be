import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StatusSelector } from './status-selector.tsx';

const selector = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' });

test('sends a choice at once and is busy until the response', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onChange = jest.fn(() => promise);
  render(<StatusSelector label="Status" value="Pending" options={['Confirmed', 'Cancelled']} onChange={onChange} />);
  await userEvent.selectOptions(selector(), 'Confirmed');
  expect(onChange).toHaveBeenCalledWith('Confirmed');
  expect(selector().value).toBe('Confirmed');
  expect(selector().getAttribute('aria-busy')).toBe('true');
  await act(async () => resolve());
  expect(selector().getAttribute('aria-busy')).toBeNull();
  expect(selector().value).toBe('Confirmed');
});

test('returns to the old value if the change is rejected', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => {});
  render(
    <StatusSelector
      label="Status"
      value="Pending"
      options={['Confirmed']}
      onChange={() => Promise.reject(new Error('rejected'))}
    />,
  );
  await userEvent.selectOptions(selector(), 'Confirmed');
  expect(selector().value).toBe('Pending');
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});

test('asks before a destructive choice, and sends nothing if the answer is no', async () => {
  const onChange = jest.fn(() => Promise.resolve());
  render(
    <StatusSelector
      label="Status"
      value="Pending"
      options={['Confirmed', 'Cancelled']}
      destructive={['Cancelled']}
      onChange={onChange}
    />,
  );
  await userEvent.selectOptions(selector(), 'Cancelled');
  screen.getByRole('alertdialog', { name: 'Change to Cancelled?' });
  await userEvent.click(screen.getByRole('button', { name: 'Keep Pending' }));
  expect(onChange).not.toHaveBeenCalled();
  expect(selector().value).toBe('Pending');

  await userEvent.selectOptions(selector(), 'Cancelled');
  await userEvent.click(screen.getByRole('button', { name: 'Yes, change to Cancelled' }));
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(onChange).toHaveBeenCalledWith('Cancelled');
});

test('is disabled if the state is final', () => {
  render(<StatusSelector label="Status" value="Cancelled" options={[]} onChange={() => Promise.resolve()} />);
  expect(selector().disabled).toBe(true);
});
