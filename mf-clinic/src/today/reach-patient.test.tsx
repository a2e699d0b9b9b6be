import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ReachPatient } from './reach-patient.tsx';
import { prepareBrowser } from '../testing/browser.ts';

const patient = { patientname: 'Ann Lee', number: '+880 1555 010999', address: '5 Lake Road & Mill Lane' };

prepareBrowser();
afterEach(() => jest.restoreAllMocks());

test('the address only leaves the clinic after a notice that says where it goes', async () => {
  const opened = jest.spyOn(window, 'open').mockReturnValue(null);
  const { container } = render(<ReachPatient appointment={patient} />);
  expect([...container.querySelectorAll('a')].map(({ href }) => href)).toEqual(['tel:+8801555010999']);
  const map = screen.getByRole('button', { name: 'Map of 5 Lake Road & Mill Lane' });
  await userEvent.click(map);
  expect(screen.getByRole('alertdialog').textContent).toContain(
    '“5 Lake Road & Mill Lane” is sent to openstreetmap.org, which isn’t part of the clinic.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(opened).not.toHaveBeenCalled();

  await userEvent.click(map);
  await userEvent.click(screen.getByRole('button', { name: 'Open the map' }));
  expect(opened.mock.calls).toEqual([
    ['https://www.openstreetmap.org/search?query=5%20Lake%20Road%20%26%20Mill%20Lane', '_blank', 'noopener,noreferrer'],
  ]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('a deleted patient has no address to look up', () => {
  render(<ReachPatient appointment={{ ...patient, number: '', address: '' }} />);
  expect(screen.queryByRole('button')).toBeNull();
});
