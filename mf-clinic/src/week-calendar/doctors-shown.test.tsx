import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment } from '../testing/records.ts';
import { DoctorsShown, useDoctorsShown } from './doctors-shown.tsx';
import type { DayColumn } from './grid-layout.ts';

const day = { date: '2100-01-05', hours: [], off: [], slots: [] };
const column = (name: string, booked: boolean, hours: CalendarDoctor['days'][number]['hours'] = []): DayColumn => {
  const doctor: CalendarDoctor = {
    _id: name.toLowerCase(),
    name: `Dr. ${name}`,
    email: `${name}@clinic.example`,
    specialization: 'Cardiologist',
    location: '',
    anyTime: false,
    days: [day],
  };
  const appointments = booked ? [{ ...appointment(), ends: '10:30', outside: false }] : [];
  return { key: name, doctor, day: { ...day, hours }, appointments };
};
const columns = [
  column('Adams', false),
  column('Baker', true),
  column('Chen', false, [{ from: '09:00', until: '12:00', place: '' }]),
  column('Diaz', true),
];

function Calendar() {
  const choice = useDoctorsShown(columns, true);
  return (
    <>
      <DoctorsShown columns={columns} choice={choice} />
      <ol aria-label="Columns">
        {choice.shown.map(({ key }) => (
          <li key={key}>{key}</li>
        ))}
      </ol>
    </>
  );
}
const shown = () =>
  within(screen.getByRole('list', { name: 'Columns' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);

prepareBrowser();
beforeEach(() => localStorage.clear());
afterEach(() => jest.restoreAllMocks());

test('doctors with appointments come first, then those with hours, each by name', () => {
  render(<Calendar />);
  expect(shown()).toEqual(['Baker', 'Diaz', 'Chen', 'Adams']);
});

test('the browser remembers who was left out, the page names them, and all can be shown again', async () => {
  const { unmount } = render(<Calendar />);
  await userEvent.click(screen.getByRole('button', { name: 'Choose doctors' }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Dr\. Baker/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(shown()).toEqual(['Diaz', 'Chen', 'Adams']);
  unmount();
  render(<Calendar />);
  expect(shown()).toEqual(['Diaz', 'Chen', 'Adams']);
  expect(screen.getByText('Not shown: Dr. Baker.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(shown()).toEqual(['Baker', 'Diaz', 'Chen', 'Adams']);
});

test('without storage the choice lasts as long as the page', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('storage is blocked');
  });
  render(<Calendar />);
  await userEvent.click(screen.getByRole('button', { name: 'Choose doctors' }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Dr\. Chen/ }));
  expect(shown()).toEqual(['Baker', 'Diaz', 'Adams']);
  expect(warn).toHaveBeenCalledTimes(1);
});
